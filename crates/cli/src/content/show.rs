//! A result block by block, in the order they came.

use codewhale_mcp_protocol::{CallToolResult, Content, ContentKind, ResourceContents};
use codewhale_mcp_redact::safe_url;

use super::cut;
use super::save::{NotSaved, Saver};
use crate::failure::Failure;
use crate::print::{Line, Printer, bytes};

/// How much of a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Whole,
    /// At most so many bytes of each text.
    AtMost(usize),
}

/// Prints a result. `structuredContent` is printed where there is no text beside it, since it says the same.
pub(crate) fn show(
    result: &CallToolResult,
    length: Length,
    saver: &mut Saver,
    printer: &Printer,
) -> Result<(), Failure> {
    for content in &result.content {
        block(content, length, saver, printer)?;
    }
    let has_text = result.content.iter().any(|content| matches!(content.view(), ContentKind::Text(_)));
    match &result.structured_content {
        Some(structured) if !has_text => text(structured.as_str(), length, printer)?,
        None if result.content.is_empty() => printer.note("the tool answered with nothing"),
        _ => {}
    }
    Ok(())
}

fn block(content: &Content, length: Length, saver: &mut Saver, printer: &Printer) -> Result<(), Failure> {
    match content.view() {
        ContentKind::Text(words) => text(words, length, printer),
        ContentKind::Image { data, mime_type } => file("image", mime_type, data, None, saver, printer),
        ContentKind::Audio { data, mime_type } => file("audio", mime_type, data, None, saver, printer),
        ContentKind::Resource(resource) => self::resource(resource, length, saver, printer),
        ContentKind::ResourceLink { uri, name } => {
            let title = content.more.as_ref().and_then(|more| more.title.as_deref());
            let name = title.or(name).map(|name| format!(" {name}")).unwrap_or_default();
            let kind = content.mime_type.as_deref().map(|kind| format!(" ({kind})")).unwrap_or_default();
            Ok(printer
                .line(Line::new().dim("resource link:").plain(format!("{name} {}{kind}", safe_url(uri))))?)
        }
        ContentKind::Unknown(kind) => {
            let size = serde_json::to_string(content).map_or(0, |text| text.len() as u64);
            let what = format!(" of the kind `{kind}`, {}; --json shows it", bytes(size));
            Ok(printer.line(Line::new().dim("content").plain(what))?)
        }
        _ => Ok(printer.line(Line::new().dim("content of an unknown kind; --json shows it"))?),
    }
}

fn resource(
    resource: &ResourceContents,
    length: Length,
    saver: &mut Saver,
    printer: &Printer,
) -> Result<(), Failure> {
    let kind = resource.mime_type.as_deref().unwrap_or_default();
    if let Some(blob) = &resource.blob {
        return file("resource", kind, blob, Some(&resource.uri), saver, printer);
    }
    let kind = if kind.is_empty() { String::new() } else { format!(" ({kind})") };
    printer.line(Line::new().dim("resource:").plain(format!(" {}{kind}", safe_url(&resource.uri))))?;
    match &resource.text {
        Some(words) => text(words, length, printer),
        None => Ok(()),
    }
}

fn text(words: &str, length: Length, printer: &Printer) -> Result<(), Failure> {
    let limit = match length {
        Length::Whole => usize::MAX,
        Length::AtMost(limit) => limit,
    };
    let (start, left) = cut(words, limit);
    printer.text(start)?;
    if left > 0 {
        printer.flush()?;
        let all = words.len();
        printer.talk(Line::from(format!("truncated, {all} bytes in all; --full shows everything")));
    }
    Ok(())
}

fn file(
    what: &str,
    mime_type: &str,
    data: &str,
    uri: Option<&str>,
    saver: &mut Saver,
    printer: &Printer,
) -> Result<(), Failure> {
    let kind = if mime_type.is_empty() { "no media type" } else { mime_type };
    let uri = uri.map(|uri| format!(" {}", safe_url(uri))).unwrap_or_default();
    let label = Line::new().dim(format!("{what}:"));
    match saver.save(data, mime_type) {
        Ok((path, size)) => {
            let told = format!("{uri} {kind}, {}, saved to {}", bytes(size), path.display());
            Ok(printer.line(label.plain(told))?)
        }
        Err(NotSaved::NotBase64) => {
            let told =
                format!("{uri} {kind}, {} that are not base64; --json shows them", bytes(data.len() as u64));
            Ok(printer.line(label.plain(told))?)
        }
        Err(NotSaved::Failed(failure)) => Err(failure),
    }
}
