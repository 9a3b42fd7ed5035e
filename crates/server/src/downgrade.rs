//! What a result loses for a client of an earlier revision, so that the client can read the rest.

use codewhale_mcp_protocol::{
    CallToolResult, Content, ContentKind, ContentType, GetPromptResult, Json, ListToolsResult, Revision, Tool,
};

/// What a tool answered: sound is there from 2025-03-26 on, links and `structuredContent`, an object until the modern
/// era, from 2025-06-18 on.
pub(crate) fn call_tool(result: CallToolResult, revision: Revision) -> CallToolResult {
    let structured = result
        .structured_content
        .filter(|content| revision >= Revision::V2025_06_18 && content.as_str().starts_with('{'));
    CallToolResult {
        result_type: None,
        content: result.content.into_iter().map(|block| content(block, revision)).collect(),
        structured_content: structured,
        ..result
    }
}

/// A prompt filled in.
pub(crate) fn get_prompt(mut result: GetPromptResult, revision: Revision) -> GetPromptResult {
    for message in &mut result.messages {
        message.content = content(std::mem::take(&mut message.content), revision);
    }
    result
}

/// Tools: annotations are there from 2025-03-26 on, output schemas, of objects until the modern era, from 2025-06-18 on.
pub(crate) fn list_tools(mut result: ListToolsResult, revision: Revision) -> ListToolsResult {
    result.tools.iter_mut().for_each(|one| tool(one, revision));
    result
}

fn tool(tool: &mut Tool, revision: Revision) {
    if revision < Revision::V2025_03_26 {
        tool.annotations = None;
    }
    if revision < Revision::V2025_06_18 {
        tool.title = None;
    }
    if let Some(more) = &mut tool.more {
        let of_object =
            |schema: &Json| schema.member("type").is_some_and(|kind| kind.as_str() == "\"object\"");
        if revision < Revision::V2025_06_18 || !more.output_schema.as_ref().is_some_and(of_object) {
            more.output_schema = None;
        }
        if revision < Revision::V2025_11_25 {
            more.icons = None;
            more.execution = None;
        }
    }
}

fn content(block: Content, revision: Revision) -> Content {
    match block.kind {
        ContentType::Audio if revision < Revision::V2025_03_26 => {
            let kind = block.mime_type.as_deref().unwrap_or("audio");
            Content { annotations: block.annotations, ..Content::text(format!("[sound: {kind}]")) }
        }
        ContentType::ResourceLink if revision < Revision::V2025_06_18 => {
            let text = match block.view() {
                ContentKind::ResourceLink { uri, name: Some(name) } => format!("{name}: {uri}"),
                ContentKind::ResourceLink { uri, name: None } => uri.to_owned(),
                _ => return block,
            };
            Content { annotations: block.annotations, ..Content::text(text) }
        }
        _ => block,
    }
}
