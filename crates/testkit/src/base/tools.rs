//! The tools of the well-behaved server, one row each.

use super::media;
use super::slow::{Cancels, slow};
use crate::json::{quote, text_block};
use crate::message::Arguments;
use crate::out::Out;

/// What a tool gets.
pub(crate) struct Call<'a> {
    pub(super) id: &'a str,
    pub(super) arguments: Arguments,
    pub(super) progress_token: Option<String>,
    pub(super) wants_log: bool,
    pub(super) cancels: &'a Cancels,
    pub(super) out: &'a Out,
}

/// What a tool gives.
pub(crate) enum Done {
    /// The inside of the result object.
    Result(String),
    /// The same, or nothing when cancelled, from work that takes its time.
    Later(Box<dyn FnOnce() -> Option<String> + Send>),
    Exit(i32),
}

type Run = fn(&Call<'_>) -> Done;

pub(super) fn find(name: &str) -> Option<Run> {
    TOOLS.iter().find(|(known, ..)| *known == name).map(|(_, _, run)| *run)
}

/// The definitions as they are listed.
pub(super) fn definitions() -> Vec<String> {
    TOOLS.iter().map(|(name, rest, _)| format!(r#"{{"name":"{name}",{rest}}}"#)).collect()
}

/// What tools do that exist only to be listed.
pub(super) fn echo_arguments(call: &Call<'_>) -> Done {
    let raw = &call.arguments.raw;
    let text = text_block(raw);
    Done::Result(format!(r#""content":[{text}],"structuredContent":{{"arguments":{raw}}}"#))
}

/// Name, the rest of the definition, what it does.
const TOOLS: &[(&str, &str, Run)] = &[
    (
        "echo",
        r#""description":"Says the text again","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]},"annotations":{"readOnlyHint":true}"#,
        |call| text(&call.arguments.text("text").unwrap_or_default()),
    ),
    (
        "add",
        r#""description":"Adds two numbers","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]},"outputSchema":{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]},"annotations":{"readOnlyHint":true}"#,
        add,
    ),
    (
        "fail",
        r#""description":"Always refuses","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"never":{"type":"string"}},"required":["never"]}"#,
        |_| error("denied"),
    ),
    (
        "slow",
        r#""description":"Takes its time","inputSchema":{"type":"object","properties":{"ms":{"type":"integer"},"every":{"type":"integer"}}}"#,
        slow,
    ),
    (
        "big",
        r#""description":"A long text","inputSchema":{"type":"object","properties":{"bytes":{"type":"integer"}}}"#,
        |call| {
            let bytes = call.arguments.count("bytes").unwrap_or(100_000);
            text(&"x".repeat(usize::try_from(bytes).unwrap_or(usize::MAX).min(64 << 20)))
        },
    ),
    ("image", r#""description":"A tiny image","inputSchema":{"type":"object"}"#, |_| {
        Done::Result(media::image())
    }),
    ("audio", r#""description":"A tiny sound","inputSchema":{"type":"object"}"#, |_| {
        Done::Result(media::audio())
    }),
    ("blob", r#""description":"Embedded resources","inputSchema":{"type":"object"}"#, |_| {
        Done::Result(media::blob())
    }),
    ("link", r#""description":"A link to a resource","inputSchema":{"type":"object"}"#, |_| {
        Done::Result(media::link())
    }),
    (
        "env",
        r#""description":"The value of an environment variable","inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#,
        env,
    ),
    (
        "delete_all",
        r#""description":"Says that it destroys things","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true,"readOnlyHint":false}"#,
        |_| text("everything is gone"),
    ),
    (
        "log",
        r#""description":"Sends log notifications","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"level":{"type":"string"}}}"#,
        log,
    ),
    (
        "exit",
        r#""description":"Ends the server","inputSchema":{"type":"object","properties":{"code":{"type":"integer"}}}"#,
        |call| {
            Done::Exit(call.arguments.count("code").and_then(|code| i32::try_from(code).ok()).unwrap_or(0))
        },
    ),
    (
        "ansi",
        r#""description":"Clears \u001b[2J the screen \u001b]0;title\u0007","inputSchema":{"type":"object"}"#,
        |_| text("\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}]52;c;aGk=\u{7}red \u{1b}[31mtext\r\u{9b}31m"),
    ),
    (
        "reflect",
        r#""description":"Its arguments as they came","inputSchema":{"type":"object","additionalProperties":true}"#,
        echo_arguments,
    ),
    ("args", r#""description":"How this process was started","inputSchema":{"type":"object"}"#, args),
];

fn text(text: &str) -> Done {
    Done::Result(format!(r#""content":[{}]"#, text_block(text)))
}

fn error(text: &str) -> Done {
    Done::Result(format!(r#""content":[{}],"isError":true"#, text_block(text)))
}

fn add(call: &Call<'_>) -> Done {
    let (Some(a), Some(b)) = (call.arguments.number("a"), call.arguments.number("b")) else {
        return error("a and b must be numbers");
    };
    let sum = a + b;
    let text = text_block(&sum.to_string());
    Done::Result(format!(r#""content":[{text}],"structuredContent":{{"sum":{sum}}}"#))
}

#[expect(clippy::disallowed_methods, reason = "a test asks what environment reached this process")]
fn env(call: &Call<'_>) -> Done {
    let name = call.arguments.text("name").unwrap_or_default();
    match std::env::var_os(&name).filter(|_| !name.is_empty()) {
        Some(value) => text(&value.to_string_lossy()),
        None => error(&format!("{name} is not set")),
    }
}

fn log(call: &Call<'_>) -> Done {
    let count = call.arguments.count("n").unwrap_or(1);
    let level = quote(&call.arguments.text("level").unwrap_or_else(|| "info".to_owned()));
    for number in (1..=count).filter(|_| call.wants_log) {
        call.out.message(format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":{level},"logger":"fake","data":"entry {number}"}}}}"#
        ));
    }
    text(&format!("{count} entries"))
}

#[expect(clippy::disallowed_methods, reason = "a test asks where this process runs")]
fn args(_: &Call<'_>) -> Done {
    let arguments: Vec<String> = std::env::args().skip(1).map(|word| quote(&word)).collect();
    let folder = std::env::current_dir().unwrap_or_default();
    let report =
        format!(r#"{{"args":[{}],"cwd":{}}}"#, arguments.join(","), quote(&folder.to_string_lossy()));
    Done::Result(format!(r#""content":[{}],"structuredContent":{report}"#, text_block(&report)))
}
