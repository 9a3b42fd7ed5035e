//! What the server offers: raw JSON definitions of tools, resources, templates and prompts.

use super::{media, tools};
use crate::json::quote;

/// Four lists of raw JSON objects, in the order they are sent.
#[derive(Default)]
pub(crate) struct Catalogue {
    pub(crate) tools: Vec<String>,
    pub(crate) resources: Vec<String>,
    pub(crate) templates: Vec<String>,
    pub(crate) prompts: Vec<String>,
    /// Tools that older revisions do not have, and the revision they came with.
    since: Vec<(String, &'static str)>,
}

impl Catalogue {
    pub(crate) fn standard() -> Catalogue {
        Catalogue {
            tools: tools::definitions(),
            resources: vec![
                r#"{"uri":"text://greeting","name":"greeting","mimeType":"text/plain"}"#.to_owned(),
                r#"{"uri":"blob://dot","name":"dot","mimeType":"image/png"}"#.to_owned(),
            ],
            templates: vec![
                r#"{"uriTemplate":"text://{name}","name":"text","mimeType":"text/plain"}"#.to_owned(),
            ],
            prompts: vec![
                r#"{"name":"greet","description":"A greeting","arguments":[{"name":"name","description":"whom","required":false}]}"#
                    .to_owned(),
            ],
            since: vec![],
        }
    }

    /// The same server with nothing to offer.
    pub(crate) fn empty() -> Catalogue {
        Catalogue::default()
    }

    /// Adds a tool that came with a revision; `rest` is its definition after the name.
    pub(crate) fn add_tool(&mut self, name: &str, since: &'static str, rest: &str) {
        let definition = format!(r#"{{"name":{},{rest}}}"#, quote(name));
        self.since.push((definition.clone(), since));
        self.tools.push(definition);
    }

    /// Leaves out what came after a revision.
    pub(super) fn at_revision(&mut self, revision: &str) {
        let newer =
            |tool: &String| self.since.iter().any(|(known, since)| known == tool && *since > revision);
        self.tools.retain(|tool| !newer(tool));
    }

    /// Adds numbered entries until each list holds `count`.
    pub(crate) fn fill(&mut self, count: usize) {
        for number in self.tools.len()..count {
            self.tools.push(numbered_tool(number));
        }
        for number in self.resources.len()..count {
            self.resources.push(format!(r#"{{"uri":"text://item_{number}","name":"item_{number}"}}"#));
        }
        for number in self.templates.len()..count {
            self.templates
                .push(format!(r#"{{"uriTemplate":"item_{number}://{{x}}","name":"item_{number}"}}"#));
        }
        for number in self.prompts.len()..count {
            self.prompts.push(format!(r#"{{"name":"item_{number}"}}"#));
        }
    }

    /// Adds one tool that was not there.
    pub(crate) fn grow(&mut self) {
        self.tools.push(numbered_tool(self.tools.len()));
    }

    /// The list that `method` asks for, and the member of the result that holds it.
    pub(super) fn list(&self, method: &str) -> Option<(&'static str, &[String])> {
        match method {
            "tools/list" => Some(("tools", &self.tools)),
            "resources/list" => Some(("resources", &self.resources)),
            "resources/templates/list" => Some(("resourceTemplates", &self.templates)),
            "prompts/list" => Some(("prompts", &self.prompts)),
            _ => None,
        }
    }

    pub(crate) fn has_tool(&self, name: &str) -> bool {
        named(&self.tools, name)
    }

    pub(super) fn has_prompt(&self, name: &str) -> bool {
        named(&self.prompts, name)
    }

    /// The contents of one resource.
    pub(super) fn read(&self, uri: &str) -> Option<String> {
        if uri == "blob://dot" {
            let png = media::PNG;
            return Some(format!(r#"{{"uri":"blob://dot","mimeType":"image/png","blob":"{png}"}}"#));
        }
        let name = uri.strip_prefix("text://").filter(|_| !self.resources.is_empty())?;
        let text = if name == "greeting" { "hello" } else { name };
        let (uri, text) = (quote(uri), quote(text));
        Some(format!(r#"{{"uri":{uri},"mimeType":"text/plain","text":{text}}}"#))
    }
}

fn numbered_tool(number: usize) -> String {
    format!(
        r#"{{"name":"item_{number}","description":"Tool number {number}","inputSchema":{{"type":"object","properties":{{"text":{{"type":"string"}}}}}}}}"#
    )
}

fn named(definitions: &[String], name: &str) -> bool {
    let member = format!(r#""name":{}"#, quote(name));
    definitions.iter().any(|definition| definition.contains(&member))
}
