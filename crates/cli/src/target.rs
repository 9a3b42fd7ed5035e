//! From a server that was asked for to one that is ready to start.

use std::path::Path;

use codewhale_mcp_config::edit::{Definition, Draft};
use codewhale_mcp_config::{McpFile, Merged, MergedServer, Scope, Server, Source, Transport};

use crate::args::{Asked, BudgetArgs};
use crate::configured::Configured;
use crate::failure::Failure;
use crate::print::Printer;

/// The name of a server that has no configuration.
const NAMELESS: &str = "command-line";

/// A server that is ready to start. Its secrets are not seen any more from now on.
pub(crate) fn ready(
    configured: &Configured,
    asked: &Asked,
    budgets: &BudgetArgs,
    printer: &Printer,
) -> Result<Server, Failure> {
    let ad_hoc;
    let merged = match asked {
        Asked::Name(name) => configured.server(name)?,
        Asked::Stdio(line) => {
            ad_hoc = stdio(line)?;
            &ad_hoc
        }
        Asked::Url(url) => {
            ad_hoc = without_configuration(&Draft { url: Some(url.clone()), ..Draft::default() })?;
            &ad_hoc
        }
    };
    let mut server = resolve(configured, merged)?;
    budgets.apply(&mut server);
    printer.hide(&server.secrets);
    if !server.enabled {
        return Err(Failure::TurnedOff { name: server.name });
    }
    match &server.transport {
        Transport::Stdio(_) => Ok(server),
        other => Err(Failure::NoTransport { kind: other.as_str(), name: server.name }),
    }
}

fn resolve(configured: &Configured, merged: &MergedServer) -> Result<Server, Failure> {
    let environment = |name: &str| configured.variable(name);
    let workspace: &Path = &configured.place.workspace;
    merged
        .resolve(&environment, workspace)
        .map_err(|problems| Failure::ServerRefused { name: merged.entry.name.clone(), problems })
}

/// A server that is one command line. It is split as a shell would split it, here and nowhere else.
fn stdio(line: &str) -> Result<MergedServer, Failure> {
    let words =
        shell_words::split(line).map_err(|_| Failure::usage("--stdio has a quote that is not closed"))?;
    let Some((command, args)) = words.split_first() else {
        return Err(Failure::usage("--stdio names no program"));
    };
    without_configuration(&Draft { command: Some(command.clone()), args: args.to_vec(), ..Draft::default() })
}

fn without_configuration(draft: &Draft) -> Result<MergedServer, Failure> {
    let entry = Definition::from(draft)
        .check(NAMELESS, Scope::Flag)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let mut file = McpFile::parse("{}", &Source::label("command line", Scope::Flag))
        .map_err(|error| Failure::File(error.into()))?;
    file.entries.push(entry);
    let merged = Merged::new(vec![file]).servers.pop();
    Ok(merged.expect("a file with one entry has one server"))
}
