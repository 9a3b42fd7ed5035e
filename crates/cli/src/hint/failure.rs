//! What to do about a command that failed.

use codewhale_mcp_client::{CallError, ExchangeError, ExchangeFault, Refusal};
use codewhale_mcp_config::edit::{EditError, EditFileError, SnippetError};
use codewhale_mcp_config::{FileError, FlagError, LocateError, ParseError, ParseReason};
use codewhale_mcp_protocol::{ErrorObject, code, method};

use super::login::{login, login_or_token, refused as refused_login, scopes_refused};
use super::server::{connect, refused as refused_definition};
use super::{Naming, is_url, word};
use crate::failure::{Failure, KeptBack};

/// What keeps a tool out of sight.
const UNASKED: &str =
    "some servers show a tool only to a client that can be asked: --allow-sampling, --root DIR";

/// What to do about a failure, if there is something that is known to help.
pub(crate) fn hint(failure: &Failure, naming: Naming) -> Option<String> {
    Some(match failure {
        Failure::Locate(LocateError::NoHome) => "set CODEWHALE_HOME or use --config PATH".to_owned(),
        Failure::Locate(LocateError::RelativePath { .. }) => "start it with `/` or `~/`".to_owned(),
        Failure::File(error) => return file(error),
        Failure::Flag(FlagError::File(error)) if error.is_missing() => {
            "look at the path: it starts at the working directory".to_owned()
        }
        Failure::Flag(FlagError::File(error)) => return file(error),
        Failure::ProjectFile { enclosing: Some(folder), .. } => {
            format!("the project begins above: `codewhale trust {}`", word(&folder.to_string_lossy()))
        }
        Failure::ProjectFile { error, .. } if error.is_missing() => {
            "the workspace has no servers of its own; `codewhale mcp add --project NAME -- CMD ARGS…` adds one"
                .to_owned()
        }
        Failure::ProjectFile { error, .. } => return file(error),
        Failure::Flag(FlagError::Json(error)) => return parse(error),
        Failure::Flag(FlagError::Escapes { .. }) => {
            "name the folder that holds it with --workspace, or give the JSON itself".to_owned()
        }
        Failure::Edit(error) => return edit(error),
        Failure::Snippet(SnippetError::Several { .. }) => {
            "give the server the name of one of them, which is added then".to_owned()
        }
        Failure::Snippet(SnippetError::NoServer { .. }) => {
            "a definition is {\"command\": \"…\", \"args\": […]} or {\"url\": \"…\"}".to_owned()
        }
        Failure::NoProgram { name } => {
            format!("write the program behind `--`: `codewhale mcp add {} -- CMD ARGS…`", word(name))
        }
        Failure::NameTaken { name, .. } => {
            format!("choose another name with --name, or take that one away with `codewhale mcp remove {name}`")
        }
        Failure::OnlyOnCommandLine { .. } => "change what --mcp-config gives".to_owned(),
        Failure::NoToolNamed { server } => {
            format!("`codewhale mcp tools {}` shows its tools", naming.of(server))
        }
        Failure::NoPromptNamed { server } => {
            format!("`codewhale mcp prompts {}` shows its prompts", naming.of(server))
        }
        Failure::NotAnArgument { server, tool, word: given } => format!(
            "write key={}; `codewhale mcp tools {} {}` shows what the tool takes",
            word(given),
            naming.of(server),
            word(tool)
        ),
        Failure::UnknownServer { name, .. } if is_url(name) => "an endpoint stands behind --url".to_owned(),
        Failure::UnknownServer { near, .. } if !near.is_empty() => format!("did you mean {}?", either(near)),
        Failure::UnknownServer { read: Some(read), .. } => {
            format!("`codewhale mcp list` shows the servers of {}", read.display())
        }
        Failure::UnknownServer { .. } => "`codewhale mcp list` shows every server".to_owned(),
        Failure::NotTrusted { .. } => "look at it and agree with `codewhale trust`".to_owned(),
        Failure::TurnedOff { name } => format!("turn it on with `codewhale mcp enable {}`", word(name)),
        Failure::NoTransport { .. } => {
            "a server of type sdk lives in the program that starts this one".to_owned()
        }
        Failure::Connect { name, failure, stderr } => return connect(name, naming, failure, stderr),
        Failure::LoginNeeded { name, scopes: None } => login_or_token(name, naming),
        Failure::LoginNeeded { name, scopes: Some(_) } => login(name, naming),
        Failure::Login { name, refused, .. } => return refused_login(name, naming, refused),
        Failure::ServerRefused { name, problems } => refused_definition(name, problems),
        Failure::UnknownTool { kept: KeptBack::LeftOut, .. } => {
            "it is left out by `enabled_tools` or `disabled_tools`".to_owned()
        }
        Failure::UnknownTool { tool, kept: KeptBack::NotAllowed, .. } => format!(
            "it has to be allowed: by `--allow {tool}` behind `serve --mcp` in the server's definition, or by \
             `allow = [\"{tool}\"]` below [mcp_server] in config.toml"
        ),
        Failure::UnknownTool { server, near, kept, .. } => {
            let tools = format!("`codewhale mcp tools {}` shows its tools", naming.of(server));
            let next = match near.is_empty() {
                true => tools,
                false => format!("did you mean {}? {tools}", either(near)),
            };
            match kept {
                KeptBack::Unasked => format!("{next}; {UNASKED}"),
                _ => next,
            }
        }
        Failure::BadArguments { server, tool, usage, .. } => {
            let whole = format!("`codewhale mcp tools {} {}`", naming.of(server), word(tool));
            format!("the tool takes `{usage}`; {whole} says more")
        }
        Failure::UnknownPrompt { near, .. } if !near.is_empty() => format!("did you mean {}?", either(near)),
        Failure::UnknownPrompt { server, .. } | Failure::BadPromptArguments { server, .. } => {
            format!("`codewhale mcp prompts {}` shows its prompts and what they take", naming.of(server))
        }
        Failure::NoList { name, degradation } => return super::degraded(name, naming, degradation),
        Failure::NoConsent { .. } => "add --yes if you are sure".to_owned(),
        Failure::AnswersMisfit { .. } => "the question was declined; mend the file of --answers".to_owned(),
        Failure::NoAnswer => "add --yes where nobody can be asked".to_owned(),
        Failure::Call { source: CallError::ServerTimedOut { .. }, .. } => {
            "give it more time with --timeout SECS, or set `execute_timeout`".to_owned()
        }
        Failure::Call { server, source: CallError::Exchange { fault, .. } }
            if matches!(**fault, ExchangeFault::Failed(ExchangeError::ScopesRefused { .. })) =>
        {
            scopes_refused(server, naming)
        }
        Failure::Call { source: CallError::ServerSilent { .. }, .. } => {
            "set `idle_timeout` if it is quiet for long".to_owned()
        }
        Failure::Call { server, source: CallError::ServerError { method, error } } => {
            return refused(server, naming, method, error);
        }
        Failure::NotOffered { server, .. }
        | Failure::Call { server, source: CallError::ServerLacks { .. } } => {
            format!("`codewhale mcp connect {}` shows what it offers", naming.of(server))
        }
        Failure::Call {
            source: CallError::InputRefused { refusal: Refusal { code: -1, .. }, .. }, ..
        } => "answer it at a terminal, or with --answers FILE; see `codewhale mcp call --help`".to_owned(),
        Failure::Call { server, source: CallError::ServerGone(_) } => {
            format!("`codewhale mcp logs {}` shows what it wrote", word(server))
        }
        _ => return None,
    })
}

