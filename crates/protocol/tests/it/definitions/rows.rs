//! Which type holds which definition of the specification. A name means the same in all revisions that have it.

use codewhale_mcp_protocol::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What holds a definition.
#[derive(Clone, Copy)]
pub(crate) enum Row {
    /// A type: reads a text and prints it again.
    Held(fn(&str) -> Result<String, String>),
    /// Nothing of its own: one of the definitions it names, or an array of them.
    Union,
    /// Members that these have among others.
    PartOf(&'static [&'static str]),
}

pub(crate) fn row(name: &str) -> Option<Row> {
    ROWS.iter().copied().flatten().find(|(known, _)| *known == name).map(|(_, row)| *row)
}

pub(crate) const ROWS: &[&[(&str, Row)]] = &[ENVELOPES, REQUESTS, NOTIFICATIONS, RESULTS, OBJECTS, ERRORS];

use Row::{Held, PartOf, Union};

const ENVELOPES: &[(&str, Row)] = &[
    ("ClientNotification", Held(held::<Notification>)),
    ("ClientRequest", Union),
    ("ClientResult", Union),
    ("JSONRPCBatchRequest", Union),
    ("JSONRPCBatchResponse", Union),
    ("JSONRPCError", Held(held::<ErrorResponse>)),
    ("JSONRPCErrorResponse", Held(held::<ErrorResponse>)),
    ("JSONRPCMessage", Union),
    ("JSONRPCNotification", Held(held::<Notification>)),
    ("JSONRPCRequest", Held(held::<Request>)),
    // Before 2025-11-25 only that of a result.
    ("JSONRPCResponse", Held(response)),
    ("JSONRPCResultResponse", Held(result::<EmptyResult>)),
    ("Notification", Held(held::<Notification>)),
    ("ProgressToken", Held(held::<ProgressToken>)),
    ("Request", Held(held::<Request>)),
    ("RequestId", Held(held::<RequestId>)),
    ("ServerNotification", Union),
    ("ServerRequest", Union),
    ("ServerResult", Union),
];

const REQUESTS: &[(&str, Row)] = &[
    ("CallToolRequest", Held(request::<CallToolParams>)),
    ("CallToolRequestParams", Held(held::<CallToolParams>)),
    ("CancelTaskRequest", Held(request::<TaskParams>)),
    ("CompleteRequest", Held(request::<CompleteParams>)),
    ("CompleteRequestParams", Held(held::<CompleteParams>)),
    ("CreateMessageRequest", Held(request::<CreateMessageParams>)),
    ("CreateMessageRequestParams", Held(held::<CreateMessageParams>)),
    ("DiscoverRequest", Held(request::<BareParams>)),
    ("ElicitRequest", Held(request::<ElicitParams>)),
    ("ElicitRequestFormParams", Held(held::<ElicitParams>)),
    ("ElicitRequestParams", Held(held::<ElicitParams>)),
    ("ElicitRequestURLParams", Held(held::<ElicitParams>)),
    ("GetPromptRequest", Held(request::<GetPromptParams>)),
    ("GetPromptRequestParams", Held(held::<GetPromptParams>)),
    ("GetTaskPayloadRequest", Held(request::<TaskParams>)),
    ("GetTaskRequest", Held(request::<TaskParams>)),
    ("InitializeRequest", Held(request::<InitializeParams>)),
    ("InitializeRequestParams", Held(held::<InitializeParams>)),
    (
        "InputResponseRequestParams",
        PartOf(&["CallToolRequestParams", "GetPromptRequestParams", "ReadResourceRequestParams"]),
    ),
    ("ListPromptsRequest", Held(request::<PageParams>)),
    ("ListResourceTemplatesRequest", Held(request::<PageParams>)),
    ("ListResourcesRequest", Held(request::<PageParams>)),
    ("ListRootsRequest", Held(request::<BareParams>)),
    ("ListTasksRequest", Held(request::<PageParams>)),
    ("ListToolsRequest", Held(request::<PageParams>)),
    ("PaginatedRequest", Held(request::<PageParams>)),
    ("PaginatedRequestParams", Held(held::<PageParams>)),
    ("PingRequest", Held(request::<BareParams>)),
    ("ReadResourceRequest", Held(request::<ReadResourceParams>)),
    ("ReadResourceRequestParams", Held(held::<ReadResourceParams>)),
    ("RequestParams", Held(held::<BareParams>)),
    ("ResourceRequestParams", Held(held::<ResourceParams>)),
    ("SetLevelRequest", Held(request::<SetLevelParams>)),
    ("SetLevelRequestParams", Held(held::<SetLevelParams>)),
    ("SubscribeRequest", Held(request::<ResourceParams>)),
    ("SubscribeRequestParams", Held(held::<ResourceParams>)),
    ("SubscriptionsListenRequest", Held(request::<ListenParams>)),
    ("SubscriptionsListenRequestParams", Held(held::<ListenParams>)),
    (
        "TaskAugmentedRequestParams",
        PartOf(&["CallToolRequestParams", "CreateMessageRequestParams", "ElicitRequestFormParams"]),
    ),
    ("UnsubscribeRequest", Held(request::<ResourceParams>)),
    ("UnsubscribeRequestParams", Held(held::<ResourceParams>)),
];

