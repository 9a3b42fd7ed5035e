//! Asking the client and its user, the same in both eras.

use codewhale_mcp_protocol::{
    BareParams, ClientCapabilities, CreateMessageParams, CreateMessageResult, ElicitMode, ElicitParams,
    ElicitResult, ElicitationCapability, Era, ErrorObject, Json, ListRootsResult, Request, Revision,
    RootsCapability, SamplingCapability, method,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Asking, Context};
use crate::Failure;
use crate::secret_id::new_id;
use crate::subscriptions::{News, notification};

/// What was asked for did not come.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The client does not declare that it can be asked this.
    #[error("the client does not declare that it can be asked for this")]
    NotDeclared {
        /// What it would have to declare.
        required: Box<ClientCapabilities>,
    },
    /// The client refused, or could not (legacy).
    #[error("the client refuses: {0}")]
    ClientRefused(ErrorObject),
    /// The client's answer is none to this question.
    #[error("the client's answer cannot be read: {0}")]
    ClientInvalid(String),
    /// The client has left.
    #[error("the client has left")]
    Gone,
}

impl InputError {
    pub(crate) fn into_failure(self) -> Failure {
        match self {
            Self::NotDeclared { required } => Failure::not_declared(*required),
            Self::ClientInvalid(_) => Failure::invalid_params(self.to_string()),
            Self::ClientRefused(_) | Self::Gone => Failure::told(self.to_string()),
        }
    }
}

/// In the modern era a request that needs input is answered with the questions, and comes again with the answers: the
/// handler runs again from its beginning, and what was answered before is there at once. So a question is known by its
/// `key`, which is unique within the handler, and what must not happen twice stands behind the last question, or in
/// [`once`](Context::once). Several questions that wait at the same time are asked together.
impl Context {
    /// Asks the user (MCP 2026-07-28, client/elicitation).
    ///
    /// # Errors
    /// [`InputError`], when there is no answer. A user who declines has answered.
    pub async fn elicit(&self, key: &str, mut params: ElicitParams) -> Result<ElicitResult, InputError> {
        let by_url = params.mode() == ElicitMode::Url;
        let since = if by_url { Revision::V2025_11_25 } else { Revision::V2025_06_18 };
        let able = self.revision() >= since && can_elicit(self.client_capabilities(), &params);
        // One revision wants an id that the end of the visit is told by.
        match by_url && self.era() == Era::Legacy {
            true => {
                params.elicitation_id = params.elicitation_id.or_else(|| Some(format!("{key}-{}", new_id())))
            }
            false => params.elicitation_id = None,
        }
        let mut required = ElicitationCapability::default();
        *(if by_url { &mut required.url } else { &mut required.form }) = Json::from_text("{}").ok();
        let required = ClientCapabilities { elicitation: Some(required), ..ClientCapabilities::default() };
        self.ask(key, method::ELICITATION_CREATE, params, able, required).await
    }

    /// Says that what a person had to do at the address of a question is done, to a client whose revision wants to know it
    /// (2025-11-25, client/elicitation); others ask for the result again. The question was asked with this
    /// `elicitation_id`. It may be said after the request was answered, too.
    pub async fn elicitation_complete(&self, elicitation_id: &str) {
        let Some(session) = self.parts().asking.session() else { return };
        let asked = session.capabilities().elicitation.as_ref().is_some_and(|able| able.url.is_some());
        if self.revision() != Revision::V2025_11_25 || !asked {
            return;
        }
        let news = News::Visited(elicitation_id.to_owned());
        // Who waits for the answer hears it there, and everybody else where the server says things by itself.
        if self.parts().outlet.send(notification(news, None)).await.is_err() {
            session.listener().visited(elicitation_id);
        }
    }

