//! The bytes that are sent.

use crate::arguments::Arguments;

pub(super) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"floor","version":"1"}}}
"#;

pub(super) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// The first id; the next 900,000 have as many digits.
const IDS: usize = 100_000;

/// The call with a number, with its line end; all are of one length.
pub(super) fn call(arguments: &Arguments, number: usize) -> Vec<u8> {
    let text = arguments.echo.written(arguments.size);
    let id = IDS + number;
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"{text}"}}}}}}"#
    )
    .into_bytes()
    .into_iter()
    .chain([b'\n'])
    .collect()
}

/// A request for a page of the list, with its line end.
pub(super) fn list(cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| format!(r#""cursor":"{cursor}""#)).unwrap_or_default();
    format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{{{cursor}}}}}\n")
}
