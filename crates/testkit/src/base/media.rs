//! The smallest image, sound and document there are, in base64, and the blocks that carry them.

/// A PNG of one pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A WAV file without a sample.
pub(crate) const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
/// The first bytes of a PDF file.
pub(crate) const PDF: &str = "JVBERi0xLjQKJSVFT0YK";

/// An image and nothing else.
pub(super) fn image() -> String {
    format!(r#""content":[{{"type":"image","data":"{PNG}","mimeType":"image/png"}}]"#)
}

pub(super) fn audio() -> String {
    format!(r#""content":[{{"type":"audio","data":"{WAV}","mimeType":"audio/wav"}}]"#)
}

/// A text, an embedded text and an embedded document.
pub(super) fn blob() -> String {
    let text = r#"{"type":"text","text":"two resources"}"#;
    let embedded =
        r#"{"type":"resource","resource":{"uri":"text://note","mimeType":"text/plain","text":"a note"}}"#;
    let document = format!(
        r#"{{"type":"resource","resource":{{"uri":"blob://paper","mimeType":"application/pdf","blob":"{PDF}"}}}}"#
    );
    format!(r#""content":[{text},{embedded},{document}]"#)
}

pub(super) fn link() -> String {
    r#""content":[{"type":"resource_link","uri":"text://greeting","name":"greeting","description":"A greeting","mimeType":"text/plain","size":5}]"#
        .to_owned()
}
