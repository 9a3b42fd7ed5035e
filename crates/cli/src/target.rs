//! From a server that was asked for to one that is ready to start.

use std::ffi::OsStr;
use std::path::Path;

use codewhale_mcp_config::edit::{Definition, Draft};
use codewhale_mcp_config::{McpFile, Merged, MergedServer, Origin, Place, Scope, Server, Source, Transport};
use codewhale_mcp_manager::is_package_runner;

use crate::args::{Asked, BudgetArgs, Unnamed};
use crate::configured::Configured;
use crate::draft;
use crate::failure::Failure;
use crate::print::Printer;

/// Where a server is said to stand that `--stdio` or `--url` names.
const COMMAND_LINE: &str = "command line";

/// What is wrong with a secret on a command line.
const SEEN: &str = "the command line is seen by other processes and stays in the shell's history; --env-header and \
    --bearer-token-env-var take secrets from the environment";

/// A server that is ready to start. Its secrets are not seen any more from now on.
pub(crate) fn ready(
    configured: &Configured,
    asked: &Asked,
    budgets: &BudgetArgs,
    printer: &Printer,
) -> Result<Server, Failure> {
    let mut server = known(configured, asked, printer)?;
    budgets.apply(&mut server);
    if !server.enabled {
        return Err(Failure::TurnedOff { name: server.name });
    }
    match &server.transport {
        Transport::Stdio(_) | Transport::Http(_) | Transport::Sse(_) => Ok(server),
        other => Err(Failure::NoTransport { kind: other.as_str(), name: server.name }),
    }
}

/// A server that is known, whether it is on or not. Its secrets are not seen any more from now on.
pub(crate) fn known(configured: &Configured, asked: &Asked, printer: &Printer) -> Result<Server, Failure> {
    found(configured, asked, printer, MergedServer::clone)
}

/// The same for what sends the server nothing, without what its requests carry.
pub(crate) fn known_here(
    configured: &Configured,
    asked: &Asked,
    printer: &Printer,
) -> Result<Server, Failure> {
    found(configured, asked, printer, MergedServer::without_headers)
}

fn found(
    configured: &Configured,
    asked: &Asked,
    printer: &Printer,
    taken: fn(&MergedServer) -> MergedServer,
) -> Result<Server, Failure> {
    let ad_hoc;
    let merged = match asked {
        Asked::Name(name) => configured.server(name)?,
        Asked::Stdio(line) => {
            ad_hoc = stdio(configured, line)?;
            &ad_hoc
        }
        Asked::Url(url, args) => {
            let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
            let name = unused(configured, &host.unwrap_or_default(), "url");
            ad_hoc = without_configuration(&name, &draft::remote(Some(url), args)?)?;
            if ad_hoc.entry.definition.as_ref().is_ok_and(|remote| !remote.literal_secrets().is_empty()) {
                printer.warn(SEEN);
            }
            &ad_hoc
        }
    };
    let mut server = resolve(configured, &taken(merged))?;
    if let (Asked::Url(url, _), Transport::Http(remote) | Transport::Sse(remote)) =
        (asked, &mut server.transport)
    {
        // The name was made up for this run.
        remote.oauth.account = Some(url.clone());
    }
    printer.spare([server.name.clone()]);
    printer.hide(&server.secrets);
    Ok(server)
}

/// Whether a server stands on the command line itself.
pub(crate) fn is_ad_hoc(place: &Place) -> bool {
    matches!(&place.origin, Origin::Label(label) if **label == *COMMAND_LINE)
}

fn resolve(configured: &Configured, merged: &MergedServer) -> Result<Server, Failure> {
    let environment = |name: &str| configured.variable(name);
    let workspace: &Path = &configured.place.workspace;
    merged
        .resolve(&environment, workspace)
        .map_err(|problems| Failure::ServerRefused { name: merged.entry.name.clone(), problems })
}

/// A server that is one command line. It is split as a shell would split it, here and nowhere else.
fn stdio(configured: &Configured, line: &str) -> Result<MergedServer, Failure> {
    let words =
        shell_words::split(line).map_err(|_| Failure::usage("--stdio has a quote that is not closed"))?;
    let Some((command, args)) = words.split_first() else {
        return Err(Failure::usage("--stdio names no program"));
    };
    let name = unused(configured, program(command, args), "stdio");
    let draft = Draft { command: Some(command.clone()), args: args.to_vec(), ..Draft::default() };
    without_configuration(&name, &draft)
}

fn without_configuration(name: &str, draft: &Draft) -> Result<MergedServer, Failure> {
    let mut entry = Definition::from(draft)
        .check(name, Scope::Flag)
        .map_err(|error| Failure::usage(error.to_string()))?;
    let mut file = McpFile::parse("{}", &Source::label(COMMAND_LINE, Scope::Flag))
        .map_err(|error| Failure::File(error.into()))?;
    entry.place.origin = Origin::Label(COMMAND_LINE.into());
    file.entries.push(entry);
    let merged = Merged::new(vec![file]).servers.pop();
    Ok(merged.expect("a file with one entry has one server"))
}

