//! What an approval of a tool is bound to, and what of it is different now.

use codewhale_mcp_manager::ToolDefinition;
use codewhale_mcp_protocol::Tool;

const BEFORE: &str = r#"{"name": "t", "description": "Reads a file", "inputSchema": {"type": "object",
    "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}},
    "annotations": {"readOnlyHint": true}}"#;

fn definition(text: &str) -> ToolDefinition {
    let tool: Tool = serde_json::from_str(text).unwrap();
    ToolDefinition::of(&tool)
}

#[test]
fn what_a_tool_is_counts_and_how_it_is_written_does_not() {
    let same = r#"{"annotations": {"readOnlyHint": true}, "inputSchema": {"properties":
        {"limit": {"type": "integer"}, "path": {"type": "string"}}, "type": "object"},
        "name": "t", "_meta": {"seen": 7}, "description": "Reads a file"}"#;
    let (before, now) = (definition(BEFORE), definition(same));
    assert_eq!((&before, before.hash()), (&now, now.hash()));
    assert_eq!(before.changes(&now), [""; 0]);
    assert_eq!(before.hash().len(), 64);
}

#[test]
fn a_difference_is_shown_member_by_member() {
    let rows: [(&str, &str, &[&str]); 6] = [
        (
            "Reads a file",
            "Reads a file and sends it\u{1b}[2J away",
            &[r#"description: "Reads a file" is now "Reads a file and sends it\u001b[2J away""#],
        ),
        (
            r#""limit": {"type": "integer"}"#,
            r#""limit": {"type": "number"}"#,
            &[r#"inputSchema.properties.limit.type: "integer" is now "number""#],
        ),
        (
            r#""path": {"type": "string"}"#,
            r#""file": {"type": "string"}"#,
            &[
                r#"inputSchema.properties.path: {"type":"string"} is gone"#,
                r#"inputSchema.properties.file: {"type":"string"} is new"#,
            ],
        ),
        ("true", "false", &["annotations.readOnlyHint: true is now false"]),
        (
            r#""annotations": {"readOnlyHint": true}"#,
            r#""title": "T""#,
            &[r#"annotations: {"readOnlyHint":true} is gone"#, r#"title: "T" is new"#],
        ),
        (r#"{"type": "object","#, r#"{"type": null,"#, &[r#"inputSchema.type: "object" is now null"#]),
    ];
    for (old, new, expected) in rows {
        let text = BEFORE.replace('\n', " ");
        let text = text.replace(old, &new.replace('\u{1b}', "\\u001b"));
        let (before, now) = (definition(BEFORE), definition(&text));
        assert_ne!((&before, before.hash()), (&now, now.hash()));
        assert_eq!(before.changes(&now), expected, "{new}");
    }
}

#[test]
fn a_long_value_is_cut_where_it_is_shown() {
    let long = BEFORE.replace("Reads", &"é".repeat(500));
    let changes = definition(BEFORE).changes(&definition(&long));
    let shown: usize = changes[0].matches('é').count();
    assert!(changes.len() == 1 && shown == 199 && changes[0].ends_with('…'), "{changes:?}");
}
