//! Servers as the caller is told of them, and those that it brings.

use std::collections::BTreeSet;
use std::path::Path;

use codewhale_mcp_config::{McpFile, Merged, Scope, Server, Source, Transport};
use codewhale_mcp_manager::{ServerState, ServerStatus, Target, ToolScope};
use serde_json::{Map, Value, json};

use super::run::Session;
use crate::approval::ours;
use crate::turn::{Context, Policy, system};
use crate::wire::ToldServer;

impl Session {
    /// Starts the servers that live with the caller.
    pub(super) fn start_sdk_servers(&self) {
        for target in self.targets.iter().filter(|target| is_sdk(target)) {
            if self.fleet.status(&target.name).is_some_and(|it| it.state == ServerState::Configured) {
                self.fleet.connect(&target.name);
            }
        }
    }

    /// Takes up servers that the caller names, and starts them. A name that is there already stays what it is.
    pub(super) fn add_sdk_servers(&mut self, names: &[String]) {
        let known = |name: &String| self.targets.iter().any(|target| target.name == *name);
        let new: Vec<Target> =
            names.iter().filter(|name| !known(name)).map(|name| sdk_target(name)).collect();
        for target in new {
            if self.fleet.add(target.clone()) {
                self.targets.push(target);
            }
        }
        self.start_sdk_servers();
    }

    /// The names of those servers.
    pub(super) fn sdk_servers(&self) -> Vec<String> {
        self.targets.iter().filter(|target| is_sdk(target)).map(|target| target.name.clone()).collect()
    }

    pub(super) fn told_servers(&self) -> Vec<ToldServer> {
        self.fleet.statuses().iter().map(|status| self.told_server(status)).collect()
    }

    fn told_server(&self, status: &ServerStatus) -> ToldServer {
        let server = self.definition(&status.name);
        let tools = self.fleet.tools();
        let tool = |offered: &codewhale_mcp_manager::OfferedTool| {
            let tool = offered.tool();
            let hints = tool.annotations.as_ref();
            let mut annotations = Map::new();
            let mut hint = |name: &str, hint: Option<bool>| {
                annotations.extend(hint.map(|hint| (name.to_owned(), hint.into())));
            };
            hint("readOnly", hints.and_then(|hints| hints.read_only_hint));
            hint("destructive", hints.and_then(|hints| hints.destructive_hint));
            hint("openWorld", hints.and_then(|hints| hints.open_world_hint));
            json!({
                "name": offered.name,
                "rawName": tool.name,
                "description": tool.description,
                "annotations": annotations,
            })
        };
        let own = tools.said().filter(|offered| offered.id.server == status.name);
        ToldServer {
            name: status.name.clone(),
            status: word(status.state),
            state: status.state.as_str().to_owned(),
            error: status.trouble.as_ref().map(ToString::to_string),
            info: self.info(&status.name),
            scope: status.scope.map(|scope| scope.as_str().to_owned()).unwrap_or_default(),
            transport: server.map(|server| server.transport.as_str()).unwrap_or_default(),
            tools: own.map(tool).collect::<Vec<Value>>(),
        }
    }

    /// What a server says of itself.
    fn info(&self, name: &str) -> Option<Value> {
        let client = self.fleet.client(name)?;
        let info = client.server().server_info.as_ref()?;
        Some(json!({"name": info.name, "version": info.version}))
    }

    fn definition(&self, name: &str) -> Option<&Server> {
        self.targets.iter().find(|target| target.name == name)?.server.as_deref().ok()
    }

    /// What a turn works with that begins now.
    pub(super) fn context(&self) -> Context {
        let asked = &self.setup.asked;
        let rules = &self.setup.rules;
        let denied: Vec<String> = ours(&asked.disallowed).into_iter().chain(rules.deny.clone()).collect();
        let auto_approved = self.targets.iter().filter_map(|target| target.server.as_deref().ok());
        let secrets = auto_approved.clone().flat_map(|server| &server.secrets).collect();
        let own: Vec<String> = [&self.system_prompt, &self.append_system_prompt]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .cloned()
            .collect();
        Context {
            chat: self.chat.clone(),
            fleet: self.fleet.clone(),
            caller: self.host.caller.clone(),
            out: self.out.clone(),
            messages: self.host.messages.clone(),
            policy: Policy {
                mode: self.mode,
                scope: ToolScope::all().without(denied.clone()),
                denied,
                allowed: ours(&asked.allowed).into_iter().chain(rules.allow.clone()).collect(),
                asked: rules.ask.clone(),
                auto_approved: auto_approved
                    .map(|server| (server.name.clone(), server.auto_approve.clone()))
                    .collect(),
                has_approver: self.has_approver,
            },
            granted: self.granted.clone(),
            inline: self.inline(),
            system: system(&own.join("\n\n"), &self.fleet),
            secrets,
            partial: asked.partial,
            max_turns: asked.max_turns,
            spill: self.spill.clone(),
            backoff: self.setup.backoff,
            talk: self.setup.talk.clone(),
            asking: self.asking.clone(),
        }
    }

    /// Servers whose tools the model is offered from the start: those that the first prompt waits for, those that the
    /// settings or the command line name, and the caller's own unless they are said to be deferred.
    fn inline(&self) -> BTreeSet<String> {
        let named = self.setup.always_load.iter().chain(&self.setup.asked.allowed).cloned();
        let named = ToolScope::only(named.collect::<Vec<_>>());
        let inline = |target: &&Target| match &target.server {
            Ok(server) => {
                server.is_eager()
                    || named.asks_for(&server.name)
                    || server.transport == Transport::Sdk && server.defer_loading != Some(true)
            }
            Err(_) => false,
        };
        self.targets.iter().filter(inline).map(|target| target.name.clone()).collect()
    }

    pub(super) fn scope_of(&self, names: &[String]) -> ToolScope {
        ToolScope::only(ours(names))
    }
}

/// Our states in the words that callers know.
fn word(state: ServerState) -> &'static str {
    match state {
        ServerState::Ready | ServerState::Degraded => "connected",
        ServerState::Disabled => "disabled",
        ServerState::Configured | ServerState::Connecting => "pending",
        ServerState::NeedsLogin => "needs-auth",
        _ => "failed",
    }
}

fn is_sdk(target: &Target) -> bool {
    target.server.as_ref().is_ok_and(|server| server.transport == Transport::Sdk)
}

/// A server that lives with the caller and of which only the name is known.
fn sdk_target(name: &str) -> Target {
    let text = json!({"mcpServers": {name: {"type": "sdk"}}}).to_string();
    let failed = |problems: &[codewhale_mcp_config::Problem]| {
        Target::failed(name, codewhale_mcp_manager::Failure::config(problems))
    };
    let Ok(file) = McpFile::parse(&text, &Source::label("initialize", Scope::Flag)) else {
        return failed(&[]);
    };
    let merged = Merged::new(vec![file]);
    let Some(server) = merged.server(name) else { return failed(&[]) };
    match server.resolve(&|_: &str| None, Path::new("")) {
        Ok(server) => server.into(),
        Err(problems) => failed(&problems),
    }
}
