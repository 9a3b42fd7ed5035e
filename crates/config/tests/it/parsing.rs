//! Whole texts: what is read, what is refused, and where the fault is shown.

use std::path::Path;

use codewhale_mcp_config::{McpFile, ParseReason, Problem, Scope, Source, Warning};

fn source() -> Source {
    Source::file(Path::new("m.json"), Scope::User)
}

fn parse(text: &str) -> McpFile {
    McpFile::parse(text, &source()).unwrap_or_else(|error| panic!("{error}\n{}", error.excerpt))
}

fn names(text: &str) -> Vec<String> {
    let file = parse(text);
    for entry in &file.entries {
        assert!(entry.definition.is_ok(), "{:?}", entry.definition);
    }
    file.entries.into_iter().map(|entry| entry.name).collect()
}

#[test]
fn c01_bom_is_dropped_once() {
    let file = parse("\u{feff}{\"mcpServers\":{\"a\":{\"command\":\"\u{feff}true\"}}}");
    assert_eq!(file.entries[0].place.to_string(), "m.json:1:16");
    let definition = file.entries[0].definition.as_ref().unwrap();
    assert_eq!(definition.command.as_ref().unwrap().value, "\u{feff}true");
    let error = McpFile::parse("\u{feff}\u{feff}{}", &source()).unwrap_err();
    assert_eq!(error.to_string(), "m.json:1:1: unexpected character");
}

#[test]
fn c02_comments_and_trailing_commas_are_fine_and_strings_stay_whole() {
    let text = r#"// note
{ /* x */ "mcpServers": {
    "a": { "url": "https://h.test/*no*/mcp", }, // one
    /* between */
    "b": { "command": "x", "args": ["//", "/*", ",]",], },
  },
}
// end"#;
    assert_eq!(names(text), ["a", "b"]);
    let file = parse(text);
    assert_eq!(
        file.entries[0].definition.as_ref().unwrap().url.as_ref().unwrap().value,
        "https://h.test/*no*/mcp"
    );
}

