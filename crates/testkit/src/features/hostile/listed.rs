//! Definitions whose every text is hostile.

use super::text::spoilt;
use crate::base::{Base, Catalogue};

/// Tools with plain names beside the one whose name is hostile.
const TOOLS: [&str; 7] = [
    "hostile_result",
    "hostile_error",
    "hostile_log",
    "hostile_progress",
    "hostile_ask",
    "hostile_url",
    "hostile_sampling",
];

/// Fills the lists and names the server.
pub(super) fn fill(base: &mut Base) {
    let (title, about) = (spoilt("title"), spoilt("description"));
    base.info = format!(
        r#"{{"name":{},"version":{},"title":{title},"description":{about},"websiteUrl":{}}}"#,
        spoilt("name"),
        spoilt("1.0"),
        spoilt("https://fake.example/")
    );
    base.instructions.get_or_insert_with(|| format!("instructions {}", super::text::TEXT));
    let schema = format!(
        r#"{{"type":"object","properties":{{"text":{{"type":"string","title":{title},"description":{about}}}}}}}"#
    );
    let mut catalogue = Catalogue::default();
    let echo = base.catalogue.tools.iter().find(|tool| tool.contains(r#""name":"echo""#));
    catalogue.tools.extend(echo.cloned());
    let rest = format!(
        r#""title":{title},"description":{about},"inputSchema":{schema},"annotations":{{"title":{title},"readOnlyHint":true}}"#
    );
    for tool in TOOLS {
        catalogue.add_tool(tool, "", &rest);
    }
    catalogue.add_tool("hostile\u{1b}[2J\u{9b}31m\r\ntool", "", &rest);
    catalogue.resources = vec![
        format!(
            r#"{{"uri":"hostile://text","name":{},"title":{title},"description":{about},"mimeType":{}}}"#,
            spoilt("name"),
            spoilt("text/plain")
        ),
        format!(r#"{{"uri":{},"name":"uri"}}"#, spoilt("hostile://uri")),
    ];
    catalogue.templates = vec![format!(
        r#"{{"uriTemplate":"hostile://{{part}}","name":{},"title":{title},"description":{about}}}"#,
        spoilt("name")
    )];
    catalogue.prompts = vec![
        format!(
            r#"{{"name":"hostile_prompt","title":{title},"description":{about},"arguments":[{{"name":{},"title":{title},"description":{about}}}]}}"#,
            spoilt("argument")
        ),
        format!(r#"{{"name":{}}}"#, spoilt("prompt")),
    ];
    base.catalogue = catalogue;
}
