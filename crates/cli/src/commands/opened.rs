//! One server that a command talks to, without a look at its tools.

use std::sync::Arc;

use codewhale_mcp_client::{CallError, Client, Established};
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{Connection, Manager};
use codewhale_mcp_protocol::{Era, Revision, ServerCapabilities, code};

use crate::failure::Failure;
use crate::print::{Printer, Waiting};

/// Starts a server and shakes hands.
pub(super) async fn open(
    manager: &Manager,
    server: &Server,
    printer: &Arc<Printer>,
) -> Result<Connection, Failure> {
    printer.detail(format!("connecting {}", server.name));
    let attempt = Waiting::new(printer).on(&server.name, manager.open(server)).await;
    attempt.connection.ok_or_else(|| Failure::of_report(&attempt.report))
}

/// A request that got no result, as a failure.
pub(super) fn failed(server: &Server) -> impl Fn(CallError) -> Failure + use<> {
    let server = server.clone();
    move |source| Failure::of_call(&server, source)
}

/// As [`failed`], for a request that only a server with `what` knows. One that does not say what it offers was asked all
/// the same.
pub(super) fn failed_for(
    what: &'static str,
    client: &Client,
    server: &Server,
    capability: impl Fn(&ServerCapabilities) -> bool,
) -> impl Fn(CallError) -> Failure {
    let (is_offered, server) = (Offer::of(client.server(), capability) == Offer::Yes, server.clone());
    move |source| match &source {
        CallError::ServerError { error, .. } if error.code == code::METHOD_NOT_FOUND && !is_offered => {
            Failure::NotOffered { server: server.name.clone(), what }
        }
        _ => Failure::of_call(&server, source),
    }
}

/// Whether a server offers something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    Yes,
    No,
    /// It does not say; then only asking tells.
    Untold,
}

impl Offer {
    /// What the server says. A modern one may leave all its capabilities out.
    pub(super) fn of(server: &Established, capability: impl Fn(&ServerCapabilities) -> bool) -> Self {
        let silent = server.capabilities == ServerCapabilities::default();
        match capability(&server.capabilities) {
            true => Self::Yes,
            false if server.era() == Era::Modern && silent => Self::Untold,
            false => Self::No,
        }
    }

    /// Whether it completes arguments; there was no capability for that in the first revision.
    pub(super) fn of_completions(server: &Established) -> Self {
        match Self::of(server, |capabilities| capabilities.completions.is_some()) {
            Self::No if server.revision == Revision::V2024_11_05 => Self::Untold,
            other => other,
        }
    }
}
