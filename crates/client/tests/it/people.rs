//! A handler whose answers the test gives itself, when it likes.

use async_trait::async_trait;
use codewhale_mcp_client::{Handler, HandlerHandle, Options, Refusal};
use codewhale_mcp_protocol::{
    ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitParams, ElicitResult,
    Json, ListRootsResult,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// What is to be answered, and with what.
type Answer<T> = oneshot::Sender<Result<T, Refusal>>;

/// What the client was asked. Its handler waits for the answer.
pub(crate) enum Asked {
    Elicit(ElicitParams, Answer<ElicitResult>),
    Message(CreateMessageParams, Answer<CreateMessageResult>),
    Roots(Answer<ListRootsResult>),
}

/// Everything that the client is asked, in order.
pub(crate) struct People(mpsc::Receiver<Asked>);

/// Options of a client that declares these capabilities, and who answers for it.
pub(crate) fn people(capabilities: Value) -> (Options, People) {
    let (asked, questions) = mpsc::channel(16);
    let mut options = declaring(capabilities);
    options.handler = Some(HandlerHandle::new(Desk(asked)));
    (options, People(questions))
}

/// Options of a client that declares these capabilities and answers nothing.
pub(crate) fn declaring(capabilities: Value) -> Options {
    let capabilities: ClientCapabilities = serde_json::from_value(capabilities).expect("capabilities");
    let mut options = Options::default();
    options.capabilities = capabilities;
    options
}

/// Everything there is to declare.
pub(crate) fn everything() -> Value {
    json!({
        "roots": {"listChanged": true},
        "sampling": {"tools": {}},
        "elicitation": {"form": {}, "url": {}},
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    })
}

impl People {
    async fn next(&mut self) -> Asked {
        self.0.recv().await.expect("the client is there")
    }

    /// The next question to a person.
    pub(crate) async fn elicited(&mut self) -> (ElicitParams, Answer<ElicitResult>) {
        match self.next().await {
            Asked::Elicit(params, answer) => (params, answer),
            _ => panic!("not a question to a person"),
        }
    }

    /// The next question to a model.
    pub(crate) async fn sampled(&mut self) -> (CreateMessageParams, Answer<CreateMessageResult>) {
        match self.next().await {
            Asked::Message(params, answer) => (params, answer),
            _ => panic!("not a question to a model"),
        }
    }

    /// The next question for directories.
    pub(crate) async fn roots(&mut self) -> Answer<ListRootsResult> {
        match self.next().await {
            Asked::Roots(answer) => answer,
            _ => panic!("not a question for directories"),
        }
    }

    /// Nothing was asked that was not looked at.
    pub(crate) fn are_not_asked(&mut self) {
        assert!(self.0.try_recv().is_err(), "somebody is asked something");
    }
}

/// A person agrees and fills this in.
pub(crate) fn accept(content: Value) -> Result<ElicitResult, Refusal> {
    let content = Json::from(content).decode().expect("an object");
    Ok(ElicitResult::accept(content))
}

pub(crate) fn decline() -> Result<ElicitResult, Refusal> {
    Ok(ElicitResult::of(ElicitAction::Decline))
}

/// A model's answer.
pub(crate) fn says(content: Value) -> Result<CreateMessageResult, Refusal> {
    let result = json!({"role": "assistant", "content": content, "model": "m", "stopReason": "endTurn"});
    Ok(serde_json::from_value(result).expect("a message"))
}

pub(crate) fn directories(roots: Value) -> Result<ListRootsResult, Refusal> {
    Ok(serde_json::from_value(json!({"roots": roots})).expect("directories"))
}

/// Hands every question on.
struct Desk(mpsc::Sender<Asked>);

impl Desk {
    async fn hand_on<T>(&self, asked: impl FnOnce(Answer<T>) -> Asked) -> Result<T, Refusal> {
        let (answer, given) = oneshot::channel();
        if self.0.send(asked(answer)).await.is_err() {
            return Err(Refusal::rejected("nobody is there"));
        }
        given.await.unwrap_or_else(|_| Err(Refusal::rejected("nobody answers")))
    }
}

#[async_trait]
impl Handler for Desk {
    async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Refusal> {
        self.hand_on(|answer| Asked::Elicit(params, answer)).await
    }

    async fn create_message(&self, params: CreateMessageParams) -> Result<CreateMessageResult, Refusal> {
        self.hand_on(|answer| Asked::Message(params, answer)).await
    }

    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        self.hand_on(Asked::Roots).await
    }
}
