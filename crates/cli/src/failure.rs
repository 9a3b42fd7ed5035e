//! Why a command did not do what it was asked to.

use std::io;
use std::path::PathBuf;

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::browse::BrowseError;
use codewhale_mcp_client::{CallError, ExchangeError, ExchangeFault, Refusal};
use codewhale_mcp_config::edit::{EditError, EditFileError, SnippetError};
use codewhale_mcp_config::{FileError, FlagError, LocateError, Problem, Server, SettingsError};
use codewhale_mcp_manager::{
    Degradation, FailureClass, LogError, LoginRefused, Outcome, Report, Severity, Standing, TrustError,
    missing_scopes, uses_login,
};

use crate::exit::Exit;
use crate::hint::{Naming, login_required, scopes_required};
use crate::print::PrintError;

/// Why a command did not do what it was asked to. The next step is not part of it; that is
/// [`hint`](crate::hint::hint)'s affair.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Print(#[from] PrintError),
    #[error("{what}")]
    Usage { what: String },
    #[error(transparent)]
    Locate(#[from] LocateError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Flag(#[from] FlagError),
    #[error(transparent)]
    Edit(#[from] EditFileError),
    #[error(transparent)]
    Snippet(#[from] SnippetError),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error(transparent)]
    Logs(#[from] LogError),
    #[error("{error}")]
    ProjectFile { error: Box<FileError>, enclosing: Option<PathBuf> },
    #[error("name a program, or an endpoint with --url")]
    NoProgram { name: String },
    #[error("`{name}` comes from --mcp-config, which is not changed")]
    OnlyOnCommandLine { name: String },
    #[error("{told}")]
    NameTaken { name: String, told: String },
    #[error("name the tool")]
    NoToolNamed { server: String },
    #[error("name the prompt")]
    NoPromptNamed { server: String },
    /// `word` is safe to print.
    #[error("`{word}` is no argument, which is key=text, key:=JSON, @FILE or -")]
    NotAnArgument { server: String, tool: String, word: String },
    #[error("there is no server `{name}`")]
    UnknownServer { name: String, near: Vec<String>, read: Option<PathBuf> },
    #[error("`{name}` is refused: {}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    ServerRefused { name: String, problems: Vec<Problem> },
    #[error("`{name}` is a server of this workspace, and {}", standing_text(*standing))]
    NotTrusted { name: String, standing: Standing },
    #[error("`{name}` is turned off")]
    TurnedOff { name: String },
    #[error("`{name}` is no server that this version can connect to: {kind} is not supported")]
    NoTransport { name: String, kind: &'static str },
    #[error("cannot {action}")]
    System { action: String, source: io::Error },
    #[error("cannot connect to `{name}`")]
    Connect { name: String, failure: Box<codewhale_mcp_manager::Failure>, stderr: Vec<String> },
    /// How one logs in is said by whoever knows how the server is named.
    #[error("{}", scopes.as_deref().unwrap_or("OAuth authentication required"))]
    LoginNeeded {
        name: String,
        /// Which scopes are missing, where it is not the login itself.
        scopes: Option<String>,
    },
    #[error("cannot log {} `{name}`: {refused}", way.text())]
    Login { name: String, way: InOrOut, refused: LoginRefused },
    #[error("the tools of `{name}` are not known")]
    NoList { name: String, degradation: Degradation },
    #[error("`{server}` has no tool `{tool}`")]
    UnknownTool { server: String, tool: String, near: Vec<String>, kept: KeptBack },
    #[error("the arguments do not fit the tool `{tool}`: {}", faults.join("; "))]
    BadArguments { server: String, tool: String, faults: Vec<String>, usage: String },
    #[error("`{server}` has no prompt `{prompt}`")]
    UnknownPrompt { server: String, prompt: String, near: Vec<String> },
    #[error("the arguments do not fit the prompt `{prompt}`: {}", faults.join("; "))]
    BadPromptArguments { server: String, prompt: String, faults: Vec<String> },
    #[error("the server does not offer {what}")]
    NotOffered { server: String, what: &'static str },
    #[error("`{server}` tells of nothing that was asked for")]
    NothingTold { server: String },
    #[error("the tool `{tool}` says that it may destroy something, and nobody agreed to that")]
    NoConsent { tool: String },
    #[error("{source}")]
    Call { server: String, source: CallError },
    /// The questions were declined; `source` is what else came of it.
    #[error("the answers file does not fit: {}", why.join("; "))]
    AnswersMisfit { why: Vec<String>, source: Option<Box<Failure>> },
    #[error("there is no answer to the question")]
    NoAnswer,
}

/// Why a tool may be kept back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeptBack {
    /// For no reason that is known.
    No,
    /// The definition leaves it out.
    LeftOut,
    /// The server is one of ours, whose operator has to allow it.
    NotAllowed,
    /// The server was told that a model and folders are not there, and could have been told otherwise.
    Unasked,
}

/// Which of the two it was that came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InOrOut {
    In,
    Out,
}

impl InOrOut {
    const fn text(self) -> &'static str {
        match self {
            Self::In => "in to",
            Self::Out => "out of",
        }
    }
}

impl Failure {
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into() }
    }

    /// A server that cannot be used at all.
    pub(crate) fn of_report(report: &Report) -> Self {
        let name = report.server.clone();
        match &report.outcome {
            Outcome::Failed(failure) if failure.class == FailureClass::NeedsLogin => {
                Self::LoginNeeded { name, scopes: None }
            }
            Outcome::Failed(failure) => {
                Self::Connect { name, failure: Box::new(failure.clone()), stderr: report.stderr.clone() }
            }
            _ => Self::Call { server: name, source: CallError::ClosedHere },
        }
    }

    pub(crate) fn system(action: impl Into<String>, source: io::Error) -> Self {
        Self::System { action: action.into(), source }
    }

    /// What the caller of the program sees.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Print(PrintError::Closed) => Exit::Ok,
            Self::Usage { .. }
            | Self::Locate(_)
            | Self::Settings(_)
            | Self::File(_)
            | Self::Flag(_)
            | Self::Snippet(_)
            | Self::Edit(EditFileError::Refused(_) | EditFileError::Exists { .. })
            | Self::ProjectFile { .. }
            | Self::NoProgram { .. }
            | Self::OnlyOnCommandLine { .. }
            | Self::NameTaken { .. }
            | Self::NoToolNamed { .. }
            | Self::NoPromptNamed { .. }
            | Self::NotAnArgument { .. }
            | Self::AnswersMisfit { .. }
            | Self::UnknownServer { .. }
            | Self::ServerRefused { .. }
            | Self::UnknownTool { .. }
            | Self::UnknownPrompt { .. }
            | Self::BadArguments { .. }
            | Self::BadPromptArguments { .. } => Exit::Usage,
            Self::NotTrusted { .. }
            | Self::NoConsent { .. }
            | Self::NoAnswer
            | Self::TurnedOff { .. }
            | Self::Call {
                source: CallError::InputRefused { refusal: Refusal { code: -1, .. }, .. }, ..
            } => Exit::Blocked,
            Self::Call {
                source: CallError::ServerTimedOut { .. } | CallError::ServerSilent { .. }, ..
            } => Exit::TimedOut,
            Self::Call { source: CallError::CallerArgumentInvalid { .. }, .. } => Exit::Usage,
            Self::Call { source: CallError::Exchange { fault, .. }, .. } => match &**fault {
                ExchangeFault::LoginNeeded { .. } => Exit::LoginNeeded,
                ExchangeFault::Failed(ExchangeError::Blocked(_) | ExchangeError::Redirected { .. }) => {
                    Exit::Blocked
                }
                _ => Exit::Failed,
            },
            Self::LoginNeeded { .. } => Exit::LoginNeeded,
            Self::Login { refused, .. } => of_login(refused),
            Self::Connect { failure, .. } => match (failure.class, failure.class.severity()) {
                (FailureClass::TimedOut, _) => Exit::TimedOut,
                (FailureClass::Config | FailureClass::MissingVariable, _) => Exit::Usage,
                (_, Severity::NeedsLogin) => Exit::LoginNeeded,
                (_, Severity::Blocked) => Exit::Blocked,
                _ => Exit::Failed,
            },
            _ => Exit::Failed,
        }
    }

    /// The line of a file that makes no sense, with a caret under the place.
    pub(crate) fn excerpt(&self) -> &str {
        match self {
            Self::File(FileError::Unusable(error))
            | Self::Flag(FlagError::File(FileError::Unusable(error)) | FlagError::Json(error))
            | Self::Settings(SettingsError::Unusable(error))
            | Self::Snippet(SnippetError::Unusable(error))
            | Self::Edit(EditFileError::Refused(EditError::Unusable(error))) => &error.excerpt,
            Self::ProjectFile { error, .. } => match &**error {
                FileError::Unusable(error) => &error.excerpt,
                _ => "",
            },
            _ => "",
        }
    }

    /// The last lines of the server's standard error.
    pub(crate) fn stderr(&self) -> &[String] {
        match self {
            Self::Connect { stderr, .. } => stderr,
            _ => &[],
        }
    }

    /// Whether there is anybody to tell.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self, Self::Print(PrintError::Closed))
    }

    /// What went wrong, to whoever named the server so.
    pub(crate) fn message(&self, naming: Naming) -> String {
        match self {
            Self::LoginNeeded { name, scopes: None } => login_required(name, naming),
            Self::LoginNeeded { name, scopes: Some(scopes) } => scopes_required(scopes, name, naming),
            _ => self.to_string(),
        }
    }

    /// A request that got no result.
    pub(crate) fn of_call(server: &Server, source: CallError) -> Self {
        let name = server.name.clone();
        match &source {
            CallError::Exchange { fault, .. } => match &**fault {
                ExchangeFault::LoginNeeded { challenges } if uses_login(server) => {
                    Self::LoginNeeded { name, scopes: missing_scopes(challenges) }
                }
                _ => Self::Call { server: name, source },
            },
            _ => Self::Call { server: name, source },
        }
    }

    /// Why, the outermost cause first, without what the message itself says.
    pub(crate) fn causes(&self) -> Vec<String> {
        match self {
            Self::Connect { failure, .. } => return failure.causes.clone(),
            Self::NoList { degradation, .. } => return degradation.causes.clone(),
            _ => {}
        }
        let mut causes: Vec<String> = Vec::new();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let more = error.to_string();
            if !causes.last().unwrap_or(&self.to_string()).ends_with(&more) {
                causes.push(more);
            }
            cause = error.source();
        }
        causes
    }
}

/// How a login that came to nothing ends.
fn of_login(refused: &LoginRefused) -> Exit {
    match refused {
        LoginRefused::NoUrl { .. } | LoginRefused::OwnCredentials => Exit::Usage,
        LoginRefused::Login(error) => match error {
            LoginError::NoClient { .. } | LoginError::ForeignClient { .. } | LoginError::Client { .. } => {
                Exit::Usage
            }
            LoginError::TimedOut
            | LoginError::Slow { .. }
            | LoginError::Browse(BrowseError::TimedOut { .. }) => Exit::TimedOut,
            error if error.is_blocked() => Exit::Blocked,
            _ => Exit::Failed,
        },
        _ => Exit::Failed,
    }
}

/// Whether somebody agreed to a server, in a word.
pub(crate) fn standing_word(standing: Standing) -> &'static str {
    match standing {
        Standing::Trusted => "trusted",
        Standing::Changed => "changed",
        _ => "untrusted",
    }
}

pub(crate) fn standing_text(standing: Standing) -> &'static str {
    match standing {
        Standing::Trusted => "it is trusted",
        Standing::Changed => "its definition has changed since it was trusted",
        _ => "it is not trusted",
    }
}