const NOTIFICATIONS: &[(&str, Row)] = &[
    ("CancelledNotification", Held(notification::<CancelledParams>)),
    ("CancelledNotificationParams", Held(held::<CancelledParams>)),
    ("ElicitationCompleteNotification", Held(notification::<ElicitationCompleteParams>)),
    ("InitializedNotification", Held(notification::<BareParams>)),
    ("LoggingMessageNotification", Held(notification::<MessageParams>)),
    ("LoggingMessageNotificationParams", Held(held::<MessageParams>)),
    ("NotificationParams", Held(held::<BareParams>)),
    ("ProgressNotification", Held(notification::<ProgressParams>)),
    ("ProgressNotificationParams", Held(held::<ProgressParams>)),
    ("PromptListChangedNotification", Held(notification::<BareParams>)),
    ("ResourceListChangedNotification", Held(notification::<BareParams>)),
    ("ResourceUpdatedNotification", Held(notification::<ResourceParams>)),
    ("ResourceUpdatedNotificationParams", Held(held::<ResourceParams>)),
    ("RootsListChangedNotification", Held(notification::<BareParams>)),
    ("SubscriptionsAcknowledgedNotification", Held(notification::<AcknowledgedParams>)),
    ("SubscriptionsAcknowledgedNotificationParams", Held(held::<AcknowledgedParams>)),
    ("TaskStatusNotification", Held(notification::<Task>)),
    ("TaskStatusNotificationParams", Held(held::<Task>)),
    ("ToolListChangedNotification", Held(notification::<BareParams>)),
];

const RESULTS: &[(&str, Row)] = &[
    (
        "CacheableResult",
        PartOf(&[
            "DiscoverResult",
            "ListPromptsResult",
            "ListResourceTemplatesResult",
            "ListResourcesResult",
            "ListToolsResult",
            "ReadResourceResult",
        ]),
    ),
    ("CallToolResult", Held(held::<CallToolResult>)),
    ("CallToolResultResponse", Held(result_or_input::<CallToolResult>)),
    ("CancelTaskResult", Held(held::<Task>)),
    ("CompleteResult", Held(held::<CompleteResult>)),
    ("CompleteResultResponse", Held(result::<CompleteResult>)),
    ("CreateMessageResult", Held(held::<CreateMessageResult>)),
    ("CreateTaskResult", Held(held::<NestedCreateTaskResult>)),
    ("DiscoverResult", Held(held::<DiscoverResult>)),
    ("DiscoverResultResponse", Held(result::<DiscoverResult>)),
    ("ElicitResult", Held(held::<ElicitResult>)),
    ("EmptyResult", Held(held::<EmptyResult>)),
    ("GetPromptResult", Held(held::<GetPromptResult>)),
    ("GetPromptResultResponse", Held(result_or_input::<GetPromptResult>)),
    // The result of whatever the task was made of.
    ("GetTaskPayloadResult", Held(held::<EmptyResult>)),
    ("GetTaskResult", Held(held::<Task>)),
    ("InitializeResult", Held(held::<InitializeResult>)),
    ("InputRequiredResult", Held(held::<InputRequiredResult>)),
    ("ListPromptsResult", Held(held::<ListPromptsResult>)),
    ("ListPromptsResultResponse", Held(result::<ListPromptsResult>)),
    ("ListResourceTemplatesResult", Held(held::<ListResourceTemplatesResult>)),
    ("ListResourceTemplatesResultResponse", Held(result::<ListResourceTemplatesResult>)),
    ("ListResourcesResult", Held(held::<ListResourcesResult>)),
    ("ListResourcesResultResponse", Held(result::<ListResourcesResult>)),
    ("ListRootsResult", Held(held::<ListRootsResult>)),
    ("ListTasksResult", Held(held::<ListTasksResult>)),
    ("ListToolsResult", Held(held::<ListToolsResult>)),
    ("ListToolsResultResponse", Held(result::<ListToolsResult>)),
    (
        "PaginatedResult",
        PartOf(&[
            "ListPromptsResult",
            "ListResourceTemplatesResult",
            "ListResourcesResult",
            "ListToolsResult",
        ]),
    ),
    ("ReadResourceResult", Held(held::<ReadResourceResult>)),
    ("ReadResourceResultResponse", Held(result_or_input::<ReadResourceResult>)),
    ("Result", Held(held::<EmptyResult>)),
    ("SubscriptionsListenResult", Held(held::<EmptyResult>)),
    ("SubscriptionsListenResultResponse", Held(result::<EmptyResult>)),
];

