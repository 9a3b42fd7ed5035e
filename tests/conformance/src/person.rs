//! Whoever answers what servers ask: agrees to every form with its defaults.

use async_trait::async_trait;
use codewhale_mcp_client::{Handler, Refusal};
use codewhale_mcp_protocol::{
    ClientCapabilities, Content, CreateMessageParams, CreateMessageResult, ElicitAction, ElicitMode,
    ElicitParams, ElicitResult, ElicitationCapability, Json, ListRootsResult, Members, Role, Root,
    RootsCapability, SamplingCapability, with_defaults,
};

/// A person, a model and a folder.
#[derive(Debug)]
pub(crate) struct Person;

/// What such a person can do for a server.
pub(crate) fn capabilities() -> ClientCapabilities {
    let form = Json::from_text("{}").expect("it is an object");
    ClientCapabilities {
        roots: Some(RootsCapability::default()),
        sampling: Some(SamplingCapability::default()),
        elicitation: Some(ElicitationCapability { form: Some(form), ..ElicitationCapability::default() }),
        ..ClientCapabilities::default()
    }
}

#[async_trait]
impl Handler for Person {
    async fn elicit(&self, params: ElicitParams) -> Result<ElicitResult, Refusal> {
        let form = params.requested_schema.as_ref().and_then(|schema| schema.read().ok()?.form().ok());
        Ok(match (params.mode(), form) {
            (ElicitMode::Form, Some(form)) => ElicitResult::accept(with_defaults(&form, Members::default())),
            _ => ElicitResult::of(ElicitAction::Decline),
        })
    }

    async fn create_message(&self, _: CreateMessageParams) -> Result<CreateMessageResult, Refusal> {
        Ok(CreateMessageResult {
            role: Role::Assistant,
            content: Content::text("hello").into(),
            model: "none".into(),
            ..CreateMessageResult::default()
        })
    }

    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        let root = Root { uri: "file:///".into(), ..Root::default() };
        Ok(ListRootsResult { roots: vec![root], ..ListRootsResult::default() })
    }
}
