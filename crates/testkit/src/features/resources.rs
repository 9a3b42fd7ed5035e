//! Resources of every kind: text, blob, several contents, none, and templates with more than one part.

use crate::base::{Answer, Base, Feature, PNG};
use crate::json::quote;
use crate::message::Message;
use crate::out::Out;

/// What `resources/read` gives beyond the plain server's two.
pub(super) struct Resources;

impl Resources {
    pub(super) fn new(base: &mut Base) -> Resources {
        base.catalogue.resources.extend(LISTED.map(str::to_owned));
        base.catalogue.templates.extend(TEMPLATES.map(str::to_owned));
        Resources
    }
}

const LISTED: [&str; 5] = [
    r#"{"uri":"multi://pair","name":"pair","title":"Two in one","description":"A text and a picture"}"#,
    r#"{"uri":"file:///notes/read%20me.md","name":"read me.md","title":"Read me","description":"With every member","mimeType":"text/markdown","size":14,"annotations":{"audience":["user","assistant"],"priority":0.8,"lastModified":"2026-01-02T03:04:05Z"},"_meta":{"com.example/kept":true}}"#,
    r#"{"uri":"text://empty","name":"empty"}"#,
    r#"{"uri":"gone://listed","name":"listed","description":"Listed, and cannot be read"}"#,
    r#"{"uri":"text://unicode/ﬀ%2F漢字","name":"naïve — 漢字 🐋","mimeType":"text/plain; charset=utf-8"}"#,
];

const TEMPLATES: [&str; 2] = [
    r#"{"uriTemplate":"note://{folder}/{file}","name":"note","title":"A note","description":"Two parts, both completed","mimeType":"text/markdown"}"#,
    r#"{"uriTemplate":"search://{+path}{?query,limit}","name":"search"}"#,
];

impl Feature for Resources {
    fn answer(&mut self, message: &Message, base: &mut Base, _: &Out) -> Option<Answer> {
        if !message.is_method("resources/read") {
            return None;
        }
        let uri = message.param_text("uri")?;
        let contents = match uri.as_str() {
            "multi://pair" => format!(
                r#"{},{{"uri":"multi://pair/picture","mimeType":"image/png","blob":"{PNG}"}}"#,
                text("multi://pair/text", "text/plain", "the first")
            ),
            "text://empty" => text(&uri, "text/plain", ""),
            "file:///notes/read%20me.md" => text(&uri, "text/markdown", "# Read me\n\nyes"),
            other if other.starts_with("note://") || other.starts_with("search://") => {
                text(other, "text/markdown", &format!("what stands at {other}"))
            }
            _ => return None,
        };
        Some(Answer::Now(base.cached_result(message, &format!(r#""contents":[{contents}]"#))))
    }
}

fn text(uri: &str, kind: &str, text: &str) -> String {
    format!(r#"{{"uri":{},"mimeType":"{kind}","text":{}}}"#, quote(uri), quote(text))
}
