//! Lists of resources, templates and skills, and reading a resource.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_manager::ServerState;
use codewhale_mcp_protocol::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::run::{admitted, arguments, told};
use super::skills;
use crate::turn::{Context, Outcome, resource_text};

/// How long a server that is not up yet is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
struct Which {
    server: Option<String>,
}

#[derive(Deserialize)]
struct One {
    server: String,
    uri: String,
}

pub(super) async fn list(context: &Context, input: &Json) -> Result<Outcome, String> {
    Ok(told(&each(context, input, List::Resources).await?.told("resources")))
}

pub(super) async fn list_templates(context: &Context, input: &Json) -> Result<Outcome, String> {
    Ok(told(&each(context, input, List::Templates).await?.told("resource_templates")))
}

pub(super) async fn list_skills(context: &Context, input: &Json) -> Result<Outcome, String> {
    Ok(told(&each(context, input, List::Skills).await?.told("skills")))
}

pub(super) async fn read(context: &Context, input: &Json) -> Result<Outcome, String> {
    let One { server, uri } = arguments(input)?;
    admitted(context, &server)?;
    let client = context.fleet.connected(&server, PATIENCE).await.map_err(|error| error.to_string())?;
    let result =
        client.read_resource(&uri).send().await.map_err(|error| format!("server `{server}`: {error}"))?;
    let texts: Vec<String> = result.contents.iter().map(resource_text).collect();
    Ok(Outcome::text(texts.join("\n")))
}

/// Which list.
#[derive(Debug, Clone, Copy)]
enum List {
    Resources,
    Templates,
    Skills,
}

impl List {
    async fn of(self, server: &str, client: &Client) -> Result<Vec<Value>, CallError> {
        match self {
            Self::Resources => {
                let listed = client.list_resources().await?;
                Ok(listed.items.iter().map(|item| of_server(server, item)).collect())
            }
            Self::Templates => {
                let listed = client.list_resource_templates().await?;
                Ok(listed.items.iter().map(|item| of_server(server, item)).collect())
            }
            Self::Skills => {
                let listed = client.list_skills().await?;
                Ok(listed.items.into_iter().map(|skill| skills::listed(server, skill)).collect())
            }
        }
    }

    fn is_offered(self, client: &Client) -> bool {
        match self {
            Self::Resources | Self::Templates => client.server().capabilities.resources.is_some(),
            Self::Skills => client.has_skills(),
        }
    }
}

/// What several servers list.
#[derive(Debug, Default)]
struct Lists {
    items: Vec<Value>,
    errors: Vec<Value>,
}

impl Lists {
    fn told(self, name: &str) -> Value {
        match self.errors.is_empty() {
            true => json!({name: self.items}),
            false => json!({name: self.items, "errors": self.errors}),
        }
    }
}

/// Asks the server that is named, or all that are up. Of those that need a login it is said that they do.
async fn each(context: &Context, input: &Json, list: List) -> Result<Lists, String> {
    let Which { server } = arguments(input)?;
    let mut lists = Lists::default();
    let names = match &server {
        Some(server) => {
            admitted(context, server)?;
            vec![server.clone()]
        }
        None => {
            let mut names = Vec::new();
            for status in context.fleet.statuses() {
                match status.state {
                    _ if !context.policy.scope.admits_server(&status.name) => {}
                    ServerState::NeedsLogin => lists.errors.push(needs_login(&status.name)),
                    state if state.is_alive() => names.push(status.name),
                    _ => {}
                }
            }
            names
        }
    };
    for name in names {
        let client = match context.fleet.connected(&name, PATIENCE).await {
            Ok(client) => client,
            Err(error) => {
                let login = context.fleet.status(&name).is_some_and(|it| it.state == ServerState::NeedsLogin);
                lists.errors.push(match login {
                    true => needs_login(&name),
                    false => json!({"server": name, "error": error.to_string()}),
                });
                continue;
            }
        };
        if !list.is_offered(&client) {
            continue;
        }
        match list.of(&name, &client).await {
            Ok(items) => lists.items.extend(items),
            Err(error) => {
                let error = error.to_string();
                lists.errors.push(json!({"server": name, "error": context.secrets.apply(&error)}));
            }
        }
    }
    Ok(lists)
}

fn needs_login(server: &str) -> Value {
    json!({
        "server": server,
        "error": "authentication_required",
        "hint": format!("the user has to run: codewhale mcp login {server}"),
    })
}

/// An item of a list with its server's name.
fn of_server(server: &str, item: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(item).unwrap_or_default();
    if value.is_object() {
        value["server"] = server.into();
    }
    value
}
