//! The command line of a session.

use codewhale_host::approval::Mode;
use codewhale_host::flags::{Asked, Colour, Input, Output, Refused, Sources};

fn read(line: &str) -> Result<Asked, Refused> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    Asked::read(&words)
}

const SESSION: &str = "--input-format stream-json --output-format stream-json";

#[test]
fn what_the_sdks_pass_is_taken() {
    // As claude-agent-sdk passes it.
    let words = [
        "--output-format",
        "stream-json",
        "--verbose",
        "--system-prompt",
        "",
        "--tools",
        "",
        "--allowedTools",
        "mcp__a__b,ToolSearch,Bash(ls, -l)",
        "--max-turns",
        "3",
        "--permission-prompt-tool",
        "stdio",
        "--permission-mode",
        "acceptEdits",
        "--resume=-x",
        "--settings",
        "{}",
        "--mcp-config",
        r#"{"mcpServers":{}}"#,
        "--include-partial-messages",
        "--strict-mcp-config",
        "--setting-sources=",
        "--thinking",
        "adaptive",
        "--input-format",
        "stream-json",
    ];
    let asked = Asked::read(&words.map(str::to_owned)).unwrap();
    assert_eq!((asked.input, asked.output, asked.print), (Input::StreamJson, Output::StreamJson, false));
    assert_eq!(asked.allowed, ["mcp__a__b", "ToolSearch", "Bash(ls, -l)"]);
    assert_eq!((asked.max_turns, asked.mode, asked.asks_caller), (Some(3), Mode::AcceptEdits, true));
    assert_eq!(asked.system_prompt.as_deref(), Some(""));
    assert!(asked.partial && asked.strict && asked.verbose);
    assert_eq!(asked.sources, Sources { user: false, project: false });
    assert_eq!(asked.idle, ["--tools", "--resume", "--settings", "--thinking"]);

    // As codebuddy-agent-sdk passes it.
    let line = "--input-format=stream-json --output-format=stream-json --verbose --model m --fallback-model n \
                --request-timeout-ms 5 --session-id s:1 --continue --fork-session --no-session-persistence \
                --allowedTools a b --disallowedTools c d --setting-sources none --effort high";
    let asked = read(line).unwrap();
    assert_eq!((asked.model.as_deref(), asked.session_id.as_deref()), (Some("m"), Some("s:1")));
    assert_eq!(
        (asked.allowed, asked.disallowed),
        (vec!["a".into(), "b".into()], vec!["c".into(), "d".into()])
    );
    assert_eq!(asked.sources, Sources { user: false, project: false });
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = [
        ("--nonsense", "unknown option --nonsense"),
        ("--input-format xml", "--input-format is one of stream-json, text, not `xml`"),
        ("--permission-mode ask", "--permission-mode is one of"),
        ("--max-turns 0", "--max-turns is one of"),
        ("--max-turns", "--max-turns needs a value"),
        ("--strict-mcp-config=yes", "--strict-mcp-config takes no value"),
        ("--setting-sources everyone", "--setting-sources is one of"),
        ("--permission-prompt-tool mcp__x", "--permission-prompt-tool is one of stdio"),
        ("hello", "unexpected word `hello`"),
        (
            "-y --permission-mode plan",
            "-y is --permission-mode bypassPermissions, and another mode is named, too",
        ),
        (
            "--permission-mode plan -y",
            "-y is --permission-mode bypassPermissions, and another mode is named, too",
        ),
    ];
    for (more, error) in rows {
        let said = read(&format!("{SESSION} {more}")).unwrap_err().to_string();
        assert!(said.starts_with(error), "{more}: {said}");
    }
    let formats = [
        "--input-format stream-json",
        "--output-format stream-json",
        "-p --input-format stream-json",
        "-p hi --input-format stream-json --output-format stream-json",
    ];
    for line in formats {
        assert!(matches!(read(line), Err(Refused::Formats { .. })), "{line}");
    }
}

#[test]
fn a_prompt_stands_behind_print() {
    let asked = read("-p hello --output-format json -y").unwrap();
    assert_eq!((asked.prompt.as_deref(), asked.output), (Some("hello"), Output::Json));
    assert_eq!(asked.mode, Mode::BypassPermissions);
    assert_eq!(read("-p").unwrap().prompt, None, "it comes on standard input");
    assert_eq!(read("-p -- -v").unwrap().prompt.as_deref(), Some("-v"));
    assert!(read("-p one two").is_err());
    assert_eq!(Asked::read(&["-p".to_owned(), " ".to_owned()]), Err(Refused::EmptyPrompt));
    assert_eq!(read("-p hi -y --permission-mode bypassPermissions").unwrap().mode, Mode::BypassPermissions);
}

#[test]
fn global_options_count_wherever_they_stand() {
    let global =
        "--json -v --color never --config a.json --workspace b --mcp-config c.json --strict-mcp-config -y";
    for line in [format!("{global} -p hello"), format!("-p hello {global}"), format!("-p {global} hello")] {
        let asked = read(&line).unwrap();
        assert_eq!((asked.prompt.as_deref(), asked.output), (Some("hello"), Output::Json), "{line}");
        assert!(
            asked.json && asked.verbose && asked.strict && asked.mode == Mode::BypassPermissions,
            "{line}"
        );
        assert_eq!(asked.colour, Colour::Never);
        let (config, workspace) = (asked.config.unwrap(), asked.workspace.unwrap());
        assert_eq!((config.as_os_str(), workspace.as_os_str()), ("a.json".as_ref(), "b".as_ref()));
        assert_eq!(asked.mcp_config, ["c.json"]);
    }
    assert_eq!(read("--json -p hi --output-format stream-json").unwrap().output, Output::StreamJson);
    assert_eq!(read(&format!("--json {SESSION}")).unwrap().output, Output::StreamJson);
    assert!(read(&format!("-q {SESSION}")).unwrap().quiet);
    for (line, error) in [
        ("-p hi --json --output-format text", "--json is --output-format json, and another format is named"),
        ("-v -p hi -q", "-q says less and -v says more"),
        ("-p hi --color red", "--color is one of auto, always, never, not `red`"),
    ] {
        let said = read(line).unwrap_err().to_string();
        assert!(said.starts_with(error), "{line}: {said}");
    }
}

#[test]
fn sources_say_whose_configuration_counts() {
    let sources = |line: &str| read(&format!("{SESSION} {line}")).unwrap().sources;
    assert_eq!(sources(""), Sources { user: true, project: true });
    assert_eq!(sources("--setting-sources user,local"), Sources { user: true, project: false });
    assert_eq!(sources("--setting-sources project"), Sources { user: false, project: true });
}
