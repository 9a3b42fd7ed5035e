//! A schema as something to check values with.

use std::sync::mpsc;
use std::thread::Builder;
use std::time::Duration;

use codewhale_mcp_protocol::Json;
use codewhale_mcp_redact::safe_line;
use codewhale_mcp_schema::{FaultKind, Schema};
use serde_json::Value;
use thiserror::Error;

/// The largest schema that is compiled, in bytes.
const MAX_SIZE: usize = 1 << 20;
/// The longest that a check may take.
const LIMIT: Duration = Duration::from_secs(2);
/// The stack of a check, in bytes: values and schemas are nested, each at most 128 levels.
const STACK: usize = 32 << 20;
/// The most mismatches that are told.
const MOST: usize = 20;
/// The longest message about a mismatch, in bytes; it may quote the value.
const MESSAGE: usize = 300;

/// A place where a value is not what its schema says.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path}{}{message}", if path.is_empty() { "" } else { ": " })]
pub struct Mismatch {
    /// A JSON pointer to it (RFC 6901), such as `/items/0/name`; empty for the whole value.
    pub path: String,
    /// What is wrong, safe to print.
    pub message: String,
    /// What kind of fault.
    pub kind: MismatchKind,
}

/// What kind of fault a mismatch is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MismatchKind {
    /// An object lacks these members.
    Missing(Vec<String>),
    /// An object has these members, which are not allowed.
    Unknown(Vec<String>),
    /// Something else.
    Other,
}

/// A schema cannot be used to check anything; values are taken as they are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Uncheckable {
    /// It is larger than we compile.
    #[error("the schema is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// It takes too long.
    #[error("the schema takes longer than {} s to check", limit.as_secs_f64())]
    TooSlow {
        /// The limit.
        limit: Duration,
    },
    /// A number of the value is larger than any that we can compare.
    #[error("a number is out of the range that can be checked")]
    OutOfRange,
    /// It is no valid schema, refers to another document, or has a pattern that needs more
    /// than linear time.
    #[error("the schema cannot be used: {reason}")]
    Invalid {
        /// What is wrong, safe to print.
        reason: String,
    },
}

/// Everything that a value does not have as its schema says.
///
/// A schema of a few lines can take for ever: each level of branches doubles the work. So it is done on a thread of its
/// own, which is left to itself when it takes too long.
pub(super) fn mismatches(schema: &Json, value: Value) -> Result<Vec<Mismatch>, Uncheckable> {
    if schema.as_str().len() > MAX_SIZE {
        return Err(Uncheckable::TooLarge { limit: MAX_SIZE });
    }
    let (schema, (sender, result)) = (schema.clone(), mpsc::sync_channel(1));
    let work = move || sender.send(check(&schema, &value));
    let started = Builder::new().name("schema".into()).stack_size(STACK).spawn(work);
    match started {
        Ok(_) => result.recv_timeout(LIMIT).unwrap_or(Err(Uncheckable::TooSlow { limit: LIMIT })),
        Err(error) => Err(Uncheckable::Invalid { reason: error.to_string() }),
    }
}

fn check(schema: &Json, value: &Value) -> Result<Vec<Mismatch>, Uncheckable> {
    let schema = compile(schema)?;
    let mut found: Vec<Mismatch> = Vec::new();
    for fault in schema.faults(value, MOST) {
        let path = printable(&fault.path);
        // Each missing member is an error of its own, and they are told together.
        let lacking = |one: &&mut Mismatch| one.path == path && matches!(one.kind, MismatchKind::Missing(_));
        match fault.kind {
            FaultKind::Missing(name) => match found.iter_mut().find(lacking) {
                Some(Mismatch { kind: MismatchKind::Missing(names), .. }) => names.push(name),
                _ => found.push(Mismatch::new(path, MismatchKind::Missing(vec![name]))),
            },
            FaultKind::Unknown(names) => found.push(Mismatch::new(path, MismatchKind::Unknown(names))),
            FaultKind::Forbidden => found.push(Mismatch::other(path, "is not allowed".to_owned())),
            _ => found.push(Mismatch::other(path, printable(&fault.message))),
        }
    }
    found.iter_mut().for_each(Mismatch::name_members);
    Ok(found)
}

impl Mismatch {
    pub(super) fn other(path: String, message: String) -> Self {
        Self { path, message, kind: MismatchKind::Other }
    }

    fn new(path: String, kind: MismatchKind) -> Self {
        Self { path, message: String::new(), kind }
    }

    fn name_members(&mut self) {
        let (what, names) = match &self.kind {
            MismatchKind::Missing(names) => ("missing", names),
            MismatchKind::Unknown(names) => ("unknown", names),
            MismatchKind::Other => return,
        };
        self.message = printable(&format!("{what}: {}", names.join(", ")));
    }
}

fn compile(schema: &Json) -> Result<Schema, Uncheckable> {
    let invalid = |reason: String| Uncheckable::Invalid { reason: printable(&reason) };
    let schema: Value = schema.decode().map_err(|error| invalid(error.to_string()))?;
    Schema::compile(&schema).map_err(|error| invalid(error.reason))
}

fn printable(text: &str) -> String {
    let cut = text.floor_char_boundary(MESSAGE);
    let more = if cut < text.len() { "…" } else { "" };
    format!("{}{more}", safe_line(&text[..cut]))
}
