//! An answer on its way to a client, and how it is spoilt.

use serde_json::json;
use std::io;

use super::script::{Answer, Fault};
use super::spoken;
use crate::http::wire::Wire;

/// Writes an answer. `wait` returns when the client has left.
pub(super) fn write(answer: &Answer, model: &str, wire: &mut Wire, wait: impl Fn()) -> io::Result<()> {
    if answer.fault == Fault::Deaf {
        wait();
        return wire.hang_up();
    }
    if answer.fault == Fault::Gone {
        return wire.hang_up();
    }
    if answer.status != 200 {
        let error = match &answer.error {
            serde_json::Value::String(text) => json!({"error": {"message": text, "type": "scripted"}}),
            other => other.clone(),
        };
        return one_piece(wire, answer.status, answer.retry_after.as_deref(), &error.to_string());
    }
    if answer.whole {
        let body = match answer.fault {
            Fault::Broken => "{\"choices\": [".to_owned(),
            Fault::Said => json!({"error": {"message": "it went wrong"}}).to_string(),
            _ => spoken::whole(answer, model),
        };
        return one_piece(wire, 200, None, &body);
    }
    wire.write(
        b"HTTP/1.1 200 Fine\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    )?;
    let pieces = match answer.events.is_empty() {
        true => spoken::pieces(answer, model),
        false => answer.events.clone(),
    };
    let midst = pieces.len() / 2;
    for (at, piece) in pieces.iter().enumerate() {
        if at == midst {
            match answer.fault {
                Fault::Stall => {
                    wait();
                    return wire.hang_up();
                }
                Fault::Cut => return wire.hang_up(),
                Fault::End => return wire.last_chunk(),
                Fault::Broken => event(wire, "{\"choices\": [{]}")?,
                Fault::Said => event(wire, &json!({"error": {"message": "it went wrong"}}).to_string())?,
                Fault::None | Fault::Deaf | Fault::Gone => {}
            }
        }
        // Some send such signs of life.
        wire.chunk(b": keep-alive\n\n")?;
        event(wire, piece)?;
    }
    wire.last_chunk()
}

fn event(wire: &mut Wire, data: &str) -> io::Result<()> {
    wire.chunk(format!("data: {data}\n\n").as_bytes())
}

fn one_piece(wire: &mut Wire, status: u16, retry_after: Option<&str>, body: &str) -> io::Result<()> {
    let pause = retry_after.map(|pause| format!("Retry-After: {pause}\r\n")).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\n{pause}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    wire.write(head.as_bytes())?;
    wire.write(body.as_bytes())
}
