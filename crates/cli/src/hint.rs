//! The next step, for everything that can go wrong. The only place where hints are written.

use codewhale_mcp_client::{CallError, Refusal};
use codewhale_mcp_config::edit::{EditError, EditFileError, SnippetError};
use codewhale_mcp_config::{FileError, FlagError, LocateError, ParseError, ParseReason};
use codewhale_mcp_manager::FailureClass;
use codewhale_mcp_protocol::{ErrorObject, Property, code, method};

use crate::failure::Failure;

/// What to do about a failure, if there is something that is known to help.
pub(crate) fn hint(failure: &Failure) -> Option<String> {
    Some(match failure {
        Failure::Locate(LocateError::NoHome) => "set CODEWHALE_HOME or use --config PATH".to_owned(),
        Failure::Locate(LocateError::RelativePath { .. }) => "start it with `/` or `~/`".to_owned(),
        Failure::File(error) => return file(error),
        Failure::Flag(FlagError::File(error)) => return file(error),
        Failure::Flag(FlagError::Json(error)) => return parse(error),
        Failure::Flag(FlagError::Escapes { .. }) => {
            "name the folder that holds it with --workspace, or give the JSON itself".to_owned()
        }
        Failure::Edit(error) => return edit(error),
        Failure::Snippet(SnippetError::Several { .. }) => "paste one of them at a time".to_owned(),
        Failure::UnknownServer { near, .. } if !near.is_empty() => format!("did you mean {}", either(near)),
        Failure::UnknownServer { read: Some(read), .. } => {
            format!("`codewhale mcp list` shows the servers of {}", read.display())
        }
        Failure::UnknownServer { .. } => "`codewhale mcp list` shows every server".to_owned(),
        Failure::NotTrusted { .. } => "look at it and agree with `codewhale trust`".to_owned(),
        Failure::TurnedOff { name } => format!("turn it on with `codewhale mcp enable {}`", word(name)),
        Failure::NoTransport { .. } => "a stdio server has a `command` in place of a `url`".to_owned(),
        Failure::Connect { name, failure, .. } => return connect(name, failure.class),
        Failure::UnknownTool { hidden: true, .. } => {
            "it is left out by `enabled_tools` or `disabled_tools`".to_owned()
        }
        Failure::UnknownTool { near, .. } if !near.is_empty() => format!("did you mean {}", either(near)),
        Failure::UnknownTool { server, .. } => {
            format!("`codewhale mcp tools {}` shows its tools", word(server))
        }
        Failure::BadArguments { server, .. } => {
            format!("`codewhale mcp tools {} --schema` shows what each tool takes", word(server))
        }
        Failure::UnknownPrompt { near, .. } if !near.is_empty() => format!("did you mean {}", either(near)),
        Failure::UnknownPrompt { server, .. } | Failure::BadPromptArguments { server, .. } => {
            format!("`codewhale mcp prompts {}` shows its prompts and what they take", word(server))
        }
        Failure::NoList { name, .. } => degraded(name),
        Failure::NoConsent { .. } => "add --yes if you are sure".to_owned(),
        Failure::NoAnswer => "add --yes where nobody can be asked".to_owned(),
        Failure::Call { source: CallError::ServerTimedOut { .. }, .. } => {
            "give it more time with --timeout SECS, or set `execute_timeout`".to_owned()
        }
        Failure::Call { source: CallError::ServerSilent { .. }, .. } => {
            "set `idle_timeout` if it is quiet for long".to_owned()
        }
        Failure::Call { server, source: CallError::ServerError { method, error } } => {
            return refused(server, method, error);
        }
        Failure::Call { server, source: CallError::ServerLacks { .. } } => {
            format!("`codewhale mcp connect {}` shows what it offers", word(server))
        }
        Failure::Call {
            source: CallError::InputRefused { refusal: Refusal { code: -1, .. }, .. }, ..
        } => "answer it at a terminal, or with --answers FILE; see `codewhale mcp call --help`".to_owned(),
        Failure::Call { server, source: CallError::ServerGone(_) } => {
            format!("`codewhale mcp logs {}` shows its standard error", word(server))
        }
        _ => return None,
    })
}

/// What to do about a server that cannot be used.
pub(crate) fn connect(name: &str, class: FailureClass) -> Option<String> {
    Some(match class {
        FailureClass::Config => format!("see `codewhale mcp get {}`, then mend the file", word(name)),
        FailureClass::MissingVariable => "set the variable, or write `${NAME:-default}`".to_owned(),
        FailureClass::Untrusted => "look at it and agree with `codewhale trust`".to_owned(),
        FailureClass::CommandNotFound => {
            "install the program, or write its absolute path as `command`; arguments belong into `args`"
                .to_owned()
        }
        FailureClass::InterpreterNotFound => {
            "install the interpreter, or set PATH under `env` of the server".to_owned()
        }
        FailureClass::NotExecutable => {
            "make it executable with `chmod +x`, or name its interpreter".to_owned()
        }
        FailureClass::BadCwd => "mend `cwd`; a relative one starts at the workspace".to_owned(),
        FailureClass::TimedOut => {
            "give a slow server more time with --connect-timeout SECS or --read-timeout SECS; the members \
             `connect_timeout` and `read_timeout` of its definition keep that"
                .to_owned()
        }
        FailureClass::Exited
        | FailureClass::Closed
        | FailureClass::HandshakeFailed
        | FailureClass::Protocol
        | FailureClass::Limit => format!("see `codewhale mcp logs {}`", word(name)),
        FailureClass::UnsupportedTransport => {
            "this version speaks stdio only; use a server with a `command`".to_owned()
        }
        _ => return None,
    })
}

/// What to do about a server whose list of tools cannot be read.
pub(crate) fn degraded(name: &str) -> String {
    format!("see `codewhale mcp logs {}`", word(name))
}

/// What to do about a server whose tools were never listed.
pub(crate) fn not_cached(name: &str) -> String {
    format!("ask the server itself with `codewhale mcp tools {}`", word(name))
}

/// What to do about a server that answers with an error.
fn refused(server: &str, asked: &str, error: &ErrorObject) -> Option<String> {
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
            return Some("a server that was started again may have forgotten its tasks".to_owned());
        }
        _ => return None,
    };
    Some(format!("`codewhale mcp {list} {}` shows its {list}", word(server)))
}

/// How a task is taken up again.
pub(crate) fn task(server: &str, id: &str) -> String {
    format!("take it up again with `codewhale mcp tasks {} {} --wait`", word(server), word(id))
}

/// How a form could be answered where nobody can be asked.
pub(crate) fn form_answer(form: &[Property]) -> String {
    let needed: Vec<&Property> =
        form.iter().filter(|property| property.required && property.default_value().is_none()).collect();
    let fields: Vec<&Property> = if needed.is_empty() { form.iter().take(3).collect() } else { needed };
    let fields: Vec<String> = fields.iter().map(|property| format!("{:?}: …", property.name)).collect();
    format!("answer it with --answers FILE, which holds {{{}}}", fields.join(", "))
}

/// How an address could be agreed to where nobody can be asked.
pub(crate) fn address_answer() -> String {
    "agree with --answers FILE, which holds [\"accept\"]".to_owned()
}

/// How a question for a model could be answered where nobody can be asked.
pub(crate) fn model_answer() -> String {
    "answer it with --answers FILE, which holds [\"the answer\"]".to_owned()
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

/// A name as a word of a shell.
pub(crate) fn word(name: &str) -> String {
    shell_words::quote(name).into_owned()
}
