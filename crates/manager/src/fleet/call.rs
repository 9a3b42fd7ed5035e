//! A tool is called.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_client::{ArgumentCheck, CallError, ExchangeError, ExchangeFault, check_arguments};
use codewhale_mcp_protocol::{CallToolResult, Json, ProgressParams, Tool, method};
use serde::Serialize;
use tokio::time::Instant;

use super::error::FleetError;
use super::handle::Fleet;
use super::live::Live;
use super::member::Member;
use super::trouble::Trouble;
use super::wait::deadline;
use crate::connect::{chain, missing_scopes};
use crate::names::ToolId;
use crate::suggest;
use crate::supervisor::Fact;

/// A list of tools, and where one stands in it.
type Place = (Arc<Vec<Tool>>, usize);

/// The same, where it is held.
type ListedTool<'a> = (&'a Arc<Vec<Tool>>, usize);

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
            None => Err(not_offered(self.lock().members.get(&tool.server), tool)),
        }
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
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` moves the call once more and holds room for both"
    )]
    pub fn send(self) -> impl Future<Output = Result<CallToolResult, FleetError>> {
        async move {
            let Self { fleet, tool, arguments, timeout, on_progress } = self;
            let terms = match fleet.terms(tool, timeout)? {
                Some(terms) => terms,
                None => Box::pin(fleet.started(tool, arguments, timeout)).await?,
            };
            let Terms { live, budget, task } = terms;
            let begun = live.begin();
            let result = match task {
                Some((tools, at)) => {
                    let request = live.client.call_listed_tool(&tools[at], arguments);
                    let late = |_| CallError::ServerTimedOut { method: method::TOOLS_CALL, after: budget };
                    let request = async { tokio::time::timeout(budget, request).await.map_err(late)? };
                    begun.unless_closing(Box::pin(request)).await
                }
                None => {
                    let mut request = live.client.call_tool(&tool.tool, arguments).timeout(budget);
                    if let Some(handler) = on_progress {
                        request = request.on_progress(handler);
                    }
                    begun.unless_closing(pin!(request.send())).await
                }
            };
            let stopped = || FleetError::ServerStopped { server: tool.server.clone() };
            match result.ok_or_else(stopped)? {
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
}

/// What a call of a server that is up goes by.
struct Terms {
    live: Arc<Live>,
    /// The time that it may take from now on.
    budget: Duration,
    /// The tool in its list, where it has to be called as a task.
    task: Option<Place>,
}

impl Fleet {
    /// The terms of a call; none while its server is not up.
    fn terms(&self, tool: &ToolId, timeout: Option<Duration>) -> Result<Option<Terms>, FleetError> {
        let held = self.lock();
        let member = held.members.get(&tool.server).ok_or_else(|| unknown(tool))?;
        let own = self.budget(member, tool)?;
        let Some(live) = member.live.as_ref().filter(|_| !held.is_closing) else { return Ok(None) };
        let task = listed(member, tool)?.filter(|(tools, at)| live.client.must_be_a_task(&tools[*at]));
        let (live, task) = (live.clone(), task.map(|(tools, at)| (tools.clone(), at)));
        Ok(Some(Terms { live, budget: timeout.map_or(own, |timeout| timeout.min(own)), task }))
    }

    /// The terms of a call whose server has to be started first. The arguments are held against the tool, which nobody
    /// could look at before.
    async fn started<A: Serialize + ?Sized>(
        &self,
        tool: &ToolId,
        arguments: &A,
        timeout: Option<Duration>,
    ) -> Result<Terms, FleetError> {
        let begun = Instant::now();
        let own = {
            let held = self.lock();
            self.budget(held.members.get(&tool.server).ok_or_else(|| unknown(tool))?, tool)?
        };
        let total = timeout.map_or(own, |timeout| timeout.min(own));
        let live = self.live(&tool.server, deadline(total)).await?;
        let place = {
            let held = self.lock();
            let place = held.members.get(&tool.server).map(|member| listed(member, tool)).transpose()?;
            place.flatten().map(|(tools, at)| (tools.clone(), at))
        };
        if let Some((tools, at)) = &place {
            fits(tool, &tools[*at], arguments)?;
        }
        let task = place.filter(|(tools, at)| live.client.must_be_a_task(&tools[*at]));
        Ok(Terms { live, budget: total.saturating_sub(begun.elapsed()), task })
    }

    /// The server's own budget for a call.
    fn budget(&self, member: &Member, tool: &ToolId) -> Result<Duration, FleetError> {
        let server = member.server().ok_or_else(|| member.unready(&tool.server, self.now()))?;
        Ok(server.timeouts.execute.value)
    }
}

fn unknown(tool: &ToolId) -> FleetError {
    FleetError::ServerUnknown { server: tool.server.clone() }
}

/// Where a tool stands. `None` where the list is not known: the server itself may know the tool.
fn listed<'a>(member: &'a Member, tool: &ToolId) -> Result<Option<ListedTool<'a>>, FleetError> {
    if member.server().is_some_and(|server| !server.tools.allows(&tool.tool)) {
        return Err(FleetError::ToolNotOffered { tool: tool.clone() });
    }
    let Some(tools) = &member.tools else { return Ok(None) };
    match tools.iter().position(|offered| offered.name == tool.tool) {
        Some(at) => Ok(Some((tools, at))),
        None => Err(not_offered(Some(member), tool)),
    }
}

/// Why a tool that was looked for is not there.
fn not_offered(member: Option<&Member>, tool: &ToolId) -> FleetError {
    let filtered = member.and_then(Member::server).is_some_and(|server| !server.tools.allows(&tool.tool));
    if filtered {
        return FleetError::ToolNotOffered { tool: tool.clone() };
    }
    let tools = member.and_then(|member| member.tools.as_ref());
    let names = tools.into_iter().flat_map(|tools| tools.iter()).map(|tool| tool.name.as_str());
    let similar = suggest(&tool.tool, names).into_iter().map(str::to_owned).collect();
    FleetError::ToolUnknown { tool: tool.clone(), similar }
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
