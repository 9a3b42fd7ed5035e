//! Which members of `_meta` a caller may add (MCP 2026-07-28, basic/index).

use codewhale_mcp_protocol::meta;

/// Members with a reserved prefix that are the caller's all the same.
const OURS_TO_GIVE: [&str; 2] = [meta::RELATED_TASK, meta::RELATED_TASK_IDS];

/// Whether a caller may add a member with this name: it has the form of one and is not MCP's own.
pub(crate) fn is_callers(name: &str) -> bool {
    let (prefix, rest) = match name.split_once('/') {
        Some((prefix, rest)) => (Some(prefix), rest),
        None => (None, name),
    };
    let is_formed = prefix.is_none_or(|prefix| prefix.split('.').all(is_label)) && is_name(rest);
    let is_reserved = prefix.is_some_and(is_reserved) || name == meta::PROGRESS_TOKEN;
    is_formed && (!is_reserved || OURS_TO_GIVE.contains(&name))
}

/// Begins with a letter, ends with a letter or digit, has hyphens in between at most.
fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Empty, or begins and ends with a letter or digit.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_end = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inner)
}

/// The second label says whose it is.
fn is_reserved(prefix: &str) -> bool {
    prefix.split('.').nth(1).is_some_and(|label| matches!(label, "modelcontextprotocol" | "mcp"))
}
