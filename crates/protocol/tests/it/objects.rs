//! Wire types keep what they do not know and tell absent from null where it matters.

use codewhale_mcp_protocol::{
    CallToolResult, Content, ContentKind, DiscoverResult, Json, ListToolsResult, Tool,
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
