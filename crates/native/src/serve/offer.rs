//! What a server offers, and its end.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::Arc;

use codewhale_mcp_process::Guard;
use codewhale_mcp_server::{BuildError, Server};

use super::Permit;
use super::tools::{self, Place};
use super::work::Work;
use crate::{Shell, Workspace};

/// What is served.
#[derive(Debug)]
pub struct Options {
    /// The folder that is served.
    pub workspace: Workspace,
    /// The tools that the operator allows beside those that only read.
    pub allow: BTreeSet<Permit>,
    /// The environment of commands: see [`environment`](crate::environment).
    pub environment: Vec<(OsString, OsString)>,
    /// Who ends commands if this program is killed.
    pub guard: Guard,
    /// The version that the server says it has.
    pub version: String,
}

/// A server with our tools, and the commands that it runs.
#[derive(Debug)]
pub struct Native {
    /// The server, to be served by any transport.
    pub server: Server,
    shell: Shell,
}

impl Native {
    /// Ends everything: no command is left, nor the guard. What serves the server has to be over or dropped.
    pub async fn end(&self) {
        self.server.end();
        self.shell.end().await;
    }
}

/// A server with our tools: those that only read, and those that are allowed.
///
/// # Errors
/// Never for a reason outside of this crate.
pub fn server(options: Options) -> Result<Native, BuildError> {
    let root = options.workspace.root().display().to_string();
    let shell = Shell::new(options.environment, options.guard);
    let place = Place { workspace: Arc::new(options.workspace), work: Work::default(), shell: shell.clone() };
    let mut builder = Server::builder("codewhale", options.version)
        .title("codewhale: files and commands of a workspace")
        .instructions(instructions(&root, &options.allow));
    for tool in tools::reading(&place) {
        builder = builder.tool(tool);
    }
    for permit in Permit::ALL {
        builder = match options.allow.contains(&permit) {
            true => builder.tool(tools::permitted(permit, &place)),
            false => builder.withheld_tool(permit.name(), withheld(permit)),
        };
    }
    Ok(Native { server: builder.build()?, shell })
}

/// What a model is told of all tools together.
fn instructions(root: &str, allow: &BTreeSet<Permit>) -> String {
    let changes = match allow.is_empty() {
        true => "Nothing can be changed here.".to_owned(),
        false => {
            let names: Vec<_> = allow.iter().map(|permit| format!("`{permit}`")).collect();
            format!("Changes are made by {}.", names.join(", "))
        }
    };
    format!(
        "Works on files in {root}, the workspace. Paths are relative to it; nothing outside of it can be reached. \
         `search_text` and `find_files` leave out what .gitignore leaves out. Long answers come in pages: where there \
         is a `next_offset`, the same call with that `offset` goes on. {changes}"
    )
}

/// What a call of a tool that is not allowed is told.
fn withheld(permit: Permit) -> String {
    format!(
        "the operator has not allowed `{permit}`: it needs `allow = [\"{permit}\"]` below [mcp_server] in the user's \
         config.toml, or `codewhale serve --mcp --allow {permit}`"
    )
}
