//! From the engine's errors to a carrier's.

use codewhale_mcp_net::NetError;
use url::Url;

use crate::{Blocked, ExchangeError};

/// A request to `url` had no answer.
pub(super) fn of_net(error: NetError, url: &Url) -> ExchangeError {
    let unreachable = |host: String, reason: String| ExchangeError::Unreachable { host, reason };
    match error {
        NetError::Refused(refusal) => ExchangeError::Blocked(Blocked {
            rule: refusal.rule.text(),
            host: refusal.host,
            address: refusal.address,
        }),
        NetError::Resolve { host, reason } => unreachable(host, format!("its name has no address: {reason}")),
        NetError::Connect { host, reason } => unreachable(host, reason),
        NetError::ConnectTimeout { host, limit } => {
            unreachable(host, format!("no connection within {} s", limit.as_secs_f32()))
        }
        NetError::Tls { host, reason } => unreachable(host, format!("no secure connection: {reason}")),
        error @ (NetError::Proxy { .. } | NetError::NoProxy(_) | NetError::NoRequest { .. }) => {
            unreachable(host(url), error.to_string())
        }
        NetError::Redirected { status, target, why } => ExchangeError::Redirected { status, target, why },
        NetError::LoginNeeded { challenges } => ExchangeError::LoginNeeded { challenges },
        NetError::LoginFailed { reason } => ExchangeError::LoginFailed { reason },
        NetError::ScopesRefused { reason } => ExchangeError::ScopesRefused { reason },
        error => of_body(error),
    }
}

/// The body of an answer broke off.
pub(super) fn of_body(error: NetError) -> ExchangeError {
    match error {
        NetError::TooLong { what, limit } => ExchangeError::TooLong { what, limit },
        NetError::Broken { reason } => ExchangeError::Broken(reason),
        other => ExchangeError::Broken(other.to_string()),
    }
}

/// The link was stopped.
pub(super) fn closed() -> ExchangeError {
    ExchangeError::Broken("it was closed from this side".to_owned())
}

/// A header of the message cannot be sent.
pub(super) fn no_header(url: &Url, name: &str) -> ExchangeError {
    ExchangeError::Unreachable { host: host(url), reason: format!("the header {name} cannot be sent") }
}

fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