const OBJECTS: &[(&str, Row)] = &[
    (
        "Annotated",
        PartOf(&["EmbeddedResource", "ImageContent", "Resource", "ResourceTemplate", "TextContent"]),
    ),
    ("Annotations", Held(held::<Annotations>)),
    ("AudioContent", Held(held::<Content>)),
    ("BaseMetadata", PartOf(&["Implementation", "Prompt", "PromptArgument", "Resource", "Tool"])),
    ("BlobResourceContents", Held(held::<ResourceContents>)),
    ("BooleanSchema", Held(held::<PropertySchema>)),
    ("ClientCapabilities", Held(held::<ClientCapabilities>)),
    ("ContentBlock", Held(held::<Content>)),
    ("Cursor", Held(held::<String>)),
    ("EmbeddedResource", Held(held::<Content>)),
    ("EnumSchema", Held(held::<PropertySchema>)),
    ("Icon", Held(held::<Icon>)),
    ("Icons", PartOf(&["Implementation", "Prompt", "Resource", "ResourceLink", "ResourceTemplate", "Tool"])),
    ("ImageContent", Held(held::<Content>)),
    ("Implementation", Held(held::<Implementation>)),
    ("InputRequest", Held(held::<InputRequest>)),
    ("InputRequests", Held(held::<InputRequests>)),
    ("InputResponse", Union),
    ("InputResponses", Held(held::<InputResponses>)),
    ("JSONArray", Held(held::<Json>)),
    ("JSONObject", Held(held::<Json>)),
    ("JSONValue", Held(held::<Json>)),
    ("LegacyTitledEnumSchema", Held(held::<PropertySchema>)),
    ("LoggingLevel", Held(word::<LoggingLevel>)),
    ("MetaObject", Held(held::<MetaMembers>)),
    ("ModelHint", Held(held::<ModelHint>)),
    ("ModelPreferences", Held(held::<ModelPreferences>)),
    ("MultiSelectEnumSchema", Held(held::<PropertySchema>)),
    ("NotificationMetaObject", Held(held::<MetaMembers>)),
    ("NumberSchema", Held(held::<PropertySchema>)),
    ("PrimitiveSchemaDefinition", Held(held::<PropertySchema>)),
    ("Prompt", Held(held::<Prompt>)),
    ("PromptArgument", Held(held::<PromptArgument>)),
    ("PromptMessage", Held(held::<PromptMessage>)),
    ("PromptReference", Held(held::<CompletionReference>)),
    ("RelatedTaskMetadata", Held(held::<RelatedTask>)),
    ("RequestMetaObject", Held(held::<MetaMembers>)),
    ("Resource", Held(held::<Resource>)),
    ("ResourceContents", Held(held::<ResourceContents>)),
    ("ResourceLink", Held(held::<Content>)),
    ("ResourceReference", Held(held::<CompletionReference>)),
    ("ResourceTemplate", Held(held::<ResourceTemplate>)),
    ("ResourceTemplateReference", Held(held::<CompletionReference>)),
    ("ResultMetaObject", Held(held::<MetaMembers>)),
    ("ResultType", Held(held::<ResultType>)),
    ("Role", Held(word::<Role>)),
    ("Root", Held(held::<Root>)),
    ("SamplingMessage", Held(held::<SamplingMessage>)),
    ("SamplingMessageContentBlock", Held(held::<Content>)),
    ("ServerCapabilities", Held(held::<ServerCapabilities>)),
    ("SingleSelectEnumSchema", Held(held::<PropertySchema>)),
    ("StringSchema", Held(held::<PropertySchema>)),
    ("SubscriptionFilter", Held(held::<SubscriptionFilter>)),
    ("SubscriptionsListenResultMetaObject", Held(held::<MetaMembers>)),
    ("Task", Held(held::<Task>)),
    ("TaskMetadata", Held(held::<TaskMetadata>)),
    ("TaskStatus", Held(word::<TaskStatus>)),
    ("TextContent", Held(held::<Content>)),
    ("TextResourceContents", Held(held::<ResourceContents>)),
    ("TitledMultiSelectEnumSchema", Held(held::<PropertySchema>)),
    ("TitledSingleSelectEnumSchema", Held(held::<PropertySchema>)),
    ("Tool", Held(held::<Tool>)),
    ("ToolAnnotations", Held(held::<ToolAnnotations>)),
    ("ToolChoice", Held(held::<ToolChoice>)),
    ("ToolExecution", Held(held::<ToolExecution>)),
    ("ToolResultContent", Held(held::<Content>)),
    ("ToolUseContent", Held(held::<Content>)),
    ("UntitledMultiSelectEnumSchema", Held(held::<PropertySchema>)),
    ("UntitledSingleSelectEnumSchema", Held(held::<PropertySchema>)),
];

