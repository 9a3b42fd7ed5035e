//! Speaks to the fake server by hand, to learn how long it takes by itself.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Milliseconds from the start of the server to its end, with a probe, a handshake, a list and a call.
pub(super) fn conversation(fake: &Path) -> Result<f64, String> {
    let begin = Instant::now();
    let mut child = Command::new(fake)
        .arg("plain")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|fault| format!("cannot start {}: {fault}", fake.display()))?;
    let mut input = child.stdin.take().expect("stdin is piped");
    let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
    for (line, is_answered) in LINES {
        input.write_all(format!("{line}\n").as_bytes()).map_err(|fault| fault.to_string())?;
        let mut answer = String::new();
        if *is_answered && output.read_line(&mut answer).map_err(|fault| fault.to_string())? == 0 {
            return Err(format!("the server did not answer {line}"));
        }
    }
    drop(input);
    child.wait().map_err(|fault| fault.to_string())?;
    Ok(begin.elapsed().as_secs_f64() * 1e3)
}

/// What a client says, and whether an answer comes.
const LINES: &[(&str, bool)] = &[
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        true,
    ),
    (
        r#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#,
        true,
    ),
    (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false),
    (r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#, true),
    (
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}"#,
        true,
    ),
];
