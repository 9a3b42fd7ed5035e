//! Whoever answers what a server asks of us: a person, a model, a list of directories.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_protocol::{
    ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitMode, ElicitParams,
    ElicitResult, Input, Json, ListRootsResult, code,
};

use crate::options::Options;
use crate::turns;

/// Answers what a server asks of the client. Each method that is not written refuses.
///
/// A method is called only for what [`Options::capabilities`](crate::Options::capabilities) declare. In the legacy
/// era its future is dropped when the server no longer wants the answer.
#[async_trait]
pub trait Handler: Send + Sync {
    /// Asks a person (MCP 2026-07-28, client/elicitation). Whoever shows this names the server, offers to decline and
    /// to cancel, and never opens an address without consent.
    async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Refusal> {
        drop(params);
        Err(Refusal::unsupported())
    }

    /// Asks a model (MCP 2026-07-28, client/sampling).
    async fn create_message(&self, params: CreateMessageParams) -> Result<CreateMessageResult, Refusal> {
        drop(params);
        Err(Refusal::unsupported())
    }

    /// Names the directories that the server may look at (MCP 2026-07-28, client/roots).
    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        Err(Refusal::unsupported())
    }
}

/// What the server asks is not answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The JSON-RPC code that a legacy server is told.
    pub code: i64,
    /// Why, for the server and for the caller of the request that needed it.
    pub message: String,
}

impl Refusal {
    /// A person said no (MCP 2025-11-25, client/sampling: code -1).
    #[must_use]
    pub fn rejected(message: impl Into<String>) -> Self {
        Self { code: code::USER_REJECTED_SAMPLING, message: message.into() }
    }

    /// It is not possible here.
    #[must_use]
    pub fn unsupported() -> Self {
        Self { code: code::METHOD_NOT_FOUND, message: "this client cannot do that".into() }
    }

    /// The server asks in a way that it must not.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self { code: code::INVALID_PARAMS, message: message.into() }
    }
}

/// A handler as [`Options`](crate::Options) hold it.
#[derive(Clone)]
pub struct HandlerHandle(pub(crate) Arc<dyn Handler>);

impl HandlerHandle {
    /// Wraps a handler. Connections share it.
    #[must_use]
    pub fn new(handler: impl Handler + 'static) -> Self {
        Self(Arc::new(handler))
    }
}

impl From<Arc<dyn Handler>> for HandlerHandle {
    fn from(handler: Arc<dyn Handler>) -> Self {
        Self(handler)
    }
}

impl fmt::Debug for HandlerHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HandlerHandle")
    }
}

/// The handler of a connection and what was declared for it.
#[derive(Clone, Default)]
pub(crate) struct Handlers {
    options: Arc<Options>,
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handlers").field("is_there", &self.options.handler.is_some()).finish_non_exhaustive()
    }
}

impl Handlers {
    pub(crate) fn new(options: Arc<Options>) -> Self {
        Self { options }
    }

    /// Whether anything was declared that a server may ask for.
    pub(crate) fn answer_anything(&self) -> bool {
        let ClientCapabilities { roots, sampling, elicitation, .. } = &self.options.capabilities;
        roots.is_some() || sampling.is_some() || elicitation.is_some()
    }

    /// The result of what a server wants, as JSON.
    pub(crate) async fn answer(&self, input: Input) -> Result<Json, Refusal> {
        self.may_be_asked(&input)?;
        let Some(HandlerHandle(handler)) = &self.options.handler else { return Err(Refusal::unsupported()) };
        let json = |result: Result<Json, serde_json::Error>| result.expect("wire types have a JSON form");
        match input {
            Input::Elicit(params) => {
                let mode = params.mode();
                let result = handler.elicit(*params).await?;
                Ok(json(Json::encode(&without_idle_content(mode, result))))
            }
            Input::CreateMessage(params) => {
                handler.create_message(*params).await.map(|result| json(Json::encode(&result)))
            }
            Input::ListRoots(_) => handler.list_roots().await.map(|result| json(Json::encode(&result))),
            _ => Err(Refusal::unsupported()),
        }
    }

    /// A server must not ask for what was not declared, nor a model something that makes no sense (MCP 2025-11-25,
    /// client/elicitation and client/sampling).
    pub(crate) fn may_be_asked(&self, input: &Input) -> Result<(), Refusal> {
        match input {
            Input::Elicit(params) => {
                let declared = self.options.capabilities.elicitation.as_ref();
                let has = |mode| match mode {
                    ElicitMode::Form => declared.is_some_and(|declared| declared.has_form()),
                    ElicitMode::Url => declared.is_some_and(|declared| declared.url.is_some()),
                    _ => false,
                };
                let mode = params.mode();
                if has(mode.clone()) { Ok(()) } else { Err(undeclared(&format!("elicitation mode {mode}"))) }
            }
            Input::CreateMessage(params) => match &self.options.capabilities.sampling {
                None => Err(undeclared("sampling")),
                Some(sampling) if sampling.tools.is_none() && wants_tools(params) => {
                    Err(undeclared("tools in sampling"))
                }
                Some(_) => turns::fit(&params.messages).map_err(Refusal::invalid),
            },
            Input::ListRoots(_) if self.options.capabilities.roots.is_none() => Err(undeclared("roots")),
            _ => Ok(()),
        }
    }
}

fn wants_tools(params: &CreateMessageParams) -> bool {
    params.tools.is_some() || params.tool_choice.is_some()
}

fn undeclared(what: &str) -> Refusal {
    Refusal::invalid(format!("this client did not declare {what}"))
}

/// Only who accepts a form fills something in (MCP 2026-07-28, client/elicitation).
fn without_idle_content(mode: ElicitMode, mut result: ElicitResult) -> ElicitResult {
    if mode != ElicitMode::Form || result.action != ElicitAction::Accept {
        result.content = None;
    }
    result
}
