//! A server made with rmcp that does what `servers/fast.py` does, in both eras.
//!
//! Without arguments it is reached by its standard streams, with a port and a name over HTTP.
#![allow(deprecated, reason = "sampling and roots are deprecated and still in use")]

mod http;
mod tools;

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::*;
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(Clone)]
pub struct Server {
    /// The names of tools that were not there from the beginning.
    grown: Arc<Mutex<Vec<String>>>,
    grows: Arc<Notify>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server { grown: Arc::default(), grows: Arc::default() };
    let mut arguments = std::env::args().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(port), Some(name)) => http::serve(server, port.parse()?, name).await?,
        _ => {
            server.serve(rmcp::transport::stdio()).await?.waiting().await?;
        }
    }
    Ok(())
}

/// A type of the protocol from its JSON.
pub fn made<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("it has the form of the protocol")
}

/// Whether the request is of the modern era.
pub fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version.as_str() >= "2026-07-28")
}

impl Server {
    /// The names of tools that were not there from the beginning.
    fn grown(&self) -> Vec<String> {
        self.grown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = made(json!({
            "tools": { "listChanged": true },
            "resources": {},
            "prompts": {},
            "completions": {},
        }));
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("interop", "1.2.3"))
            .with_instructions("Made for interop.")
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(made(json!({ "tools": tools::list(&self.grown()) })))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        tools::call(self, request, context).await
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(made(json!({ "resources": [
            { "uri": "interop://text", "name": "text" },
            { "uri": "interop://bytes", "name": "bytes" },
        ] })))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let item = json!({ "uriTemplate": "interop://item/{number}", "name": "item" });
        Ok(made(json!({ "resourceTemplates": [item] })))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = &*request.uri;
        let contents = match (uri, uri.strip_prefix("interop://item/")) {
            (_, Some(number)) => json!({ "uri": uri, "text": format!("item {number}") }),
            ("interop://text", _) => json!({ "uri": uri, "text": "a text, ünï" }),
            ("interop://bytes", _) => json!({ "uri": uri, "blob": "AAH+/w==" }),
            _ => return Err(ErrorData::invalid_params("no such resource", None)),
        };
        Ok(made::<ReadResourceResult>(json!({ "contents": [contents] })).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let arguments = json!([{ "name": "name", "required": true }, { "name": "tone", "required": false }]);
        Ok(made(json!({ "prompts": [{ "name": "greets", "arguments": arguments }] })))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = json!(request.arguments);
        let Some(name) = arguments["name"].as_str() else {
            return Err(ErrorData::invalid_params("a name is needed", None));
        };
        let tone = arguments["tone"].as_str().unwrap_or("kind");
        let text = format!("Greet {name} in a {tone} way.");
        let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
        Ok(made::<GetPromptResult>(json!({ "messages": [message] })).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let known = request.context.as_ref().and_then(|context| context.get_argument("name"));
        let all: Vec<String> = match request.argument.name.as_str() {
            "tone" => {
                let somebody = format!("for {}", known.map_or("nobody", String::as_str));
                vec!["kind".into(), "keen".into(), somebody]
            }
            "number" => (0..150).map(|number| number.to_string()).collect(),
            _ => Vec::new(),
        };
        let mut values: Vec<_> =
            all.into_iter().filter(|value| value.starts_with(&request.argument.value)).collect();
        let (total, has_more) = (values.len(), values.len() > CompletionInfo::MAX_VALUES);
        values.truncate(CompletionInfo::MAX_VALUES);
        let completion = json!({ "values": values, "total": total, "hasMore": has_more });
        Ok(made(json!({ "completion": completion })))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        // The agreement has left before this runs, so the tool may be there already.
        let mut told = 0;
        loop {
            let mut grows = std::pin::pin!(self.grows.notified());
            grows.as_mut().enable();
            let grown = self.grown().len();
            if grown > told {
                told = grown;
                let _ = context.sink().notify_tool_list_changed().await;
            }
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = grows => {}
            }
        }
    }
}
