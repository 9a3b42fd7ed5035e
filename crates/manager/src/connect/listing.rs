//! The first list of tools, and what is wrong with it.

use std::collections::HashSet;

use codewhale_mcp_client::{CallError, Client, Listed};
use codewhale_mcp_config::{Server, Transport};
use codewhale_mcp_protocol::{Era, ServerCapabilities, Tool, code, method};
use codewhale_mcp_redact::safe_line;
use tokio::time::{Instant, timeout_at};

use super::failure::Failure;
use super::manager::is_remembered;
use super::report::{Degradation, Oddity, Outcome, Ready, TransportUsed};
use crate::logs::Log;
use crate::schema_fault;

/// What became of the first list.
pub(crate) struct FirstList {
    /// Whether the server was asked for it.
    pub(crate) asked: bool,
    /// What was found, or why the server is lost.
    pub(crate) found: Result<Found, Failure>,
}

/// How a server that is alive turned out.
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) oddities: Vec<Oddity>,
    /// Every tool, whatever the configuration offers; `None` if the list failed, or nobody will remember it.
    pub(crate) all: Option<Vec<Tool>>,
}

impl FirstList {
    /// Nobody wants to know the tools.
    pub(crate) fn not_read(client: &Client, server: &Server) -> Self {
        let outcome = Outcome::Ready(ready(client, server, Vec::new(), 0));
        Self { asked: false, found: Ok(Found { outcome, oddities: Vec::new(), all: None }) }
    }
}

/// Reads a server's list of tools until `deadline`.
pub(crate) async fn list(client: &Client, server: &Server, deadline: Instant, log: &Log) -> FirstList {
    let established = client.server();
    let offers = established.capabilities.tools.is_some();
    // A modern server may leave its capabilities out; then only asking tells.
    let untold =
        established.era() == Era::Modern && established.capabilities == ServerCapabilities::default();
    if !offers && !untold {
        return FirstList { asked: false, found: Ok(found(client, server, Listed::default(), offers)) };
    }
    let listed = match timeout_at(deadline, client.list_tools()).await {
        Ok(listed) => listed,
        Err(_) => {
            let after = server.timeouts.connect.value;
            Err(CallError::ServerTimedOut { method: method::TOOLS_LIST, after })
        }
    };
    let found = match listed {
        Ok(tools) => Ok(found(client, server, tools, offers)),
        Err(CallError::ServerError { error, .. }) if !offers && error.code == code::METHOD_NOT_FOUND => {
            Ok(found(client, server, Listed::default(), offers))
        }
        Err(error) => match (client.gone(), Failure::of_login(&error, log)) {
            (Some(gone), _) => Err(Failure::of_loss(&gone, &error, log)),
            (None, Some(login)) => Err(login),
            (None, None) => {
                let outcome = Outcome::Degraded(
                    ready(client, server, Vec::new(), 0),
                    Degradation::of_list(&error, log),
                );
                Ok(Found { outcome, oddities: Vec::new(), all: None })
            }
        },
    };
    FirstList { asked: true, found }
}

fn found(client: &Client, server: &Server, listed: Listed<Tool>, offers: bool) -> Found {
    let mut oddities: Vec<Oddity> = listed.warning.map(Oddity::from).into_iter().collect();
    let mut all = listed.items;
    let mut seen = HashSet::with_capacity(all.len());
    let first: Vec<bool> = all.iter().map(|tool| seen.insert(tool.name.as_str())).collect();
    let mut first = first.into_iter();
    all.retain(|tool| {
        let name = || safe_line(&tool.name).into_owned();
        let is_first = first.next() == Some(true);
        if !is_first {
            oddities.push(Oddity::ListedTwice { tool: name() });
        } else if let Some(fault) = schema_fault(tool) {
            oddities.push(Oddity::Schema { tool: name(), fault });
        }
        is_first
    });
    let is_empty = all.is_empty();
    let (offered, not_offered, all) = offered(server, all);
    let ready = ready(client, server, offered, not_offered);
    let outcome = match offers && is_empty {
        true => Outcome::Degraded(ready, Degradation::empty()),
        false => Outcome::Ready(ready),
    };
    Found { outcome, oddities, all }
}

/// What the configuration offers, how many it does not, and everything again where that will be remembered: nothing is
/// copied for nobody.
fn offered(server: &Server, mut all: Vec<Tool>) -> (Vec<Tool>, usize, Option<Vec<Tool>>) {
    let (count, allows) = (all.len(), |tool: &Tool| server.tools.allows(&tool.name));
    let (offered, all) = if is_remembered(server) {
        (all.iter().filter(|tool| allows(tool)).cloned().collect(), Some(all))
    } else {
        all.retain(allows);
        (all, None)
    };
    let not_offered = count - offered.len();
    (offered, not_offered, all)
}

fn ready(client: &Client, server: &Server, tools: Vec<Tool>, not_offered: usize) -> Ready {
    let transport = match (&server.transport, client.memory().event_stream) {
        (Transport::Stdio(_), _) => TransportUsed::Stdio,
        (_, true) => TransportUsed::HttpSse,
        (_, false) => TransportUsed::StreamableHttp,
    };
    let established = client.server().clone();
    Ready { established, transport, tools, not_offered }
}
