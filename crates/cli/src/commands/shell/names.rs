//! Names that a word on the command line could become. Nothing is started and nothing is said but names.

use std::ffi::OsString;

use clap::{Arg, Command};
use codewhale_mcp_client::{Expected, expected_arguments};
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::KnownServers;
use codewhale_mcp_protocol::Tool;

use crate::args::{Cli, command};
use crate::configured::Configured;
use crate::run::Run;

/// The word that makes the program print names: the words of the command line follow, the last one is to be completed.
pub(crate) const NAMES_VERB: &str = "__complete";

/// Prints what the last word could become, one a line; nothing where it is no place for a name.
pub(crate) fn names(run: &mut Run, words: &[OsString]) {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let Some((typed, before)) = words.split_last() else { return };
    if typed.starts_with('-') {
        return;
    }
    let mut root = command();
    root.build();
    let Some(place) = Place::of(&root, before) else { return };
    if let Ok(cli) = Cli::read(&place.neutral(), 80) {
        run.global = cli.global;
    }
    let Ok(configured) = Configured::load(run) else { return };
    for name in place.candidates(&configured) {
        // Who asks reads lines.
        if name.starts_with(typed) && !name.contains(char::is_control) && run.printer.line(&name).is_err() {
            return;
        }
    }
}

/// Where on the command line the word stands.
struct Place {
    verb: String,
    /// What stands before it and is no option.
    before: Vec<String>,
    /// Options that say which configuration counts.
    global: Vec<String>,
}

impl Place {
    /// `None` where no name can stand.
    fn of(root: &Command, words: &[String]) -> Option<Self> {
        let (mut command, mut path) = (root, Vec::new());
        let (mut before, mut global) = (Vec::new(), Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == "--" || matches!(word.split('=').next(), Some("--stdio" | "--url")) {
                return None;
            }
            if word.starts_with('-') && word.len() > 1 {
                let option = option(command, word);
                let wants =
                    option.is_some_and(|option| option.get_action().takes_values()) && !word.contains('=');
                // The word is the value of this option.
                let value = if wants { Some(words.next()?) } else { None };
                if option.is_some_and(|option| option.get_help_heading() == Some("Global options")) {
                    global.extend([word].into_iter().chain(value).cloned());
                }
                continue;
            }
            match command.find_subcommand(word) {
                Some(inner) => {
                    command = inner;
                    path.push(inner.get_name().to_owned());
                }
                None => before.push(word.clone()),
            }
        }
        match path.as_slice() {
            [mcp, verb] if mcp == "mcp" => Some(Self { verb: verb.clone(), before, global }),
            _ => None,
        }
    }

    /// A command line with nothing but what says which configuration counts.
    fn neutral(&self) -> Vec<OsString> {
        let words = ["codewhale", "mcp", "list"].into_iter().map(OsString::from);
        words.chain(self.global.iter().map(OsString::from)).collect()
    }

    fn candidates(&self, configured: &Configured) -> Vec<String> {
        const SERVER: [&str; 18] = [
            "get",
            "remove",
            "enable",
            "disable",
            "validate",
            "connect",
            "tools",
            "call",
            "resources",
            "templates",
            "prompts",
            "read",
            "prompt",
            "complete",
            "subscribe",
            "tasks",
            "login",
            "logout",
        ];
        match self.before.as_slice() {
            [] if SERVER.contains(&self.verb.as_str()) || self.verb == "logs" => {
                configured.merged.servers.iter().map(|server| server.entry.name.clone()).collect()
            }
            [server] if matches!(self.verb.as_str(), "tools" | "call") => {
                tools(configured, server).into_iter().map(|tool| tool.name).collect()
            }
            [server, tool, given @ ..] if self.verb == "call" => {
                let tools = tools(configured, server);
                let Some(tool) = tools.iter().find(|known| known.name == *tool) else { return Vec::new() };
                arguments(&expected_arguments(tool), given)
            }
            _ => Vec::new(),
        }
    }
}

/// The arguments that are not given yet.
fn arguments(expected: &Expected, given: &[String]) -> Vec<String> {
    let is_given = |name: &str| given.iter().any(|word| word.split(['=', ':']).next() == Some(name));
    let names = expected.arguments.iter().map(|argument| argument.name.as_str());
    names.filter(|name| !is_given(name)).map(|name| format!("{name}=")).collect()
}

fn option<'c>(command: &'c Command, word: &str) -> Option<&'c Arg> {
    let name = word.split('=').next().unwrap_or(word);
    command.get_arguments().find(|arg| match name.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long),
        None => arg.get_short() == name.chars().nth(1),
    })
}

/// The tools that a server had when it was last asked.
fn tools(configured: &Configured, name: &str) -> Vec<Tool> {
    let environment = |name: &str| configured.variable(name);
    let workspace = &configured.place.workspace;
    let server: Option<Server> =
        configured.merged.server(name).and_then(|server| server.resolve(&environment, workspace).ok());
    let Some(server) = server else { return Vec::new() };
    let known = KnownServers::new(configured.place.home.folder.join("cache").join("servers"));
    let mut tools = known.known(&server, workspace).list.map(|list| list.tools).unwrap_or_default();
    tools.retain(|tool| server.tools.allows(&tool.name));
    tools
}
