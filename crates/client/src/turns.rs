//! Whether the turns of a conversation with a model fit together (MCP 2025-11-25, client/sampling).

use std::collections::HashSet;

use codewhale_mcp_protocol::{Content, ContentType, SamplingMessage};

/// Whether every tool that a model wanted called has its answer in the next turn, and answers of tools stand alone.
///
/// # Errors
/// What is wrong, in a sentence for the server.
pub(crate) fn fit(messages: &[SamplingMessage]) -> Result<(), &'static str> {
    let mut wanted = HashSet::new();
    for message in messages {
        let blocks = message.content.as_slice();
        let answered: HashSet<_> = of_kind(blocks, &ContentType::ToolResult).map(answered_call).collect();
        if !answered.is_empty() && blocks.iter().any(|block| block.kind != ContentType::ToolResult) {
            return Err("a message mixes the results of tools with other content");
        }
        if answered != wanted {
            return Err("the calls of tools and their results do not belong together");
        }
        wanted = of_kind(blocks, &ContentType::ToolUse).map(call).collect();
    }
    if wanted.is_empty() { Ok(()) } else { Err("a call of a tool has no result") }
}

fn of_kind<'a>(blocks: &'a [Content], kind: &'a ContentType) -> impl Iterator<Item = &'a Content> {
    blocks.iter().filter(move |block| block.kind == *kind)
}

fn call(block: &Content) -> Option<&str> {
    block.more.as_ref()?.id.as_deref()
}

fn answered_call(block: &Content) -> Option<&str> {
    block.more.as_ref()?.tool_use_id.as_deref()
}