const ERRORS: &[(&str, Row)] = &[
    ("Error", Held(held::<ErrorObject>)),
    ("HeaderMismatchError", Held(held::<ErrorResponse>)),
    ("InternalError", Held(held::<ErrorObject>)),
    ("InvalidParamsError", Held(held::<ErrorObject>)),
    ("InvalidRequestError", Held(held::<ErrorObject>)),
    ("MethodNotFoundError", Held(held::<ErrorObject>)),
    ("MissingRequiredClientCapabilityError", Held(error::<MissingRequiredClientCapabilityData>)),
    ("ParseError", Held(held::<ErrorObject>)),
    ("URLElicitationRequiredError", Held(error::<UrlElicitationRequiredData>)),
    ("UnsupportedProtocolVersionError", Held(error::<UnsupportedProtocolVersionData>)),
];

type Printed = Result<String, String>;

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn print<T: Serialize>(value: &T) -> Printed {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

/// Through the type.
fn held<T: DeserializeOwned + Serialize>(text: &str) -> Printed {
    print(&read::<T>(text)?)
}

/// Through the type, which has to know the word.
fn word<T: DeserializeOwned + Serialize + PartialEq + From<String> + std::fmt::Debug>(text: &str) -> Printed {
    let word = read::<T>(text)?;
    if format!("{word:?}").starts_with("Other") { Err(format!("unknown word {text}")) } else { print(&word) }
}

fn through<T: DeserializeOwned + Serialize>(json: &Json) -> Result<Json, String> {
    Ok(Json::from_text(held::<T>(json.as_str())?).unwrap())
}

fn request<P: DeserializeOwned + Serialize>(text: &str) -> Printed {
    let mut request: Request = read(text)?;
    request.params = request.params.as_ref().map(through::<P>).transpose()?;
    print(&request)
}

fn notification<P: DeserializeOwned + Serialize>(text: &str) -> Printed {
    let mut notification: Notification = read(text)?;
    notification.params = notification.params.as_ref().map(through::<P>).transpose()?;
    print(&notification)
}

fn result<R: DeserializeOwned + Serialize>(text: &str) -> Printed {
    let mut response: ResultResponse = read(text)?;
    response.result = through::<R>(&response.result)?;
    print(&response)
}

/// By what the result says of itself, as on a connection.
fn result_or_input<R: DeserializeOwned + Serialize>(text: &str) -> Printed {
    let kind =
        read::<ResultResponse>(text)?.result.decode::<EmptyResult>().map_err(|error| error.to_string())?;
    match kind.result_type {
        Some(ResultType::InputRequired) => result::<InputRequiredResult>(text),
        _ => result::<R>(text),
    }
}

fn response(text: &str) -> Printed {
    match Message::parse(text.as_bytes()).map_err(|fault| fault.to_string())? {
        Message::Error { .. } => held::<ErrorResponse>(text),
        _ => result::<EmptyResult>(text),
    }
}

fn error<D: DeserializeOwned + Serialize>(text: &str) -> Printed {
    let mut response: ErrorResponse = read(text)?;
    response.error.data = response.error.data.as_ref().map(through::<D>).transpose()?;
    print(&response)
}
