//! Wire types keep what they do not know and tell absent from null where it matters.

use codewhale_mcp_protocol::{
    CallToolResult, Content, ContentKind, DiscoverResult, ErrorObject, Implementation, Json, ListToolsResult,
    MessageParams, Meta, MetaMembers, OneOrMany, SamplingMessage, Tool,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Decodes and encodes again.
fn round<T: DeserializeOwned + Serialize>(text: &str) -> String {
    let value: T = serde_json::from_str(text).expect("the text has the type's form");
    serde_json::to_string(&value).expect("wire types have a JSON form")
}

#[test]
fn unknown_members_and_the_spelling_of_values_survive() {
    let tool = r#"{"name":"t","inputSchema":{"$schema":"s","b":1.0,"a":1e30,"type":"object"},"x-new":[1, 2],"_meta":{"k":null}}"#;
    assert_eq!(
        round::<Tool>(tool),
        r#"{"name":"t","inputSchema":{"$schema":"s","b":1.0,"a":1e30,"type":"object"},"_meta":{"k":null},"x-new":[1, 2]}"#
    );
    let result = r#"{"content":[{"type":"hologram","text":"h","depth":9007199254740993}],"note":-0}"#;
    assert_eq!(round::<CallToolResult>(result), result);
    assert_eq!(
        round::<ListToolsResult>(r#"{"tools":[],"nextCursor":"","future":true}"#),
        r#"{"tools":[],"nextCursor":"","future":true}"#
    );
}

#[test]
fn null_counts_as_absent_save_where_it_is_a_value() {
    let result: CallToolResult =
        serde_json::from_str(r#"{"content":null,"isError":null,"_meta":null,"structuredContent":null}"#)
            .unwrap();
    assert!(result.content.is_empty() && !result.is_error && result.meta.is_none());
    assert_eq!(result.structured_content, Some(Json::from_text("null").unwrap()));
    let absent: CallToolResult = serde_json::from_str("{}").unwrap();
    assert_eq!(absent.structured_content, None);
    let page: ListToolsResult = serde_json::from_str(r#"{"tools":[],"nextCursor":null}"#).unwrap();
    assert_eq!(page.next_cursor, None);
}

#[test]
fn a_missing_required_member_is_named() {
    let error = serde_json::from_str::<Tool>("{}").unwrap_err();
    assert!(error.to_string().starts_with("missing field `name`"), "{error}");
    assert!(serde_json::from_str::<DiscoverResult>("{}").is_err());
}

#[test]
fn content_is_seen_by_its_kind_and_unknown_kinds_are_kept() {
    let content = |text: &str| serde_json::from_str::<Content>(text).unwrap();
    assert_eq!(content(r#"{"text":"t","type":"text"}"#).view(), ContentKind::Text("t"));
    assert_eq!(
        content(r#"{"type":"image","data":"AA==","mimeType":"image/png"}"#).view(),
        ContentKind::Image { data: "AA==", mime_type: "image/png" }
    );
    assert_eq!(content(r#"{"type":"image"}"#).view(), ContentKind::Unknown("image"));
    assert_eq!(content(r#"{"type":"video","uri":"x"}"#).view(), ContentKind::Unknown("video"));
    assert!(matches!(
        content(r#"{"name":"n","uri":"u:1","type":"resource_link"}"#).view(),
        ContentKind::ResourceLink { uri: "u:1", name: Some("n") }
    ));
    let asked = Content::tool_use("1", "t", Json::from_text("{}").unwrap());
    assert!(matches!(asked.view(), ContentKind::ToolUse { id: "1", name: "t", input: Some(_) }));
    let answered = Content::tool_result("1", vec![Content::text("a")]);
    let text = r#"{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"a"}]}"#;
    assert_eq!(serde_json::to_string(&answered).unwrap(), text);
    assert_eq!(content(text), answered);
    assert!(matches!(answered.view(), ContentKind::ToolResult { tool_use_id: "1", is_error: false, .. }));
    assert_eq!(content(r#"{"type":"tool_result"}"#).view(), ContentKind::Unknown("tool_result"));
    let embedded = content(r#"{"type":"resource","resource":{"uri":"u:1","text":"t"}}"#);
    assert!(matches!(embedded.view(), ContentKind::Resource(resource) if resource.uri == "u:1"));
}

#[test]
fn a_display_name_is_the_best_there_is() {
    let name = |text: &str| serde_json::from_str::<Tool>(text).unwrap().display_name().to_owned();
    assert_eq!(name(r#"{"name":"n"}"#), "n");
    assert_eq!(name(r#"{"name":"n","annotations":{"title":"a"}}"#), "a");
    assert_eq!(name(r#"{"name":"n","annotations":{"title":"a"},"title":"t"}"#), "t");
}

#[test]
fn rare_members_do_not_make_common_objects_large() {
    // Words, not bytes, so that it holds on every machine.
    let words = |bytes: usize| bytes / size_of::<usize>();
    assert!(words(size_of::<Content>()) <= 22, "{}", words(size_of::<Content>()));
    assert!(words(size_of::<Tool>()) <= 18, "{}", words(size_of::<Tool>()));
    let plain: Content = serde_json::from_str(r#"{"type":"text","text":"t","uri":null,"x":1}"#).unwrap();
    assert!(plain.more.is_none(), "nothing rare, no box");
}

#[test]
fn null_in_a_rare_member_is_a_value_only_where_it_says_something() {
    let text = r#"{"type":"tool_result","toolUseId":"1","structuredContent":null}"#;
    assert_eq!(round::<Content>(text), text);
    let more = serde_json::from_str::<Content>(text).unwrap().more.unwrap();
    assert!(more.structured_content.is_some_and(|value| value.is_null()) && more.content.is_none());
    let message: MessageParams =
        serde_json::from_str(r#"{"level":"info","data":null,"logger":null}"#).unwrap();
    assert!(message.data.is_some() && message.logger.is_none());
}

#[test]
fn one_block_stays_one_and_an_array_an_array() {
    for text in [
        r#"{"role":"user","content":{"type":"text","text":"t","n":1e400}}"#,
        r#"{"role":"user","content":[{"type":"text","text":"t","n":1e400}]}"#,
        r#"{"role":"user","content":[]}"#,
    ] {
        assert_eq!(round::<SamplingMessage>(text), text);
    }
    let one = OneOrMany::from(7);
    assert_eq!((one.as_slice(), OneOrMany::Many(vec![1, 2]).as_slice()), (&[7][..], &[1, 2][..]));
    assert!(serde_json::from_str::<OneOrMany<Content>>("\"text\"").is_err());
}

#[test]
fn what_the_specification_requires_is_written_even_if_it_did_not_come() {
    assert_eq!(round::<CallToolResult>(r#"{"isError":false}"#), r#"{"content":[]}"#);
    assert_eq!(round::<Implementation>(r#"{"name":"n"}"#), r#"{"name":"n","version":""}"#);
    assert_eq!(round::<ErrorObject>(r#"{"code":1}"#), r#"{"code":1,"message":""}"#);
}

#[test]
fn meta_is_kept_as_it_came_and_each_member_is_found_alone() {
    let text = r#"{"traceparent": 7, "progressToken": "1", "io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/related-task":{"taskId":"t"},"io.modelcontextprotocol/logLevel":"error"}"#;
    let meta: Meta = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&meta).unwrap(), text);
    assert_eq!((meta.progress_token(), meta.subscription_id()), (Some("1".into()), Some(1.into())));
    assert_eq!(meta.related_task().as_deref(), Some("t"));
    assert_eq!(meta.log_level(), Some("error".into()));
    assert!(meta.client_capabilities().is_none() && meta.server_info().is_none());
    assert!(meta.read().is_err(), "all at once, the odd member counts");
    let odd: Meta = serde_json::from_str("[1]").unwrap();
    assert!(odd.progress_token().is_none());
    let members = MetaMembers { baggage: Some("a=b".into()), ..MetaMembers::default() };
    assert_eq!(Meta::from(&members).read().unwrap(), members);
}

#[test]
fn a_spoilt_decoration_spoils_nothing_else() {
    let page = r#"{"tools":[{"name":"t","icons":"none","execution":7,"_meta":[]}],"ttlMs":"soon"}"#;
    assert_eq!(round::<ListToolsResult>(page), page);
    let tool = serde_json::from_str::<ListToolsResult>(page).unwrap().tools.remove(0);
    assert!(tool.more.unwrap().icons.unwrap().read().is_err());
}
