//! Whoever answers what servers ask: always the same, and what was asked is remembered.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codewhale_mcp_client::{Handler, HandlerHandle, Refusal};
use codewhale_mcp_protocol::{
    Content, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitParams, ElicitResult, Json,
    ListRootsResult, Members, Role, Root,
};
use serde_json::Value;

/// A person, a model and a list of directories.
#[derive(Clone)]
pub(crate) struct Person {
    elicitation: ElicitResult,
    sampling: Result<String, Refusal>,
    roots: Arc<Mutex<Vec<Root>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Person {
    /// Somebody who accepts with these values, whose model says `hello`, and who has no directories.
    pub(crate) fn who_accepts(content: Value) -> Self {
        let Value::Object(content) = content else { unreachable!("checks give objects") };
        let content: Members<Json> =
            content.into_iter().map(|(name, value)| (name, Json::from(value))).collect();
        Self::new(ElicitResult::accept(content), Ok("hello".into()))
    }

    /// Somebody who declines or cancels, and lets nobody ask the model.
    pub(crate) fn who_answers(action: ElicitAction) -> Self {
        Self::new(ElicitResult::of(action), Err(Refusal::rejected("the person said no")))
    }

    fn new(elicitation: ElicitResult, sampling: Result<String, Refusal>) -> Self {
        Self { elicitation, sampling, roots: Arc::default(), asked: Arc::default() }
    }

    /// The same with these directories, which may be others later.
    pub(crate) fn with_roots(self, roots: &[(&str, &str)]) -> Self {
        self.now_has_roots(roots);
        self
    }

    pub(crate) fn now_has_roots(&self, roots: &[(&str, &str)]) {
        let root = |(name, uri): &(&str, &str)| Root {
            uri: (*uri).into(),
            name: Some((*name).into()),
            ..Root::default()
        };
        *self.roots.lock().expect("nobody panics here") = roots.iter().map(root).collect();
    }

    /// What people and the model were asked so far, in the servers' words.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panics here").clone()
    }

    pub(crate) fn handler(&self) -> HandlerHandle {
        HandlerHandle::new(self.clone())
    }

    fn remember(&self, question: String) {
        self.asked.lock().expect("nobody panics here").push(question);
    }
}

#[async_trait]
impl Handler for Person {
    async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Refusal> {
        self.remember(params.url.clone().unwrap_or(params.message));
        Ok(self.elicitation.clone())
    }

    async fn create_message(&self, params: CreateMessageParams) -> Result<CreateMessageResult, Refusal> {
        let said = params.messages.iter().flat_map(|message| message.content.as_slice());
        self.remember(said.filter_map(|content| content.text.clone()).collect());
        let text = self.sampling.clone()?;
        Ok(CreateMessageResult {
            role: Role::Assistant,
            content: Content::text(text).into(),
            model: "whale-1".into(),
            ..CreateMessageResult::default()
        })
    }

    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        let roots = self.roots.lock().expect("nobody panics here").clone();
        Ok(ListRootsResult { roots, ..ListRootsResult::default() })
    }
}
