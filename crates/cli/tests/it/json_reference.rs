//! The examples of the JSON reference are what the program prints.

use std::collections::BTreeSet;

use codewhale_cli::Exit;
use codewhale_testkit::HttpFake;
use serde_json::Value;

use crate::reference::{fresh, read};
use crate::world::{Machine, fake};

const PAGE: &str = "json.md";

/// Members that are different each time, and what stands for them.
const CHANGING: [(&str, u64); 3] = [("elapsed_ms", 12), ("connect_ms", 10), ("list_ms", 2)];

/// Members that are words and different each time.
const CHANGING_WORDS: [(&str, &str); 3] = [
    ("taskId", "786512e2-9e0d-44bd-8f29-789f320fe840"),
    ("createdAt", "2026-07-28T10:30:00Z"),
    ("lastUpdatedAt", "2026-07-28T10:30:00Z"),
];

/// A server that makes tasks, and one that ends a subscription once it has agreed to it.
const TASKS: &str = "server everything --era legacy --tasks optional";
const STREAM: &str = "server everything --era modern --end-at ack --end result";

/// The mark in the page, the command, and how it ends.
const EXAMPLES: &[(&str, &[&str], Exit)] = &[
    ("error", &["mcp", "call", "files", "add", "a=1", "bb=2"], Exit::Usage),
    ("init", &["mcp", "init", "--force"], Exit::Ok),
    ("add", &["mcp", "add", "new", "--env", "KEY=${KEY}", "--", "server", "plain"], Exit::Ok),
    ("change", &["mcp", "disable", "files"], Exit::Ok),
    ("list", &["mcp", "list"], Exit::Ok),
    ("get", &["mcp", "get", "files"], Exit::Ok),
    ("validate", &["mcp", "validate"], Exit::Failed),
    ("connect", &["mcp", "connect", "files"], Exit::Ok),
    ("tools", &["mcp", "tools", "files"], Exit::Ok),
    ("call", &["mcp", "call", "files", "add", "a=1", "b=2"], Exit::Ok),
    ("call-task", &["mcp", "call", "--stdio", TASKS, "job", "--task"], Exit::Ok),
    ("resources", &["mcp", "resources", "files"], Exit::Ok),
    ("templates", &["mcp", "templates", "files"], Exit::Ok),
    ("prompts", &["mcp", "prompts", "files"], Exit::Ok),
    ("read", &["mcp", "read", "files", "text://greeting"], Exit::Ok),
    ("prompt", &["mcp", "prompt", "files", "greet", "name=Ada"], Exit::Ok),
    (
        "complete",
        &["mcp", "complete", "--stdio", "server everything", "--prompt", "review", "style", "f"],
        Exit::Ok,
    ),
    ("subscribe", &["mcp", "subscribe", "--stdio", STREAM, "--tools", "--resources"], Exit::Ok),
    ("tasks", &["mcp", "tasks", "--stdio", TASKS], Exit::Ok),
    ("login", &["mcp", "login", "docs"], Exit::Ok),
    ("logout", &["mcp", "logout", "docs"], Exit::Ok),
    ("logs", &["mcp", "logs", "crashes", "-n", "3"], Exit::Ok),
    ("trust", &["trust", "--yes"], Exit::Ok),
    ("untrust", &["untrust"], Exit::Ok),
];

const CONFIG: &str = r#"{
  "servers": {
    "files": {"command": "server", "args": ["plain"], "enabled_tools": ["add"], "required": true},
    "crashes": {"command": "sh", "args": ["-c", "echo boom >&2; exit 3"], "env": {"LEVEL": "${LEVEL:-info}"}},
    "off": {"url": "https://docs.example/mcp", "bearer_token_env_var": "DOCS_TOKEN", "disabled": true}
  }
}
"#;

const PROJECT: &str = r#"{"servers": {"theirs": {"command": "server", "args": ["--token", "abc"]}}}"#;

#[test]
fn every_example_is_what_the_program_prints() {
    let page = read(PAGE);
    let marked: BTreeSet<&str> =
        page.split("<!-- example: ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    assert_eq!(marked, EXAMPLES.iter().map(|(name, ..)| *name).collect(), "marks and examples");
    let wanted = EXAMPLES.iter().fold(page.clone(), |page, (name, arguments, exit)| {
        replaced(&page, name, &printed(name, arguments, *exit))
    });
    fresh(PAGE, &wanted);
}

/// The page with another block behind a mark.
fn replaced(page: &str, name: &str, json: &str) -> String {
    let mark = format!("<!-- example: {name} -->\n```json\n");
    let start = page.find(&mark).unwrap_or_else(|| panic!("{name} has no mark and block")) + mark.len();
    let end = start + page[start..].find("```").expect("the block ends");
    format!("{}{json}\n{}", &page[..start], &page[end..])
}

fn printed(name: &str, arguments: &[&str], exit: Exit) -> String {
    let machine = Machine::new();
    let docs = HttpFake::start("oauth --scope read");
    let (url, origin) = (docs.url(), docs.url_of(""));
    match name {
        "login" | "logout" => {
            machine.write(&machine.config(), &format!(r#"{{"servers": {{"docs": {{"url": "{url}"}}}}}}"#));
        }
        _ => machine.write(&machine.config(), CONFIG),
    }
    machine.write(&machine.project(), PROJECT);
    let bin = machine.temp().join("bin");
    std::fs::create_dir(&bin).expect("a new folder");
    for (name, program) in [("server", fake()), ("sh", "/bin/sh".to_owned())] {
        std::os::unix::fs::symlink(program, bin.join(name)).expect("a new link");
    }
    let bin = bin.to_str().expect("plain");
    let run = |arguments: &[&str]| machine.trial().variable("PATH", bin).run(arguments);
    match name {
        "logs" => drop(run(&["mcp", "validate"]).ends(Exit::Failed)),
        "logout" => drop(run(&["mcp", "login", "docs"]).ends(Exit::Ok)),
        "untrust" => drop(run(&["trust", "--yes"]).ends(Exit::Ok)),
        _ => {}
    }
    let ran = run(&[&["--json"], arguments].concat()).ends(exit);
    let lines = ran.stdout.lines().count();
    assert!(lines == 1 || (name == "subscribe" && lines == 2), "{ran}");
    let (home, work) = (machine.home(), machine.work());
    let text = ran.stdout.replace(work.to_str().expect("plain"), "/home/me/project");
    let text =
        text.replace(home.to_str().expect("plain"), "/home/me").replace(&origin, "https://docs.example");
    if lines > 1 {
        return text.trim_end().to_owned();
    }
    let mut value: Value = serde_json::from_str(&text).expect("one JSON value");
    settle(&mut value);
    serde_json::to_string_pretty(&value).expect("a JSON value")
}

/// Puts fixed values where they are different each time.
fn settle(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                let number = CHANGING.iter().find(|(changing, _)| changing == name);
                let word = CHANGING_WORDS.iter().find(|(changing, _)| changing == name);
                match (number, word) {
                    (Some((_, fixed)), _) if member.is_u64() => *member = (*fixed).into(),
                    (_, Some((_, fixed))) if member.is_string() => *member = (*fixed).into(),
                    _ => settle(member),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(settle),
        Value::String(text) => {
            if let Some((start, rest)) = text.split_once(" after ")
                && let Some((_, end)) = rest.split_once(" ms")
            {
                *text = format!("{start} after 12 ms{end}");
            }
        }
        _ => {}
    }
}
