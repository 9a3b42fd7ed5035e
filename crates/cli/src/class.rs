//! What kind of failure a failure is, for programs.

use codewhale_mcp_client::{CallError, ExchangeError, ExchangeFault};
use codewhale_mcp_config::edit::{EditError, EditFileError};

use crate::exit::Exit;
use crate::failure::Failure;

impl Failure {
    /// A stable word. That of a server that cannot be used is the class of its row.
    pub(crate) fn class(&self) -> &'static str {
        match self {
            Self::Connect { failure, .. } => failure.class.as_str(),
            Self::NoList { degradation, .. } => degradation.class.as_str(),
            Self::Print(_) | Self::System { .. } | Self::Logs(_) => "system",
            Self::Usage { .. }
            | Self::NoProgram { .. }
            | Self::NoToolNamed { .. }
            | Self::NoPromptNamed { .. }
            | Self::NotAnArgument { .. }
            | Self::AnswersMisfit { .. }
            | Self::OnlyOnCommandLine { .. }
            | Self::NameTaken { .. } => "usage",
            Self::UnknownServer { .. } | Self::Edit(EditFileError::Refused(EditError::Unknown { .. })) => {
                "unknown_server"
            }
            Self::Edit(EditFileError::Refused(EditError::Exists { .. }) | EditFileError::Exists { .. }) => {
                "exists"
            }
            Self::Edit(_) if self.exit() != Exit::Usage => "system",
            Self::Locate(_)
            | Self::Settings(_)
            | Self::File(_)
            | Self::ProjectFile { .. }
            | Self::Flag(_)
            | Self::Edit(_)
            | Self::Snippet(_)
            | Self::Trust(_)
            | Self::ServerRefused { .. } => "config",
            Self::NotTrusted { .. } => "untrusted",
            Self::TurnedOff { .. } => "disabled",
            Self::NoTransport { .. } => "unsupported_transport",
            Self::LoginNeeded { scopes: None, .. } => "needs_login",
            Self::LoginNeeded { scopes: Some(_), .. } => "missing_scopes",
            Self::Login { .. } => match self.exit() {
                Exit::Usage => "config",
                Exit::TimedOut => "timed_out",
                Exit::Blocked => "blocked",
                _ => "login_failed",
            },
            Self::UnknownTool { .. } => "unknown_tool",
            Self::UnknownPrompt { .. } => "unknown_prompt",
            Self::BadArguments { .. } | Self::BadPromptArguments { .. } => "bad_arguments",
            Self::NothingTold { .. } | Self::NotOffered { .. } => "not_offered",
            Self::NoConsent { .. } | Self::NoAnswer => "no_consent",
            Self::Call { source, .. } => match source {
                CallError::ServerTimedOut { .. } | CallError::ServerSilent { .. } => "timed_out",
                CallError::ServerError { .. } => "server_error",
                CallError::ServerLacks { .. } => "not_offered",
                CallError::ServerGone(_) => "closed",
                CallError::InputRefused { .. } => "no_answer",
                CallError::CallerArgumentInvalid { .. } => "bad_arguments",
                CallError::Exchange { fault, .. } => of_fault(fault),
                _ => "protocol",
            },
        }
    }
}

fn of_fault(fault: &ExchangeFault) -> &'static str {
    match fault {
        ExchangeFault::LoginNeeded { .. } => "needs_login",
        ExchangeFault::Refused { .. } => "refused",
        ExchangeFault::NoMessages { .. } => "protocol",
        ExchangeFault::Failed(ExchangeError::LoginFailed { .. }) => "login_failed",
        ExchangeFault::Failed(ExchangeError::ScopesRefused { .. }) => "scopes_refused",
        ExchangeFault::Failed(ExchangeError::Blocked(_)) => "blocked",
        ExchangeFault::Failed(ExchangeError::Unreachable { .. }) => "unreachable",
        ExchangeFault::Failed(ExchangeError::Redirected { .. }) => "redirected",
        ExchangeFault::Failed(ExchangeError::TooLong { .. }) => "limit",
        _ => "closed",
    }
}
