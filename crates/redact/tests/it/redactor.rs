//! Known secrets do not pass.

use codewhale_mcp_redact::{Redactor, Secret, map_strings};

fn redactor(secrets: &[&str]) -> Redactor {
    secrets.iter().map(|s| Secret::new((*s).to_owned())).collect::<Vec<_>>().iter().collect()
}

#[test]
fn known_secrets_are_replaced() {
    for (secrets, text, shown) in [
        (&["abcdef"][..], "x abcdef y abcdef", "x REDACTED y REDACTED"),
        (&["abcdef", "abcdefgh"], "abcdefgh abcdef", "REDACTED REDACTED"),
        (&["abcdef", "defghi"], "-abcdefghi-", "-REDACTED-"),
        (&["schlüssel"], "ein schlüssel ü", "ein REDACTED ü"),
        (&["line one 1\nline two 2\n}"], "line two 2 }", "REDACTED }"),
        (&["abcdef"], "abcde", "abcde"),
        (&["a", ""], "a banana", "a banana"),
        (&["aaaaaa"], "aaaaaaaaa!", "REDACTED!"),
        (&["a\"b\\c\td"], r#"{"x":"a\"b\\c\td"}"#, r#"{"x":"REDACTED"}"#),
        (&["a\"b\\c\td"], "a\"b\\c\\td", "REDACTED"),
        (&["p ss/w&rd"], "p%20ss%2Fw%26rd p+ss%2Fw%26rd", "REDACTED REDACTED"),
        (&["topsecret1"], "filler topsec…", "filler REDACTED…"),
        (&["schlüssel"], "{\"a\":\"schl\\u00fcssel\"}", "{\"a\":\"REDACTED\"}"),
        (&["topsecret1"], "at the topsec", "at the topsec"),
    ] {
        assert_eq!(redactor(secrets).apply(text), shown, "{secrets:?}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let redactor = redactor(&["abcdef"]);
    assert_eq!(format!("{redactor:?}"), "Redactor { secrets: 1 }");
    assert!(!redactor.is_empty());
}

#[test]
fn within_json_only_string_values_change() {
    let redactor = redactor(&["status", "100000", "a\"b\\c\td"]);
    for (text, shown) in [
        (r#"{"status":"status", "n": 100000}"#, r#"{"status":"REDACTED", "n": 100000}"#),
        (r#"{"status" : ["x status", {"n":1.00e+2}]}"#, r#"{"status" : ["x REDACTED", {"n":1.00e+2}]}"#),
        (r#"["\u0073tatus","a\u0022b\u005Cc\td","\/"]"#, r#"["REDACTED","REDACTED","\/"]"#),
        (r#""status"#, r#""REDACTED"#),
        (r#"["a\"#, r#"["a\"#),
        (r#"{"a":"\n status"}"#, r#"{"a":"\n REDACTED"}"#),
    ] {
        assert_eq!(redactor.apply_json(text), shown, "{text}");
    }
    let mut seen = Vec::new();
    let text = map_strings(r#"{"a":"x","b":["y",{"c":"\ud83d\ude00"}]}"#, |member, value| {
        seen.push(format!("{member} {value}"));
        None
    });
    assert_eq!(text, r#"{"a":"x","b":["y",{"c":"\ud83d\ude00"}]}"#);
    assert_eq!(seen, ["a x", "b y", "b \u{1f600}"]);
}

#[test]
fn what_is_part_of_a_word_of_ours_can_be_spared() {
    let redactor = redactor(&["postgres", "hunter2-hunter2"]);
    let spared = redactor.without(|secret| "my-postgres-db".contains(secret));
    assert_eq!(spared.apply("postgres hunter2-hunter2"), "postgres REDACTED");
    assert_eq!(redactor.apply("postgres"), "REDACTED");
}

#[test]
fn broken_json_is_no_trouble() {
    let redactor = redactor(&["status"]);
    let text = "{\"ä\\\"ü\\\\\":[\"\\ud83d\\ude00\\u00\",\"ß\\\"\", {\"x\" :\"…é\\\\é\"}]}\\\"é";
    for start in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        for end in (start..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            assert_eq!(redactor.apply_json(&text[start..end]), text[start..end]);
        }
    }
}
