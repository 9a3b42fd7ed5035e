//! A tool and what answers it.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{
    CallToolResult, Content, Icon, Icons, Json, MoreTool, Revision, TaskSupport, Tool, ToolAnnotations,
    ToolExecution, ToolHeaders, Verbatim, read_json,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::{Check, is_of_object};
use super::{ToolOutput, schema};
use crate::failure::Kind;
use crate::tasks::Times;
use crate::{BuildError, Context, Failure, Handling, Reply};

type Call = Box<dyn Fn(&str, Context) -> Handling + Send + Sync>;

/// A tool and what answers it: see [`tool`].
#[must_use = "a tool is offered by a server"]
pub struct ToolRoute {
    pub(crate) tool: Tool,
    pub(crate) task: Option<TaskPolicy>,
    pub(crate) headers: Option<Arc<ToolHeaders>>,
    checks: Checks,
    check: Option<Check>,
    call: Call,
}

/// How a call becomes a task.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TaskPolicy {
    /// From its beginning.
    AtOnce { required: bool, times: Times },
    /// When its function says so.
    ByItself,
}

/// What of the schema is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    /// What decoding into a type leaves.
    BeyondTypes,
    Everything,
}

/// No arguments.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub struct NoArguments {}

/// A tool whose arguments are a type, of which its schema is derived. What the function answers is a [`ToolOutput`].
///
/// Arguments that do not fit are refused before the function is called: as a result that a model can learn from, in
/// revisions before 2025-11-25 as `-32602` (MCP 2025-11-25, server/tools).
///
/// ```
/// use codewhale_mcp_server::{Context, Failure, Server, Structured, tool};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Terms {
///     /// One number.
///     a: i64,
///     /// The other.
///     b: i64,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Sum {
///     sum: i64,
/// }
///
/// async fn add(terms: Terms, _: Context) -> Result<Structured<Sum>, Failure> {
///     let sum = terms.a.checked_add(terms.b).ok_or_else(|| Failure::told("too large"))?;
///     Ok(Structured(Sum { sum }))
/// }
///
/// let server = Server::builder("adder", "1.0.0")
///     .tool(tool("add", add).description("Adds two numbers.").read_only())
///     .build()?;
/// # Ok::<(), codewhale_mcp_server::BuildError>(())
/// ```
pub fn tool<A, R, F, Fut>(name: impl Into<String>, function: F) -> ToolRoute
where
    A: DeserializeOwned + JsonSchema,
    R: ToolOutput,
    F: Fn(A, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, Failure>> + Send + 'static,
{
    let more = MoreTool { output_schema: R::output_schema(), ..MoreTool::default() };
    let tool = Tool {
        name: name.into(),
        input_schema: Some(Json::from(schema::for_input::<A>())),
        more: more.output_schema.is_some().then(|| Box::new(more)),
        ..Tool::default()
    };
    let call = move |arguments: &str, context: Context| match read_json::<A>(arguments) {
        Err(error) => invalid(&error.to_string(), &context),
        Ok(decoded) => {
            let answer = function(decoded, context);
            Handling::later(async move { concluded(answer.await.and_then(ToolOutput::into_reply)) })
        }
    };
    ToolRoute::new(tool, Checks::BeyondTypes, Box::new(call))
}

/// A tool that is described by hand; its arguments are checked against its schema and come as they are.
pub fn raw_tool<F, Fut>(tool: Tool, function: F) -> ToolRoute
where
    F: Fn(Json, Context) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<CallToolResult, Failure>> + Send + 'static,
{
    let call = move |arguments: &str, context: Context| match Json::from_text(arguments) {
        Err(error) => invalid(&error.to_string(), &context),
        Ok(arguments) => {
            let answer = function(arguments, context);
            Handling::later(async move { concluded(answer.await.map(Reply::CallTool)) })
        }
    };
    ToolRoute::new(tool, Checks::Everything, Box::new(call))
}

impl ToolRoute {
    fn new(tool: Tool, checks: Checks, call: Call) -> Self {
        Self { tool, task: None, headers: None, checks, check: None, call }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.tool.title = Some(title.into());
        self
    }

    /// What it does, for models.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.tool.description = Some(description.into());
        self
    }

    /// Hints on its effects.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.tool.annotations = Some(annotations);
        self
    }

    /// It changes nothing, and reaches nothing outside of the server.
    pub fn read_only(self) -> Self {
        self.annotations(ToolAnnotations {
            read_only_hint: Some(true),
            open_world_hint: Some(false),
            ..ToolAnnotations::default()
        })
    }

    /// Pictures.
    pub fn icons(mut self, icons: Vec<Icon>) -> Self {
        self.tool.more.get_or_insert_default().icons = Some(Icons::from(&icons));
        self
    }

    /// Its input schema, in place of the derived one; arguments are checked against all of it.
    pub fn input_schema(mut self, schema: Json) -> Self {
        self.tool.input_schema = Some(schema);
        self.checks = Checks::Everything;
        self
    }

    /// Calls become tasks, kept for `lifetime`: in the modern era for clients that know tasks (extension
    /// `io.modelcontextprotocol/tasks`), in 2025-11-25 where the client asks for one. Others wait for the answer.
    pub fn as_task(mut self, lifetime: Duration, poll_interval: Duration) -> Self {
        self.task = Some(TaskPolicy::AtOnce { required: false, times: Times { lifetime, poll_interval } });
        self
    }

    /// Calls are always tasks; clients of revisions with tasks that do not want one are refused. Before 2025-11-25 they
    /// wait for the answer.
    pub fn only_as_task(mut self, lifetime: Duration, poll_interval: Duration) -> Self {
        self.task = Some(TaskPolicy::AtOnce { required: true, times: Times { lifetime, poll_interval } });
        self
    }

    /// Calls may become tasks while they run, in the modern era: see [`Context::task`].
    pub fn may_become_task(mut self) -> Self {
        self.task = Some(TaskPolicy::ByItself);
        self
    }

    /// What clients of a revision are told of it: one of them says how a tool may run.
    pub(crate) fn told(&self, revision: Revision) -> Tool {
        let mut tool = self.tool.clone();
        if let (Revision::V2025_11_25, Some(TaskPolicy::AtOnce { required, .. })) = (revision, self.task) {
            let support = if required { TaskSupport::Required } else { TaskSupport::Optional };
            let execution = ToolExecution { task_support: Some(support), ..ToolExecution::default() };
            tool.more.get_or_insert_default().execution = Some(Verbatim::from(&execution));
        }
        tool
    }

    /// Checks what was described.
    pub(crate) fn ready(mut self) -> Result<Self, BuildError> {
        let fault = |reason: String| BuildError::Schema { tool: self.tool.name.clone(), reason };
        let schema = self.tool.input_schema.as_ref().ok_or_else(|| fault("there is none".into()))?;
        if !is_of_object(schema) {
            return Err(fault("it does not say \"type\": \"object\"".into()));
        }
        let value: Value = schema.decode().map_err(|error| fault(error.to_string()))?;
        let check = match self.checks {
            Checks::BeyondTypes => Check::beyond_types(&value),
            Checks::Everything => Check::of(&value).map(Some),
        };
        let check = check.map_err(fault)?;
        let headers = ToolHeaders::of(schema).map_err(|error| fault(error.to_string()))?;
        if self.checks == Checks::BeyondTypes {
            self.tool.input_schema = Some(schema::text(value));
        }
        self.headers = (!headers.is_empty()).then(|| Arc::new(headers));
        self.check = check;
        Ok(self)
    }

    /// Calls it.
    pub(crate) fn call(&self, arguments: &str, context: Context) -> Handling {
        let arguments = if arguments == "null" { "{}" } else { arguments };
        if !arguments.starts_with('{') {
            return invalid("arguments have to be an object", &context);
        }
        if let Some(check) = &self.check
            && let Err(faults) = check.faults(arguments)
        {
            return invalid(&faults, &context);
        }
        (self.call)(arguments, context)
    }
}

/// Arguments that do not fit.
fn invalid(faults: &str, context: &Context) -> Handling {
    let text = format!("invalid arguments: {faults}");
    Handling::Ready(match context.revision() >= Revision::V2025_11_25 {
        true => Ok(failed(text)),
        false => Err(Failure::invalid_params(text)),
    })
}

/// What a function came to; a failure in words is a result too.
pub(crate) fn concluded(answer: Result<Reply, Failure>) -> Result<Reply, Failure> {
    match answer.map_err(Failure::kind) {
        Ok(reply) => Ok(reply),
        Err(Kind::Told(text)) => Ok(failed(text)),
        Err(kind) => Err(Failure::of(kind)),
    }
}

fn failed(text: String) -> Reply {
    let content = vec![Content::text(text)];
    Reply::CallTool(CallToolResult { content, is_error: true, ..CallToolResult::default() })
}