#[test]
fn both_containers_work_together_in_file_order() {
    assert_eq!(
        names(
            r#"{"mcpServers":{"b":{"command":"x"}},"servers":{"a":{"command":"x"},"c":{"url":"http://h"}}}"#
        ),
        ["b", "a", "c"]
    );
    assert!(names("{}").is_empty());
    let file = parse(r#"{"servers":{"a":{"command":"x"}}, "servers":{"b":{"command":"x"}}}"#);
    assert_eq!(file.entries.len(), 2);
    assert!(matches!(&file.warnings[..], [Warning::SecondContainer { .. }]));
}

#[test]
fn a_name_that_stands_twice_refuses_both_and_names_both_places() {
    for (text, expected) in [
        (
            "{\"servers\": {\n \"a\": {\"command\":\"x\"},\n \"b\": {\"command\":\"x\"},\n \"a\": {\"command\":\"y\"}}}",
            "`a` is defined more than once: m.json:2:2 and m.json:4:2",
        ),
        (
            "{\"servers\": {\"a\": {\"command\":\"x\"}},\n\"mcpServers\": {\"b\":{\"command\":\"x\"}, \"a\": 1}}",
            "`a` is defined more than once: m.json:1:14 and m.json:2:37",
        ),
    ] {
        let file = parse(text);
        assert_eq!(file.entries.len(), 2);
        let problems = file.entry("a").unwrap().definition.as_ref().unwrap_err();
        assert!(matches!(&problems[..], [Problem::DuplicateName { places, .. }] if places.len() == 2));
        assert_eq!(problems[0].to_string(), expected);
        assert!(file.entry("b").unwrap().definition.is_ok());
    }
}

#[test]
fn c04_what_cannot_be_parsed_is_an_error_with_its_place() {
    for (text, place, reason) in [
        ("", "1:1", ParseReason::Empty),
        ("  // nothing\n", "1:1", ParseReason::Empty),
        ("{\"servers\": {} /* open", "1:16", ParseReason::UnclosedComment),
        ("{\"servers\": {}", "1:1", ParseReason::UnclosedObject),
        ("{\n  \"a\": 1\n  \"b\": 2}", "2:9", ParseReason::ExpectedComma),
        ("{\"a\": [1 2]}", "1:9", ParseReason::ExpectedComma),
        ("{\"a\" 1}", "1:6", ParseReason::ExpectedColon),
        ("{\"a\": }", "1:7", ParseReason::Unexpected { found: "`}`" }),
        ("{a: 1}", "1:2", ParseReason::ExpectedKey),
        ("{'a': 1}", "1:2", ParseReason::SingleQuotes),
        ("{,}", "1:2", ParseReason::Unexpected { found: "character" }),
        ("{} {}", "1:4", ParseReason::SeveralValues),
        ("{\"a\": 0x10}", "1:7", ParseReason::BadNumber),
        ("{\"a\": 1e999}", "1:7", ParseReason::BadNumber),
        ("{\n\"a\": \"b\n}", "2:6", ParseReason::UnclosedString),
        ("{\"a\": \"b\u{1}\"}", "1:9", ParseReason::ControlCharacter),
        ("[]", "1:1", ParseReason::NotAnObject { key: None, found: "an array" }),
        ("{\"servers\": []}", "1:13", ParseReason::NotAnObject { key: Some("servers"), found: "an array" }),
        (
            "{\"mcpServers\": null}",
            "1:16",
            ParseReason::NotAnObject { key: Some("mcpServers"), found: "null" },
        ),
    ] {
        let error = McpFile::parse(text, &source()).unwrap_err();
        assert_eq!(error.reason, reason, "{text:?}");
        assert_eq!(error.place.to_string(), format!("m.json:{place}"), "{text:?}");
    }
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100), "]".repeat(100));
    assert!(matches!(
        McpFile::parse(&deep, &source()).unwrap_err().reason,
        ParseReason::TooDeep { limit: 64 }
    ));
    let deeper = "[".repeat(1_000_000);
    assert!(matches!(McpFile::parse(&deeper, &source()).unwrap_err().reason, ParseReason::TooDeep { .. }));
}

#[test]
fn c22_crlf_and_columns_in_characters() {
    let file = parse(
        "{\r\n\t\"servers\": {\r\n\t\t\"ü鲸\": {\"command\": \"x\"}, \"b\": {\"command\": \"x\"}\r\n\t}\r\n}\r\n",
    );
    assert_eq!(file.entries[1].place.to_string(), "m.json:3:27");
    let long = format!("{{\"servers\": {{\"é\": {{\"command\": \"{}\"}}, \"b\": 1}}}}", "é".repeat(5000));
    assert_eq!(parse(&long).entries[1].place.to_string(), "m.json:1:5036");
}

#[test]
fn c22_a_windows_path_without_double_backslashes_shows_its_line() {
    let text = "{\"servers\": {\n  \"a\": {\"command\": \"C:\\Users\\x\"}\n}}";
    let error = McpFile::parse(text, &source()).unwrap_err();
    assert_eq!(error.reason, ParseReason::BadEscape);
    assert_eq!(error.to_string(), "m.json:2:23: bad escape in a string");
    let expected = "2 |   \"a\": {\"command\": \"C:\\Users\\x\"}\n  |                       ^";
    assert_eq!(error.excerpt, expected);
}

