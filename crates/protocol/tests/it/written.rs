//! What a client writes with our types is what the revision's schema asks for.

use std::collections::BTreeSet;

use codewhale_mcp_protocol::*;
use serde::Serialize;
use serde_json::{Value, json};

use crate::schemas::Schema;

/// The messages of a client in one revision, each under the definition it has to fit.
struct Written {
    revision: Revision,
    messages: Vec<(&'static str, Value)>,
}

impl Written {
    fn request<P: Serialize>(&mut self, definition: &'static str, method: &str, params: &P) {
        let id = self.messages.len() as u64;
        let request = Request::new(id, method, params).unwrap();
        self.messages.push((definition, serde_json::to_value(request).unwrap()));
    }

    fn notification<P: Serialize>(&mut self, definition: &'static str, method: &str, params: &P) {
        let notification = Notification::new(method, params).unwrap();
        self.messages.push((definition, serde_json::to_value(notification).unwrap()));
    }

    fn result<R: Serialize>(&mut self, definition: &'static str, result: &R) {
        self.messages.push((definition, serde_json::to_value(result).unwrap()));
    }

    fn from(&self, revision: Revision) -> bool {
        self.revision >= revision
    }

    /// In the modern era every request says who asks, in the legacy era some want progress.
    fn meta(&self) -> Option<Meta> {
        let members = match self.revision.era() {
            Era::Legacy => MetaMembers { progress_token: Some("t".into()), ..MetaMembers::default() },
            Era::Modern => MetaMembers {
                protocol_version: Some(self.revision.as_str().into()),
                client_info: Some(implementation()),
                client_capabilities: Some(capabilities(self.revision)),
                log_level: Some(LoggingLevel::Notice),
                progress_token: Some(7.into()),
                traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01".into()),
                ..MetaMembers::default()
            },
        };
        Some(Meta::from(&members))
    }
}

fn implementation() -> Implementation {
    Implementation { name: "codewhale".into(), version: "1".into(), ..Implementation::default() }
}

fn object() -> Option<Json> {
    Json::from_text("{}").ok()
}

fn capabilities(revision: Revision) -> ClientCapabilities {
    ClientCapabilities {
        roots: Some(RootsCapability {
            list_changed: (revision.era() == Era::Legacy).then_some(true),
            ..RootsCapability::default()
        }),
        sampling: Some(SamplingCapability { tools: object(), ..SamplingCapability::default() }),
        elicitation: Some(ElicitationCapability { form: object(), url: object(), ..Default::default() }),
        extensions: (revision.era() == Era::Modern).then(|| Json::from(json!({ TASKS_EXTENSION: {} }))),
        ..ClientCapabilities::default()
    }
}

/// What both eras have.
fn shared(written: &mut Written) {
    let meta = written.meta();
    let (name, uri) = (String::from("n"), String::from("file:///x"));
    let page = PageParams { cursor: Some(String::new()), meta: meta.clone(), ..Default::default() };
    written.request("ListToolsRequest", method::TOOLS_LIST, &page);
    written.request("ListResourcesRequest", method::RESOURCES_LIST, &page);
    written.request("ListResourceTemplatesRequest", method::RESOURCES_TEMPLATES_LIST, &page);
    written.request("ListPromptsRequest", method::PROMPTS_LIST, &page);
    let call = CallToolParams {
        name: name.clone(),
        arguments: Json::from_text(r#"{"a":[1,null]}"#).ok(),
        meta: meta.clone(),
        ..Default::default()
    };
    written.request("CallToolRequest", method::TOOLS_CALL, &call);
    let read = ReadResourceParams { uri: uri.clone(), meta: meta.clone(), ..Default::default() };
    written.request("ReadResourceRequest", method::RESOURCES_READ, &read);
    let arguments = Some([("a", String::from("b"))].into_iter().collect());
    let prompt = GetPromptParams { name, arguments, meta: meta.clone(), ..Default::default() };
    written.request("GetPromptRequest", method::PROMPTS_GET, &prompt);
    for reference in [CompletionReference::prompt("p"), CompletionReference::resource(uri)] {
        let argument = CompletionArgument { name: "a".into(), value: String::new(), ..Default::default() };
        let params = CompleteParams { reference, argument, meta: meta.clone(), ..Default::default() };
        written.request("CompleteRequest", method::COMPLETE, &params);
    }
    let cancelled = CancelledParams { request_id: Json::from_text("7").ok(), ..Default::default() };
    written.notification("CancelledNotification", method::CANCELLED, &cancelled);
    let message = CreateMessageResult {
        role: Role::Assistant,
        content: Content::text("t").into(),
        model: "m".into(),
        stop_reason: Some(StopReason::EndTurn),
        ..Default::default()
    };
    written.result("CreateMessageResult", &message);
    let root = Root { uri: "file:///home".into(), name: Some("home".into()), ..Root::default() };
    written.result("ListRootsResult", &ListRootsResult { roots: vec![root], ..Default::default() });
}

fn legacy(written: &mut Written) {
    let meta = written.meta();
    let initialize = InitializeParams {
        protocol_version: written.revision.as_str().into(),
        capabilities: capabilities(written.revision),
        client_info: implementation(),
        ..Default::default()
    };
    written.request("InitializeRequest", method::INITIALIZE, &initialize);
    written.notification("InitializedNotification", method::INITIALIZED, &BareParams::default());
    written.request("PingRequest", method::PING, &BareParams::default());
    let resource = ResourceParams { uri: "file:///x".into(), meta: meta.clone(), ..Default::default() };
    written.request("SubscribeRequest", method::RESOURCES_SUBSCRIBE, &resource);
    written.request("UnsubscribeRequest", method::RESOURCES_UNSUBSCRIBE, &resource);
    let level = SetLevelParams { level: LoggingLevel::Warning, meta, ..Default::default() };
    written.request("SetLevelRequest", method::SET_LEVEL, &level);
    let progress = ProgressParams {
        progress_token: Json::from_text("\"t\"").unwrap(),
        progress: 0.5,
        total: Some(1.0),
        ..Default::default()
    };
    written.notification("ProgressNotification", method::PROGRESS, &progress);
    written.notification("RootsListChangedNotification", method::ROOTS_LIST_CHANGED, &BareParams::default());
    written.result("Result", &EmptyResult::default());
}

fn elicitation(written: &mut Written) {
    let mut content = Members::<Json>::default();
    content.push("age", Json::from(json!(30)));
    if written.from(Revision::V2025_11_25) {
        content.push("colours", Json::from(json!(["red"])));
    }
    written.result("ElicitResult", &ElicitResult::accept(content));
    written.result("ElicitResult", &ElicitResult::of(ElicitAction::Decline));
}

fn tasks_of_2025_11_25(written: &mut Written) {
    let task = TaskParams { task_id: "t".into(), ..Default::default() };
    written.request("GetTaskRequest", method::TASKS_GET, &task);
    written.request("GetTaskPayloadRequest", method::TASKS_RESULT, &task);
    written.request("CancelTaskRequest", method::TASKS_CANCEL, &task);
    written.request("ListTasksRequest", method::TASKS_LIST, &PageParams::default());
    let ttl = TaskMetadata { ttl: Json::from_text("60000").ok(), ..Default::default() };
    let call = CallToolParams { name: "n".into(), task: Some(ttl), ..Default::default() };
    written.request("CallToolRequest", method::TOOLS_CALL, &call);
    let task = Task {
        task_id: "t".into(),
        status: TaskStatus::Working,
        created_at: Some("2025-11-25T00:00:00Z".into()),
        last_updated_at: Some("2025-11-25T00:00:00Z".into()),
        ttl: Json::from_text("null").ok(),
        ..Default::default()
    };
    written.notification("TaskStatusNotification", method::TASKS_STATUS, &task);
    for definition in ["GetTaskResult", "CancelTaskResult"] {
        written.result(definition, &task);
    }
    written.result("ListTasksResult", &ListTasksResult { tasks: vec![task], ..Default::default() });
    written.result("GetTaskPayloadResult", &EmptyResult::default());
}

fn modern(written: &mut Written) {
    let meta = written.meta();
    let bare = BareParams { meta: meta.clone(), ..Default::default() };
    written.request("DiscoverRequest", method::DISCOVER, &bare);
    let notifications = SubscriptionFilter {
        tools_list_changed: Some(true),
        resource_subscriptions: Some(vec!["file:///x".into()]),
        task_ids: Some(vec!["t".into()]),
        ..Default::default()
    };
    let listen = ListenParams { notifications, meta: meta.clone(), ..Default::default() };
    written.request("SubscriptionsListenRequest", method::LISTEN, &listen);
    let answers = [("a", Json::encode(&ElicitResult::of(ElicitAction::Cancel)).unwrap())];
    let retry = CallToolParams {
        name: "n".into(),
        input_responses: Some(answers.into_iter().collect()),
        request_state: Json::from_text("\"state\"").ok(),
        meta,
        ..Default::default()
    };
    written.request("CallToolRequest", method::TOOLS_CALL, &retry);
}

fn check(revision: Revision) {
    let mut written = Written { revision, messages: Vec::new() };
    shared(&mut written);
    match revision.era() {
        Era::Legacy => legacy(&mut written),
        Era::Modern => modern(&mut written),
    }
    if written.from(Revision::V2025_06_18) {
        elicitation(&mut written);
    }
    if revision == Revision::V2025_11_25 {
        tasks_of_2025_11_25(&mut written);
    }
    let schema = Schema::of(revision);
    for (definition, message) in &written.messages {
        assert_eq!(schema.faults(definition)(message), [""; 0], "{revision} {definition}: {message}");
        let kind = match (message.get("method"), message.get("id")) {
            (Some(_), Some(_)) => "JSONRPCRequest",
            (Some(_), None) => "JSONRPCNotification",
            (None, _) => continue,
        };
        assert_eq!(schema.faults(kind)(message), [""; 0], "{revision} {kind}: {message}");
    }
    let names: BTreeSet<&str> = written.messages.iter().map(|(definition, _)| *definition).collect();
    for union in ["ClientRequest", "ClientNotification", "ClientResult", "InputResponse"] {
        let branches = schema.definitions().get(union).and_then(|union| union.get("anyOf"));
        for branch in branches.and_then(Value::as_array).into_iter().flatten() {
            let name = Schema::name_in(&branch["$ref"]);
            assert!(names.contains(name), "{revision}: {name} of {union} is not written");
        }
    }
}

#[test]
fn a_client_writes_what_each_revision_asks_for() {
    Revision::ALL.into_iter().for_each(check);
}

#[test]
fn a_schema_finds_what_is_wrong() {
    let schema = Schema::of(Revision::V2026_07_28);
    let without_meta = Request::new(1, method::TOOLS_LIST, &PageParams::default()).unwrap();
    let faults = schema.faults("ListToolsRequest")(&serde_json::to_value(without_meta).unwrap());
    assert!(!faults.is_empty());
}
