//! What the caller wants that is no prompt.

use serde_json::{Value, json};

use super::run::Session;
use crate::approval::Mode;
use crate::wire::{Initialize, Request};

/// The most answers that take their time at once.
const MOST_ANSWERS: usize = 256;

impl Session {
    /// Answers what the caller wants, at once or when it is done.
    pub(super) fn wanted(&mut self, id: String, request: Request) {
        let takes_time = matches!(request, Request::Initialize(_) | Request::McpReconnect { .. });
        let done = match request {
            _ if takes_time && self.answers.len() >= MOST_ANSWERS => {
                Err(format!("{MOST_ANSWERS} requests are being answered, so this one was left out"))
            }
            Request::Initialize(initialize) => return self.initialize(id, initialize),
            Request::Interrupt => {
                // The answer comes before the result.
                self.answer(&id, Ok(json!({})));
                return self.interrupt();
            }
            Request::McpStatus => Ok(self.status()),
            Request::McpMessage { server, message } => match self.host.sdk.say(&server, message) {
                Ok(()) => Ok(json!({})),
                Err(unheard) => Err(format!("server `{server}`: {unheard}")),
            },
            Request::McpReconnect { server } => return self.reconnect(id, server),
            Request::McpToggle { server, enabled } => self.toggle(&server, enabled),
            Request::SetPermissionMode { mode } => match Mode::named(&mode) {
                Some(known) => {
                    self.mode = known;
                    Ok(json!({"mode": mode}))
                }
                None => Err(format!("a permission mode is one of {}, not `{mode}`", Mode::NAMES)),
            },
            Request::SetModel { model } => self.set_model(model),
            Request::Unfit { subtype, why } => Err(format!("`{subtype}` {why}")),
            Request::Unknown { subtype } => Err(format!("`{subtype}` is not known here")),
        };
        self.answer(&id, done);
    }

    fn answer(&self, id: &str, done: Result<Value, String>) {
        let messages = &self.host.messages;
        self.host.outbox.push(match done {
            Ok(response) => messages.done(id, &response),
            Err(error) => messages.refused(id, &error),
        });
    }

    /// The caller introduces itself. Its own servers are there when it is answered, if they come in time: they are in its
    /// process, and so there is no first prompt yet that could wait.
    fn initialize(&mut self, id: String, initialize: Initialize) {
        self.has_approver = true;
        self.system_prompt = initialize.system_prompt.or(self.system_prompt.take());
        self.append_system_prompt = initialize.append_system_prompt.or(self.append_system_prompt.take());
        self.add_sdk_servers(&initialize.servers);
        let servers = self.sdk_servers();
        let model = self.chat.as_ref().ok().map(|chat| chat.model().to_owned());
        let response = json!({
            "commands": [],
            "agents": [],
            "models": model.iter().map(|model| json!({"value": model, "displayName": model})).collect::<Value>(),
            "currentModelId": model,
            "output_style": "default",
            "available_output_styles": ["default"],
            "account": {},
            "session_id": self.host.messages.stamp.session_id,
        });
        let line = self.host.messages.done(&id, &response);
        let (fleet, outbox, patience) = (self.fleet.clone(), self.host.outbox.clone(), self.setup.window);
        self.answers.spawn(async move {
            if !servers.is_empty() {
                fleet.wait(Some(&servers), patience).await;
            }
            outbox.push(line);
        });
    }

    fn status(&self) -> Value {
        let servers: Vec<Value> = self.told_servers().iter().map(|server| server.long()).collect();
        json!({"mcpServers": servers, "mcp_servers": servers})
    }

    /// Connects a server anew by its entry as it is now, and answers when it has settled.
    fn reconnect(&mut self, id: String, server: String) {
        let Some(at) = self.targets.iter().position(|target| target.name == server) else {
            return self.answer(&id, Err(format!("there is no server `{server}`")));
        };
        match (self.setup.reread)(&server) {
            Ok(Some(target)) => self.targets[at] = target,
            // It stands in no file, such as one that the caller brought.
            Ok(None) => {}
            Err(error) => return self.answer(&id, Err(error)),
        }
        self.fleet.reconnect(self.targets[at].clone());
        let (fleet, host, messages) =
            (self.fleet.clone(), self.host.outbox.clone(), self.host.messages.clone());
        self.answers.spawn(async move {
            let names = [server];
            let settled = fleet.wait(Some(&names), crate::helpers::PATIENCE).await;
            let [server] = &names;
            host.push(match settled.first() {
                Some(status) if status.state.is_alive() => {
                    messages.done(&id, &json!({"state": status.state.as_str()}))
                }
                Some(status) => messages.refused(&id, &status.in_words()),
                None => messages.refused(&id, &format!("there is no server `{server}`")),
            });
        });
    }

    fn toggle(&mut self, server: &str, enabled: bool) -> Result<Value, String> {
        let known = match enabled {
            true => self.fleet.enable(server) && self.fleet.connect(server),
            false => self.fleet.disable(server),
        };
        known.then(|| json!({})).ok_or_else(|| format!("there is no server `{server}`"))
    }

    fn set_model(&mut self, model: Option<String>) -> Result<Value, String> {
        let chat = self.chat.as_mut().map_err(|error| error.to_string())?;
        let named = model.or_else(|| self.setup.model.as_ref().ok().map(|model| model.model.clone()));
        if let Some(named) = named {
            *chat = chat.with_model(named);
        }
        Ok(json!({"model": chat.model()}))
    }
}
