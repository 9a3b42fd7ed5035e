//! A server with one of everything.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use codewhale_mcp_protocol::{
    CallToolResult, Completion, Content, ContentType, CreateMessageParams, ElicitMode, ElicitParams, Json,
    LoggingLevel, MoreContent, RequestedSchema, ResourceContents, Role, SamplingMessage, Tool, Verbatim,
};
use codewhale_mcp_server::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What handlers have done.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// Handlers that were dropped while they waited.
    pub(crate) dropped: AtomicUsize,
    /// How often the work before a question was done.
    pub(crate) prepared: AtomicUsize,
}

#[derive(Deserialize, JsonSchema)]
struct Text {
    /// What comes back.
    text: String,
    /// How often.
    #[schemars(range(min = 1, max = 3))]
    times: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
struct Size {
    length: usize,
}

#[derive(Deserialize, JsonSchema)]
struct Topic {
    /// What about.
    topic: String,
    tone: Option<String>,
}

async fn echo(arguments: Text, _: Context) -> Result<String, Failure> {
    Ok(arguments.text.repeat(arguments.times.unwrap_or(1) as usize))
}

async fn measure(arguments: Text, _: Context) -> Result<Structured<Size>, Failure> {
    Ok(Structured(Size { length: arguments.text.len() }))
}

async fn fail(_: NoArguments, _: Context) -> Result<(), Failure> {
    "x".parse::<u8>()?;
    Ok(())
}

async fn break_off(_: NoArguments, _: Context) -> Result<(), Failure> {
    panic!("on purpose")
}

async fn work(_: NoArguments, context: Context) -> Result<&'static str, Failure> {
    context.progress(1.0, Some(2.0), Some("half")).await;
    context.log(LoggingLevel::Debug, None, "fine").await;
    context.log(LoggingLevel::Error, Some("work"), &json!({"why": "x"})).await;
    tokio::task::yield_now().await;
    context.progress(2.0, Some(2.0), None).await;
    Ok("done")
}

async fn everything(_: NoArguments, _: Context) -> Result<CallToolResult, Failure> {
    let media = |kind, mime: &str| Content {
        kind,
        data: Some("AAAA".into()),
        mime_type: Some(mime.into()),
        ..Content::default()
    };
    let resource = ResourceContents { uri: "test://r".into(), text: Some("r".into()), ..Default::default() };
    let link = MoreContent { uri: Some("test://l".into()), name: Some("l".into()), ..MoreContent::default() };
    Ok(CallToolResult {
        content: vec![
            Content::text("t"),
            media(ContentType::Image, "image/png"),
            media(ContentType::Audio, "audio/wav"),
            Content { kind: ContentType::Resource, resource: Some(Box::new(resource)), ..Content::default() },
            Content { kind: ContentType::ResourceLink, more: Some(Box::new(link)), ..Content::default() },
        ],
        structured_content: Some(Json::from(json!([1, null]))),
        ..CallToolResult::default()
    })
}

fn question(message: &str) -> ElicitParams {
    let schema: RequestedSchema = serde_json::from_value(json!({
        "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}))
    .expect("a schema");
    ElicitParams {
        message: message.into(),
        requested_schema: Some(Verbatim::from(&schema)),
        ..ElicitParams::default()
    }
}

async fn interview(context: Context, done: Arc<Done>) -> Result<String, Failure> {
    let number: usize =
        context.once("number", async { Ok(done.prepared.fetch_add(1, Ordering::SeqCst) + 1) }).await?;
    let first = context.elicit("first", question("first?")).await?;
    let (second, third) = tokio::join!(context.elicit("second", question("second?")), context.roots("third"));
    let name = |answer: &codewhale_mcp_protocol::ElicitResult| {
        answer.content.as_ref().and_then(|content| content.member("name").cloned()).unwrap_or_default()
    };
    let roots = third?.roots.len();
    Ok(format!("{number} {} {} {roots}", name(&first).as_str(), name(&second?).as_str()))
}

async fn visit(_: NoArguments, context: Context) -> Result<(), Failure> {
    let params = ElicitParams {
        mode: Some(ElicitMode::Url),
        message: "Sign in.".into(),
        url: Some("https://a.test/".into()),
        ..ElicitParams::default()
    };
    context.elicit("visit", params).await?;
    Ok(())
}

async fn sample(_: NoArguments, context: Context) -> Result<String, Failure> {
    let content = Content::text("?").into();
    let params = CreateMessageParams {
        messages: vec![SamplingMessage { role: Role::User, content, ..SamplingMessage::default() }],
        max_tokens: Some(5.into()),
        ..CreateMessageParams::default()
    };
    Ok(context.sample("model", params).await?.model)
}

struct Dropped(Arc<Done>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

async fn wait_for_ever(done: Arc<Done>) -> Result<(), Failure> {
    let _dropped = Dropped(done);
    std::future::pending().await
}

async fn template_of(variables: Variables, _: Context) -> Result<String, Failure> {
    match variables.value("id") {
        "none" => Err(Failure::resource_not_found(variables.uri())),
        id => Ok(format!("data of {id}")),
    }
}

async fn write(topic: Topic, _: Context) -> Result<String, Failure> {
    Ok(format!("Write about {} {}", topic.topic, topic.tone.unwrap_or_default()))
}

/// The server, and what its handlers do.
pub(crate) fn server() -> (Server, Arc<Done>) {
    let done = Arc::new(Done::default());
    let (ours, theirs, tasks) = (Arc::clone(&done), Arc::clone(&done), Arc::clone(&done));
    let raw = Tool {
        name: "raw".into(),
        input_schema: Json::from_text(
            r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#,
        )
        .ok(),
        ..Tool::default()
    };
    let minute = Duration::from_secs(60);
    let builder = Server::builder("everything", "1.2.3")
        .title("Everything")
        .instructions("Try it.")
        .announces_changes()
        .logs()
        .page_size(5)
        .tool(tool("echo", echo).title("Echo").description("Says it again.").read_only())
        .tool(tool("measure", measure))
        .tool(tool("fail", fail))
        .tool(tool("break_off", break_off))
        .tool(tool("work", work))
        .tool(tool("everything", everything))
        .tool(tool("interview", move |_: NoArguments, context| interview(context, Arc::clone(&ours))))
        .tool(tool("sample", sample))
        .tool(tool("visit", visit))
        .tool(tool("wait", move |_: NoArguments, _| wait_for_ever(Arc::clone(&theirs))))
        .tool(raw_tool(raw, async |arguments: Json, _| {
            Ok(CallToolResult {
                content: vec![Content::text(arguments.as_str())],
                ..CallToolResult::default()
            })
        }))
        .tool(
            tool("interview_task", move |_: NoArguments, context| interview(context, Arc::clone(&tasks)))
                .as_task(minute, Duration::from_millis(50)),
        )
        .tool(tool("only_task", echo).only_as_task(minute, Duration::from_millis(50)))
        .resource(
            resource("test://text", "text", async |_| Ok("some text".to_owned())).mime_type("text/plain"),
        )
        .resource(resource("test://bytes", "bytes", async |_| Ok(vec![0_u8, 255])).description("Two bytes."))
        .template(
            template("test://data/{id}", "data", template_of).expect("a template").mime_type("text/plain"),
        )
        .prompt(prompt("write", write).title("Write").description("About something."))
        .completion(completion(async |params, _| {
            let values = (0..150).map(|n| format!("{}{n}", params.argument.value)).collect();
            Ok(Completion { values, ..Completion::default() })
        }));
    (builder.build().expect("everything has a name of its own"), done)
}