    /// Asks the client's model (MCP 2026-07-28, client/sampling; deprecated there).
    ///
    /// # Errors
    /// [`InputError`], when there is no answer.
    pub async fn sample(
        &self,
        key: &str,
        params: CreateMessageParams,
    ) -> Result<CreateMessageResult, InputError> {
        let able = can_sample(self.client_capabilities(), &params);
        let tools = if wants_tools(&params) { Json::from_text("{}").ok() } else { None };
        let required = SamplingCapability { tools, ..SamplingCapability::default() };
        let required = ClientCapabilities { sampling: Some(required), ..ClientCapabilities::default() };
        self.ask(key, method::SAMPLING_CREATE_MESSAGE, params, able, required).await
    }

    /// Asks for the client's directories (MCP 2026-07-28, client/roots; deprecated there).
    ///
    /// # Errors
    /// [`InputError`], when there is no answer.
    pub async fn roots(&self, key: &str) -> Result<ListRootsResult, InputError> {
        let able = self.client_capabilities().roots.is_some();
        let required =
            ClientCapabilities { roots: Some(RootsCapability::default()), ..ClientCapabilities::default() };
        self.ask(key, method::ROOTS_LIST, BareParams::default(), able, required).await
    }

    /// Does something once, however often the handler runs again: what came of it is kept with the questions and
    /// answers, by the client, who can read it and cannot change it.
    ///
    /// # Errors
    /// Whatever the work fails with; a failure is not kept.
    pub async fn once<T, F>(&self, key: &str, work: F) -> Result<T, Failure>
    where
        T: Serialize + DeserializeOwned,
        F: Future<Output = Result<T, Failure>>,
    {
        let Asking::Rounds(rounds) = &self.parts().asking else { return work.await };
        if let Some(kept) = rounds.kept(key) {
            return Ok(kept.decode()?);
        }
        let value = work.await?;
        rounds.keep(key, Json::encode(&value)?);
        Ok(value)
    }

    async fn ask<P: Serialize, R: DeserializeOwned>(
        &self,
        key: &str,
        name: &str,
        params: P,
        able: bool,
        required: ClientCapabilities,
    ) -> Result<R, InputError> {
        if !able {
            return Err(InputError::NotDeclared { required: Box::new(required) });
        }
        let params = Json::encode(&params).map_err(|error| InputError::ClientInvalid(error.to_string()))?;
        let parts = self.parts();
        let answer = match &parts.asking {
            Asking::Session(session) => session.ask(&parts.outlet, name, &params).await?,
            Asking::Rounds(rounds) => {
                rounds.ask(key, input_request(name, params), || parts.control.wake_driver()).await
            }
            Asking::Task { entry, .. } => entry.ask(key, input_request(name, params)).await?,
        };
        answer.decode().map_err(|error| InputError::ClientInvalid(error.to_string()))
    }
}

/// Whether a client says that it can be asked this.
pub(crate) fn can_be_asked(client: &ClientCapabilities, question: &Request) -> bool {
    let params = question.params.clone().unwrap_or_default();
    match &*question.method {
        method::ELICITATION_CREATE => params.decode().is_ok_and(|params| can_elicit(client, &params)),
        method::SAMPLING_CREATE_MESSAGE => params.decode().is_ok_and(|params| can_sample(client, &params)),
        _ => client.roots.is_some(),
    }
}

fn can_elicit(client: &ClientCapabilities, params: &ElicitParams) -> bool {
    let by_url = params.mode() == ElicitMode::Url;
    client.elicitation.as_ref().is_some_and(|able| if by_url { able.url.is_some() } else { able.has_form() })
}

fn can_sample(client: &ClientCapabilities, params: &CreateMessageParams) -> bool {
    client.sampling.as_ref().is_some_and(|able| !wants_tools(params) || able.tools.is_some())
}

fn wants_tools(params: &CreateMessageParams) -> bool {
    params.tools.is_some() || params.tool_choice.is_some()
}

fn input_request(name: &str, params: Json) -> Request {
    Request { method: name.to_owned(), params: Some(params), ..Request::default() }
}
