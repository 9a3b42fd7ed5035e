//! The three kinds of lists, and how each is asked for.

use std::collections::HashSet;

use codewhale_mcp_client::{CallError, Client, Listed};
use codewhale_mcp_protocol::{Prompt, Resource, ResourceTemplate, ServerCapabilities, method};
use codewhale_mcp_redact::safe_line;
use serde::Serialize;

/// What is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Kind {
    Resources,
    Templates,
    Prompts,
}

/// A list, under its name.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::commands) enum Items {
    Resources(Vec<Resource>),
    Templates(Vec<ResourceTemplate>),
    Prompts(Vec<Prompt>),
}

impl Kind {
    /// What people call it.
    pub(in crate::commands) const fn as_str(self) -> &'static str {
        match self {
            Self::Resources => "resources",
            Self::Templates => "templates",
            Self::Prompts => "prompts",
        }
    }

    /// So many of them.
    pub(in crate::commands) fn counted(self, count: usize) -> String {
        let many = self.as_str();
        match count {
            1 => format!("1 {}", many.trim_end_matches('s')),
            _ => format!("{count} {many}"),
        }
    }

    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Resources => method::RESOURCES_LIST,
            Self::Templates => method::RESOURCES_TEMPLATES_LIST,
            Self::Prompts => method::PROMPTS_LIST,
        }
    }

    /// Whether a server says that it has such things.
    pub(super) fn is_in(self, capabilities: &ServerCapabilities) -> bool {
        match self {
            // There is no capability of their own.
            Self::Resources | Self::Templates => capabilities.resources.is_some(),
            Self::Prompts => capabilities.prompts.is_some(),
        }
    }

    pub(super) const fn none(self) -> Items {
        match self {
            Self::Resources => Items::Resources(Vec::new()),
            Self::Templates => Items::Templates(Vec::new()),
            Self::Prompts => Items::Prompts(Vec::new()),
        }
    }

    /// The whole list, each item once, and what is odd about it.
    pub(super) async fn fetch(self, client: &Client) -> Result<(Items, Vec<String>), CallError> {
        Ok(match self {
            Self::Resources => {
                let (items, odd) = once(client.list_resources().await?, |resource| &resource.uri);
                (Items::Resources(items), odd)
            }
            Self::Templates => {
                let (items, odd) =
                    once(client.list_resource_templates().await?, |template| &template.uri_template);
                (Items::Templates(items), odd)
            }
            Self::Prompts => {
                let (items, odd) = once(client.list_prompts().await?, |prompt| &prompt.name);
                (Items::Prompts(items), odd)
            }
        })
    }
}

impl Items {
    pub(in crate::commands) const fn len(&self) -> usize {
        match self {
            Self::Resources(items) => items.len(),
            Self::Templates(items) => items.len(),
            Self::Prompts(items) => items.len(),
        }
    }
}

/// Of items with one name the first counts.
fn once<T>(listed: Listed<T>, name: impl Fn(&T) -> &String) -> (Vec<T>, Vec<String>) {
    let mut odd: Vec<String> = listed.warning.iter().map(ToString::to_string).collect();
    let mut seen = HashSet::new();
    let mut items = listed.items;
    items.retain(|item| {
        let is_new = seen.insert(name(item).clone());
        if !is_new {
            odd.push(format!("`{}` is listed more than once", safe_line(name(item))));
        }
        is_new
    });
    (items, odd)
}