/// What to do about a server that answers with an error.
fn refused(server: &str, naming: Naming, asked: &str, error: &ErrorObject) -> Option<String> {
    if let Some(needed) = error.required_capabilities() {
        if needed.sampling.as_ref().is_some_and(|sampling| sampling.tools.is_some()) {
            return Some("it needs a model that uses tools, which this program does not have".to_owned());
        }
        let flags = [(needed.sampling.is_some(), "--allow-sampling"), (needed.roots.is_some(), "--root DIR")];
        let flags: Vec<&str> = flags.iter().filter(|(needed, _)| *needed).map(|(_, flag)| *flag).collect();
        return (!flags.is_empty()).then(|| format!("it needs {}", flags.join(" and ")));
    }
    let list = match asked {
        method::RESOURCES_READ => "resources",
        method::PROMPTS_GET => "prompts",
        method::TASKS_GET | method::TASKS_CANCEL | method::TASKS_RESULT
            if error.code == code::INVALID_PARAMS =>
        {
            return Some("a server may forget its tasks with the connection that made them, or when it is started again".to_owned());
        }
        _ => return None,
    };
    Some(format!("`codewhale mcp {list} {}` shows its {list}", naming.of(server)))
}

fn file(error: &FileError) -> Option<String> {
    match error {
        FileError::Unusable(error) => parse(error),
        error if error.is_missing() => Some("`codewhale mcp init` writes a starter file".to_owned()),
        _ => None,
    }
}

fn parse(error: &ParseError) -> Option<String> {
    Some(match error.reason {
        ParseReason::BadEscape => "write `\\\\` for each `\\` of a path".to_owned(),
        ParseReason::SingleQuotes => "JSON wants double quotes".to_owned(),
        ParseReason::Empty => "an empty configuration is `{}`".to_owned(),
        ParseReason::Utf16 | ParseReason::NotUtf8 => "save the file as UTF-8".to_owned(),
        _ => return None,
    })
}

fn edit(error: &EditFileError) -> Option<String> {
    Some(match error {
        EditFileError::Refused(EditError::Unusable(error)) => {
            let step = parse(error).unwrap_or_else(|| "mend the file first".to_owned());
            format!("{step}; nothing was written, which would have lost every server in it")
        }
        EditFileError::Refused(EditError::Exists { .. }) => "add --force to replace it".to_owned(),
        EditFileError::Refused(EditError::Unknown { known, .. }) if known.is_empty() => {
            "the file holds no server".to_owned()
        }
        EditFileError::Refused(EditError::Unknown { .. }) => {
            "`codewhale mcp list` shows every server".to_owned()
        }
        EditFileError::Refused(EditError::Ambiguous { .. }) => "remove one of them by hand first".to_owned(),
        EditFileError::Refused(EditError::BadName { .. }) => {
            "use letters, digits, `.`, `_` and `-`, at most 64 of them".to_owned()
        }
        EditFileError::Exists { .. } => {
            "add --force to replace it; the old file is kept beside it".to_owned()
        }
        EditFileError::Locked(_) => "try again when the other process has finished".to_owned(),
        _ => return None,
    })
}

fn either(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}
