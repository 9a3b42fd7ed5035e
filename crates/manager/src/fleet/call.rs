//! A tool is called.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_client::{ArgumentCheck, CallError, ExchangeError, ExchangeFault, check_arguments};
use codewhale_mcp_protocol::{CallToolResult, Json, ProgressParams, Tool, method};
use serde::Serialize;
use tokio::time::Instant;

use super::error::FleetError;
use super::handle::Fleet;
use super::live::Live;
use super::trouble::Trouble;
use super::wait::deadline;
use crate::connect::{chain, missing_scopes};
use crate::names::ToolId;
use crate::suggest;
use crate::supervisor::Fact;

/// A list of tools, and where one stands in it.
type Place = (Arc<Vec<Tool>>, usize);

/// A call that has not been made yet.
#[must_use = "a call is made by `send`"]
pub struct ToolCall<'a, A: ?Sized> {
    fleet: &'a Fleet,
    tool: &'a ToolId,
    arguments: &'a A,
    timeout: Option<Duration>,
    on_progress: Option<Box<dyn FnMut(ProgressParams) + Send + 'a>>,
}

impl<A: ?Sized> fmt::Debug for ToolCall<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall").field("tool", self.tool).finish_non_exhaustive()
    }
}

impl Fleet {
    /// Calls a tool by the names that its owner and its server gave it. `arguments` must be a JSON object. Its server is
    /// started if nobody has needed it yet; then the arguments are held against the tool as the server has it now.
    pub fn call<'a, A: Serialize + ?Sized>(&'a self, tool: &'a ToolId, arguments: &'a A) -> ToolCall<'a, A> {
        ToolCall { fleet: self, tool, arguments, timeout: None, on_progress: None }
    }

    /// A tool as its server has it now, for those who want to look at it before they call it. Its server is started if
    /// nobody has needed it yet, and waited for, `patience` at most.
    ///
    /// # Errors
    /// As for a call.
    pub async fn definition(&self, tool: &ToolId, patience: Duration) -> Result<Tool, FleetError> {
        self.live(&tool.server, deadline(patience)).await?;
        let tools = self.tools_of(&tool.server)?;
        match tools.iter().find(|offered| offered.name == tool.tool) {
            Some(offered) => Ok(offered.clone()),
            None => Err(self.not_offered(tool)),
        }
    }

    /// Why a tool that was looked for is not there.
    fn not_offered(&self, tool: &ToolId) -> FleetError {
        let held = self.lock();
        let member = held.members.get(&tool.server);
        let filtered =
            member.and_then(|member| member.server()).is_some_and(|server| !server.tools.allows(&tool.tool));
        if filtered {
            return FleetError::ToolNotOffered { tool: tool.clone() };
        }
        let tools = member.and_then(|member| member.tools.as_ref());
        let names = tools.into_iter().flat_map(|tools| tools.iter()).map(|tool| tool.name.as_str());
        let similar = suggest(&tool.tool, names).into_iter().map(str::to_owned).collect();
        FleetError::ToolUnknown { tool: tool.clone(), similar }
    }

    /// Takes note of what a request that failed says about its server. Calls do so by themselves; whoever sends other
    /// requests over [`connected`](Self::connected) tells of their failures here.
    pub fn heed(&self, server: &str, error: &CallError) {
        let live = self.lock().members.get(server).and_then(|member| member.live.clone());
        if let Some(live) = live {
            self.failed(server, &live, error);
        }
    }

    fn failed(&self, server: &str, live: &Live, error: &CallError) {
        let CallError::Exchange { fault, .. } = error else {
            if live.client.gone().is_some() {
                self.lost(server, live);
            }
            return;
        };
        let (attempt, causes) = (live.attempt, chain(error, &live.log));
        match &**fault {
            // What needs no more scopes goes on.
            ExchangeFault::LoginNeeded { challenges } if missing_scopes(challenges).is_some() => {}
            ExchangeFault::LoginNeeded { .. } => {
                self.gone(server, live, Fact::LoginLost { attempt }, Trouble::needs_login(causes));
            }
            ExchangeFault::SessionLost { .. } | ExchangeFault::Failed(ExchangeError::Unreachable { .. }) => {
                self.gone(server, live, Fact::Lost { attempt }, Trouble::unreachable(causes));
            }
            _ => {}
        }
    }
}

