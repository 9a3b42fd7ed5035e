//! Lists of resources, templates and prompts, printed.

use codewhale_mcp_protocol::{Prompt, PromptArgument};
use codewhale_mcp_redact::safe_url;

use super::kind::{Items, Kind};
use super::list::Found;
use crate::commands::listing::{first_line, short};
use crate::print::{Fit, Line, Table, bytes};

/// The longest address or name in a table, in bytes; `--json` has them whole.
const NAME: usize = 500;

/// Every item of every server; `None` where there is none.
pub(super) fn table(kind: Kind, found: &[Found]) -> Option<Table> {
    let mut table = match kind {
        Kind::Resources => Table::new([
            ("SERVER", Fit::Keep),
            ("URI", Fit::Keep),
            ("NAME", Fit::Drop),
            ("TYPE", Fit::Drop),
            ("SIZE", Fit::Drop),
            ("DESCRIPTION", Fit::Cut),
        ]),
        Kind::Templates => Table::new([
            ("SERVER", Fit::Keep),
            ("TEMPLATE", Fit::Keep),
            ("NAME", Fit::Drop),
            ("TYPE", Fit::Drop),
            ("DESCRIPTION", Fit::Cut),
        ]),
        Kind::Prompts => Table::new([
            ("SERVER", Fit::Keep),
            ("PROMPT", Fit::Keep),
            ("ARGUMENTS", Fit::Cut),
            ("DESCRIPTION", Fit::Cut),
        ]),
    };
    for found in found {
        let server = || Line::from(&found.server);
        match &found.items {
            Items::Resources(resources) => {
                for resource in resources {
                    let size = resource.size.as_ref().and_then(|size| size.as_u64());
                    table.row([
                        server(),
                        Line::new().bold(cut(safe_url(&resource.uri))),
                        name(resource.title.as_deref(), &resource.name),
                        text(resource.mime_type.as_deref()),
                        Line::from(size.map(bytes).unwrap_or_else(|| "-".to_owned())),
                        about(resource.description.as_deref()),
                    ]);
                }
            }
            Items::Templates(templates) => {
                for template in templates {
                    table.row([
                        server(),
                        Line::new().bold(cut(safe_url(&template.uri_template))),
                        name(template.title.as_deref(), &template.name),
                        text(template.mime_type.as_deref()),
                        about(template.description.as_deref()),
                    ]);
                }
            }
            Items::Prompts(prompts) => {
                for prompt in prompts {
                    table.row([
                        server(),
                        Line::new().bold(cut(prompt.name.clone())),
                        Line::from(arguments(prompt)),
                        about(prompt.description.as_deref().or(prompt.title.as_deref())),
                    ]);
                }
            }
        }
    }
    found.iter().any(|found| found.items.len() > 0).then_some(table)
}

/// What something is asked for by; whole unless it is longer than any sensible one.
fn cut(mut name: String) -> String {
    if name.len() > NAME {
        name.truncate(name.floor_char_boundary(NAME));
        name.push('…');
    }
    name
}

fn name(title: Option<&str>, name: &str) -> Line {
    text(Some(title.unwrap_or(name)))
}

/// The last column, whose width the table sees to.
fn about(description: Option<&str>) -> Line {
    match description.map(first_line).filter(|text| !text.is_empty()) {
        Some(text) => Line::from(text),
        None => Line::from("-"),
    }
}

fn text(text: Option<&str>) -> Line {
    match text.map(short).filter(|text| !text.is_empty()) {
        Some(text) => Line::from(text),
        None => Line::from("-"),
    }
}

/// The arguments in their order; in brackets what may be left out.
fn arguments(prompt: &Prompt) -> String {
    let one = |argument: &PromptArgument| match argument.required {
        Some(true) => argument.name.clone(),
        _ => format!("[{}]", argument.name),
    };
    let all: Vec<String> = prompt.arguments.iter().flatten().map(one).collect();
    if all.is_empty() { "-".to_owned() } else { short(&all.join(" ")) }
}
