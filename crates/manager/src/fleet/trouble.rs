//! Why a server is not as it should be.

use std::fmt;

use codewhale_mcp_client::Gone;
use codewhale_mcp_transport::End;

use crate::connect::{Degradation, DegradationClass, Failure, FailureClass};
use crate::logs::Log;

/// Why a server is not as it should be. Every text is safe to print and without known secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trouble {
    /// What kind of trouble.
    pub class: TroubleClass,
    /// What went wrong and why, the outermost first; at least one.
    pub causes: Vec<String>,
    /// The last lines of the server's standard error, oldest first.
    pub stderr: Vec<String>,
}

/// What kind of trouble a server has. The words of [`as_str`](Self::as_str) are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TroubleClass {
    /// It cannot be used.
    Failure(FailureClass),
    /// It is alive, and its list is not as it should be.
    List(DegradationClass),
    /// It was up and is gone.
    Lost,
}

impl TroubleClass {
    /// A stable word for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failure(class) => class.as_str(),
            Self::List(class) => class.as_str(),
            Self::Lost => "lost",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.causes.join(": "))
    }
}

impl Trouble {
    pub(super) fn of_failure(failure: &Failure, stderr: Vec<String>) -> Self {
        Self { class: TroubleClass::Failure(failure.class), causes: failure.causes.clone(), stderr }
    }

    pub(super) fn of_list(degradation: &Degradation) -> Self {
        let class = TroubleClass::List(degradation.class);
        Self { class, causes: degradation.causes.clone(), stderr: Vec::new() }
    }

    pub(super) fn of_loss(gone: &Gone, log: &Log) -> Self {
        let cause = match (&gone.fault, &gone.end) {
            (None, End::Closed) => "the server closed the connection".to_owned(),
            _ => format!("the server {}", log.safe(&gone.to_string())),
        };
        let stderr = gone.last_words.iter().rev().take(20).rev().map(|line| log.safe(line)).collect();
        Self { class: TroubleClass::Lost, causes: vec![cause], stderr }
    }

    /// A server that does not answer any more, though nothing says that it is gone.
    pub(super) fn unreachable(causes: Vec<String>) -> Self {
        Self { class: TroubleClass::Lost, causes, stderr: Vec::new() }
    }

    /// A server that does not take our credentials any more.
    pub(super) fn needs_login(causes: Vec<String>) -> Self {
        Self { class: TroubleClass::Failure(FailureClass::NeedsLogin), causes, stderr: Vec::new() }
    }
}