#[test]
fn the_excerpt_shows_no_secret() {
    for text in [
        "{\"servers\":{\"a\":{\"headers\":{\"X\":\"hunter2\\q\"}}}}",
        "{\"servers\":{\"a\":{\"env\":{\"X\":\"hunter2\\q\"}}}}",
        "{\"servers\":{\"a\":{\"args\":[\"--token\",\"hunter2\\q\"]}}}",
        "{\"servers\":{\"a\":{\"args\":[\"--api-key=hunter2\\q\"]}}}",
        "{\"servers\":{\"a\":{\"url\":\"https://u:hunter2@h/\\q\"}}}",
        "{\"servers\":{\"a\":{\"headers\":{\"X\":hunter2}}}}",
        "{\"servers\":{\"a\":{\"env\":{\"X\":'hunter2'}}}}",
        "{\"a\":1 \"env\":{\"X\":\"hunter2\"}}",
        "{\"a\" \"b\", \"hunter2\"}",
        "{\"apiKey\":\"hunter2",
        "{\"env\":{\"A\":\"hunter2\", \"B\" \"c\"}}",
        "{ x // token=hunter2",
        "{ /* \"token\": \"hunter2\" */ x",
    ] {
        let error = McpFile::parse(text, &source()).unwrap_err();
        assert!(!error.excerpt.is_empty() && !error.excerpt.contains("hunter2"), "{text}\n{}", error.excerpt);
        assert!(!error.to_string().contains("hunter2"));
    }
}

#[test]
fn the_excerpt_of_a_long_line_is_cut_around_the_caret_and_safe_to_print() {
    let text = format!("{{\"a\": [{} 1 2]}}", "1, ".repeat(500));
    let error = McpFile::parse(&text, &source()).unwrap_err();
    let (line, caret) = error.excerpt.split_once('\n').unwrap();
    assert!(line.len() < 120);
    let at = caret.find('^').unwrap();
    assert_eq!(line.get(at - 1..at), Some("1"), "{}", error.excerpt);
    let error = McpFile::parse("{\"a\": \u{1b}[2J}", &source()).unwrap_err();
    assert!(!error.excerpt.contains('\u{1b}'));
}

#[test]
fn blanks_that_json_does_not_have_are_passed_over() {
    for blank in ["\u{b}", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}"] {
        let error = McpFile::parse(&format!("{{\"a\":{blank}x}}"), &source()).unwrap_err();
        let shown = if matches!(blank, "\u{a0}" | "\u{3000}") { blank } else { " " };
        assert_eq!(error.excerpt.lines().next(), Some(format!("1 | {{\"a\":{shown}x}}").as_str()));
    }
}

#[test]
fn a_huge_line_is_judged_in_linear_time() {
    // With quadratic work this takes hours.
    let many = "\"--token\", \"hunter2\", ".repeat(100_000);
    let error = McpFile::parse(&format!("{{\"args\": [{many} 1 2, {many}]}}"), &source()).unwrap_err();
    assert!(error.excerpt.contains("\"--token\"") && !error.excerpt.contains("hunter2"), "{}", error.excerpt);
    let entries: String =
        (0..20_000).map(|number| format!("\"s{number}\": {{\"command\": \"x\"}}, ")).collect();
    assert_eq!(parse(&format!("{{\"servers\": {{{entries}}}}}")).entries.len(), 20_000);
}

#[test]
fn what_is_no_utf8_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    for (bytes, expected) in [
        (&b"{\n\"a\xff\": 1}"[..], ":2:3: the file is not UTF-8 text"),
        (&b"\xff\xfe{\0}\0"[..], ":1:1: the file is UTF-16 text, expected UTF-8"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let error = McpFile::read(&path, Scope::User).unwrap_err();
        assert!(error.to_string().ends_with(expected), "{error}");
        assert!(!error.is_missing());
    }
    assert!(McpFile::read(&folder.path().join("no"), Scope::User).unwrap_err().is_missing());
    assert!(McpFile::read(folder.path(), Scope::User).is_err());
}

#[test]
fn unknown_members_of_the_file_get_a_warning_and_a_suggestion() {
    let file = parse(r#"{"mcpServer": {}, "inputs": [], "$schema": "x", "timeout": {}}"#);
    let warnings: Vec<String> = file.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "m.json:1:2: `mcpServer` is unknown, did you mean `mcpServers`",
            "m.json:1:19: `inputs` is unknown",
            "m.json:1:49: `timeout` is unknown, did you mean `timeouts`",
        ]
    );
}
