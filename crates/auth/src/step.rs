//! One step of a flow that asks for requests.

use codewhale_mcp_net::Call;

/// What a step leads to.
#[derive(Debug)]
pub enum Step<S, T> {
    /// A request is to be made, and its answer to be shown to what goes on from here.
    Ask(S, Call),
    /// It is done.
    Done(T),
}