/// What a command line is about: its program's file name, or that of the package or file that the program runs.
fn program<'l>(command: &'l str, args: &'l [String]) -> &'l str {
    let file = |text: &'l str| {
        let name = text.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(text);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        // What follows is a version: `name@1.2`, `name==1.2`.
        let end = name
            .char_indices()
            .skip(1)
            .find(|(_, c)| matches!(c, '@' | '='))
            .map_or(name.len(), |(at, _)| at);
        &name[..end]
    };
    let own = file(command);
    let interpreter = ["node", "bun", "deno", "sh", "bash"].contains(&own) || own.starts_with("python");
    if !interpreter && !is_package_runner(OsStr::new(command), args) {
        return own;
    }
    let subcommands = ["run", "exec", "x", "dlx", "tool"];
    let run = args.iter().find(|arg| !arg.starts_with('-') && !subcommands.contains(&arg.as_str()));
    match run.map(|run| file(run)) {
        // Not the name of anything: a script of `sh -c`.
        Some(run) if run.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) => run,
        _ => own,
    }
}

/// The name as one that a server may have, and no other of this run has: both would write to one log.
fn unused(configured: &Configured, name: &str, otherwise: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = name.chars().map(kept).take(50).collect();
    let name = if name.chars().all(|c| "._-".contains(c)) { "server".to_owned() } else { name };
    let taken = configured.merged.server(&name).is_some()
        || configured.skipped.iter().any(|skipped| skipped.entry.name == name);
    if taken { format!("{name}-{otherwise}") } else { name }
}

/// Tells the server apart from the words that follow it. A tool's own name may stand for both: the one that a model
/// sees, or `server.tool` and `server/tool`.
pub(crate) fn split(
    configured: &Configured,
    unnamed: &Unnamed,
    words: &[String],
) -> Option<(Asked, Vec<String>)> {
    let (asked, rest) = unnamed.split(words)?;
    let Asked::Name(first) = &asked else { return Some((asked, rest.to_vec())) };
    let names = || {
        let skipped = configured.skipped.iter().map(|skipped| &skipped.entry.name);
        configured.merged.servers.iter().map(|server| &server.entry.name).chain(skipped)
    };
    if names().any(|name| name == first) {
        return Some((asked, rest.to_vec()));
    }
    let found =
        names().filter_map(|name| Some((name, tool_of(name, first)?))).max_by_key(|(name, _)| name.len());
    Some(match found {
        Some((name, tool)) => {
            (Asked::Name(name.clone()), std::iter::once(tool).chain(rest.iter().cloned()).collect())
        }
        None => (asked, rest.to_vec()),
    })
}

/// The tool that a word names if it names one of this server.
fn tool_of(server: &str, word: &str) -> Option<String> {
    if let Some(tool) = word.strip_prefix(server).and_then(|rest| rest.strip_prefix(['.', '/'])) {
        return (!tool.is_empty()).then(|| tool.to_owned());
    }
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let server: String = server.chars().map(plain).collect();
    // The whole name is known to whoever knows the tools.
    let rest = word.strip_prefix("mcp_")?.strip_prefix(&server)?.strip_prefix('_')?;
    (!rest.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_named_after_what_it_runs() {
        let rows = [
            ("/opt/bin/my-server --port 1", "my-server"),
            ("uvx mcp-server-time", "mcp-server-time"),
            ("uvx mcp-server-time==1.2 --x", "mcp-server-time"),
            ("npx -y @modelcontextprotocol/server-filesystem@2 .", "server-filesystem"),
            ("uv tool run mcp-server-git", "mcp-server-git"),
            ("python3 -m mcp_server_time", "mcp_server_time"),
            ("node dist/index.js", "index.js"),
            ("sh -c 'echo x; exit 1'", "sh"),
            ("docker run -i --rm mcp/time", "time"),
            ("npx", "npx"),
        ];
        for (line, name) in rows {
            let words = shell_words::split(line).unwrap();
            assert_eq!(program(&words[0], &words[1..]), name, "{line}");
        }
    }

    #[test]
    fn a_tools_own_name_names_its_server_too() {
        let check = |server: &str, word: &str, tool: Option<&str>| {
            assert_eq!(tool_of(server, word).as_deref(), tool, "{server} {word}");
        };
        check("fake", "fake.echo", Some("echo"));
        check("fake", "fake/echo", Some("echo"));
        check("fake", "mcp_fake_echo", Some("mcp_fake_echo"));
        check("my server", "mcp_my_server_echo", Some("mcp_my_server_echo"));
        check("fake", "fakes.echo", None);
        check("fake", "mcp_fake_", None);
        check("fake", "echo", None);
    }
}
