//! Prompts: a function, and what clients are told of it.

use codewhale_mcp_protocol::{Content, GetPromptResult, Json, Prompt, PromptArgument, PromptMessage, Role};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::tool::{for_input, members};
use crate::{Context, Failure, Handling, Reply};

type Get = Box<dyn Fn(&str, Context) -> Handling + Send + Sync>;

/// A prompt and what fills it in: see [`prompt`].
#[must_use = "a prompt is offered by a server"]
pub struct PromptRoute {
    pub(super) prompt: Prompt,
    get: Get,
}

/// What a prompt's function may answer.
pub trait PromptOutput {
    /// The result.
    fn into_result(self) -> GetPromptResult;
}

impl PromptOutput for GetPromptResult {
    fn into_result(self) -> GetPromptResult {
        self
    }
}

impl PromptOutput for Vec<PromptMessage> {
    fn into_result(self) -> GetPromptResult {
        GetPromptResult { messages: self, ..GetPromptResult::default() }
    }
}

/// What a user says.
impl PromptOutput for String {
    fn into_result(self) -> GetPromptResult {
        let content = Content::text(self);
        vec![PromptMessage { role: Role::User, content, ..PromptMessage::default() }].into_result()
    }
}

/// A prompt whose arguments are a type. They are texts, so its members are strings, or what is made of one, and those
/// that may be missing are `Option`s.
pub fn prompt<A, R, F, Fut>(name: impl Into<String>, function: F) -> PromptRoute
where
    A: DeserializeOwned + JsonSchema,
    R: PromptOutput,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, Failure>> + Send + 'static,
{
    let (properties, required) = members(&for_input::<A>());
    let word = |schema: &Value, name: &str| schema.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let argument = |(name, schema): (String, Value)| PromptArgument {
        required: Some(required.contains(&name)),
        title: word(&schema, "title"),
        description: word(&schema, "description"),
        name,
        ..PromptArgument::default()
    };
    let arguments: Vec<PromptArgument> = properties.into_iter().map(argument).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let get = move |arguments: &str, context: Context| match serde_json::from_str::<A>(arguments) {
        Err(error) => Handling::refused(Failure::invalid_params(error.to_string())),
        Ok(decoded) => {
            let messages = function(decoded, context);
            Handling::later(async move { Ok(Reply::from(messages.await?.into_result())) })
        }
    };
    PromptRoute { prompt: Prompt { name: name.into(), arguments, ..Prompt::default() }, get: Box::new(get) }
}

impl PromptRoute {
    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.prompt.title = Some(title.into());
        self
    }

    /// What it is for.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.prompt.description = Some(description.into());
        self
    }

    /// Anything more that clients are told.
    pub fn meta(mut self, meta: Json) -> Self {
        self.prompt.meta = Some(meta.into());
        self
    }

    pub(super) fn get(&self, arguments: &str, context: Context) -> Handling {
        (self.get)(if arguments == "null" { "{}" } else { arguments }, context)
    }
}