impl<'a, A: Serialize + ?Sized> ToolCall<'a, A> {
    /// The time the call may take, from now to its answer, a start of the server included; the server's own budget holds
    /// if it is shorter.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Calls `handler` for each progress notification, in the task that waits for the answer.
    pub fn on_progress(mut self, handler: impl FnMut(ProgressParams) + Send + 'a) -> Self {
        self.on_progress = Some(Box::new(handler));
        self
    }

    /// Makes the call and waits for its result. Dropping the future cancels it.
    ///
    /// # Errors
    /// [`FleetError`] says why the server could not be asked; [`FleetError::Request`] why it gave no result. A tool that
    /// refuses is no error: its result says so.
    pub async fn send(self) -> Result<CallToolResult, FleetError> {
        let begun = Instant::now();
        let Self { fleet, tool, arguments, timeout, on_progress } = self;
        let (budget, was_up) = fleet.terms(&tool.server)?;
        let total = timeout.map_or(budget, |timeout| timeout.min(budget));
        let live = fleet.live(&tool.server, deadline(total)).await?;
        let listed = fleet.listed_tool(tool)?;
        let listed = listed.as_ref().map(|(tools, at)| &tools[*at]);
        if let (false, Some(listed)) = (was_up, listed) {
            fits(tool, listed, arguments)?;
        }
        let left = total.saturating_sub(begun.elapsed());
        let _use = live.begin();
        let request = async {
            if let Some(listed) = listed.filter(|listed| live.client.must_be_a_task(listed)) {
                let result = live.client.call_listed_tool(listed, arguments);
                let late = |_| CallError::ServerTimedOut { method: method::TOOLS_CALL, after: total };
                return tokio::time::timeout(left, result).await.map_err(late)?;
            }
            let request = live.client.call_tool(&tool.tool, arguments).timeout(left);
            match on_progress {
                Some(handler) => request.on_progress(handler).send().await,
                None => request.send().await,
            }
        };
        let stopped = || FleetError::ServerStopped { server: tool.server.clone() };
        let result = tokio::select! {
            biased;
            result = request => result,
            () = live.closing() => return Err(stopped()),
        };
        match result {
            Ok(result) => {
                if live.first_success() {
                    fleet.tell(&tool.server, Fact::Called { attempt: live.attempt });
                }
                Ok(result)
            }
            Err(CallError::ClosedHere) => Err(stopped()),
            Err(source) => {
                fleet.failed(&tool.server, &live, &source);
                Err(FleetError::Request { server: tool.server.clone(), source })
            }
        }
    }
}

impl Fleet {
    /// The server's own budget for a call, and whether it is up.
    fn terms(&self, server: &str) -> Result<(Duration, bool), FleetError> {
        let held = self.lock();
        let unknown = || FleetError::ServerUnknown { server: server.to_owned() };
        let member = held.members.get(server).ok_or_else(unknown)?;
        let usable = member.server().ok_or_else(|| member.unready(server, self.now()))?;
        Ok((usable.timeouts.execute.value, member.live.is_some()))
    }

    /// Where a tool of a server that is up stands. `None` where the list is not known: the
    /// server itself may know the tool.
    fn listed_tool(&self, tool: &ToolId) -> Result<Option<Place>, FleetError> {
        let tools = {
            let held = self.lock();
            let member = held.members.get(&tool.server);
            let filter = member.and_then(|member| member.server()).map(|server| &server.tools);
            if filter.is_some_and(|filter| !filter.allows(&tool.tool)) {
                return Err(FleetError::ToolNotOffered { tool: tool.clone() });
            }
            member.and_then(|member| member.tools.clone())
        };
        let Some(tools) = tools else { return Ok(None) };
        match tools.iter().position(|offered| offered.name == tool.tool) {
            Some(at) => Ok(Some((tools, at))),
            None => Err(self.not_offered(tool)),
        }
    }
}

/// Holds arguments against a tool that was not looked at before.
fn fits<A: Serialize + ?Sized>(tool: &ToolId, listed: &Tool, arguments: &A) -> Result<(), FleetError> {
    // What has no JSON form is refused where it is sent.
    let Ok(arguments) = Json::encode(arguments) else { return Ok(()) };
    match check_arguments(listed, &arguments) {
        ArgumentCheck::Refused(faults) => Err(FleetError::ArgumentsInvalid { tool: tool.clone(), faults }),
        ArgumentCheck::Passed | ArgumentCheck::Unchecked(_) => Ok(()),
    }
}
