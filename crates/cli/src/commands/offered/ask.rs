//! One server and its list.

use std::time::Duration;

use codewhale_mcp_client::CallError;
use codewhale_mcp_manager::{Connection, Degradation, Failure as ServerFailure};
use codewhale_mcp_protocol::code;
use tokio::time::timeout;

use super::kind::{Items, Kind};
use crate::commands::opened::Offer;

/// What became of one list.
pub(in crate::commands) enum Answer {
    /// It was read; what is odd about it.
    Listed(Items, Vec<String>),
    /// The server has no such things.
    NotOffered,
    /// It could not be read, and the server is there.
    Degraded(Degradation),
    /// The server was lost.
    Lost(ServerFailure),
}

/// Reads one list, all pages of it within `total`.
pub(in crate::commands) async fn ask(connection: &Connection, kind: Kind, total: Duration) -> Answer {
    let client = connection.client();
    let offer = Offer::of(client.server(), |capabilities| kind.is_in(capabilities));
    if offer == Offer::No {
        return Answer::NotOffered;
    }
    let fetched = timeout(total, kind.fetch(client)).await;
    let fetched =
        fetched.unwrap_or_else(|_| Err(CallError::ServerTimedOut { method: kind.method(), after: total }));
    match fetched {
        Ok((items, odd)) => Answer::Listed(items, odd),
        // Servers with resources need not know templates.
        Err(CallError::ServerError { error, .. })
            if error.code == code::METHOD_NOT_FOUND
                && (offer == Offer::Untold || kind == Kind::Templates) =>
        {
            Answer::NotOffered
        }
        Err(error) => match connection.loss(&error) {
            Some(failure) => Answer::Lost(failure),
            None => Answer::Degraded(connection.degradation(&error)),
        },
    }
}
