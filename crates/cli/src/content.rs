//! A tool's answer on a terminal: text as it is, everything else described.

use codewhale_mcp_protocol::{CallToolResult, Content, ContentKind};

use crate::printer::Printer;

pub(crate) fn show(result: &CallToolResult, printer: &mut Printer<'_>) {
    for block in &result.content {
        printer.data(&describe(block));
    }
    let has_text = result.content.iter().any(|block| matches!(block.view(), ContentKind::Text(_)));
    if let Some(structured) = result.structured_content.as_ref().filter(|_| !has_text) {
        printer.data(structured.as_str());
    }
}

fn describe(block: &Content) -> String {
    match block.view() {
        ContentKind::Text(text) => text.to_owned(),
        ContentKind::Image { data, mime_type } => format!("[image {mime_type}, {} bytes]", bytes(data)),
        ContentKind::Audio { data, mime_type } => format!("[audio {mime_type}, {} bytes]", bytes(data)),
        ContentKind::ResourceLink { uri, name } => format!("[resource {} {uri}]", name.unwrap_or_default()),
        ContentKind::Resource(resource) => match (&resource.text, &resource.blob) {
            (Some(text), _) => format!("[resource {}]\n{text}", resource.uri),
            (None, Some(blob)) => {
                let kind = resource.mime_type.as_deref().unwrap_or("of unknown type");
                format!("[resource {} {kind}, {} bytes]", resource.uri, bytes(blob))
            }
            (None, None) => format!("[resource {}]", resource.uri),
        },
        ContentKind::Unknown(kind) => format!("[content of kind {kind:?}, shown by --json]"),
        _ => "[content of a kind that this program does not show, shown by --json]".to_owned(),
    }
}

/// How many bytes a base64 text stands for.
fn bytes(base64: &str) -> usize {
    let padding = base64.bytes().rev().take_while(|byte| *byte == b'=').count();
    (base64.len() / 4 * 3).saturating_sub(padding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_content_is_described_and_never_printed() {
        let block = |text: &str| describe(&serde_json::from_str::<Content>(text).unwrap());
        assert_eq!(
            block(r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#),
            "[image image/png, 3 bytes]"
        );
        assert_eq!(
            block(r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#),
            "[audio audio/wav, 1 bytes]"
        );
        assert_eq!(
            block(r#"{"type":"resource","resource":{"uri":"u:1","blob":"AAA=","mimeType":"x/y"}}"#),
            "[resource u:1 x/y, 2 bytes]"
        );
        assert_eq!(block(r#"{"type":"new","data":"AAAA"}"#), "[content of kind \"new\", shown by --json]");
    }
}
