//! What stands at the beginning of a `SKILL.md`, compared with what an entry says.

use codewhale_mcp_client::{FrontmatterFault, frontmatter_fault};
use serde_json::{Value, json};

fn check(text: &str, listed: Value) -> Option<FrontmatterFault> {
    frontmatter_fault(text, &serde_json::from_value(listed).expect("the form of front matter"))
}

fn differs(field: &str) -> Option<FrontmatterFault> {
    Some(FrontmatterFault::Differs { field: field.to_owned() })
}

#[test]
fn front_matter_is_the_same_however_it_is_written() {
    let listed = json!({
        "name": "a", "description": "Use: when \"b\" or\nc", "license": null, "metadata": {"version": 1, "on": "yes"},
        "allowed-tools": ["Bash", 2.5, true],
    });
    for text in [
        "---\nname: a\ndescription: |-\n  Use: when \"b\" or\n  c\nlicense:\nmetadata:\n  version: 1.0\n  on: yes\n\
         allowed-tools: [Bash, 2.5, true]\n---\nbody: [",
        "\u{feff}--- \r\nallowed-tools:\r\n- Bash # a comment\r\n- 2.5\r\n- true\r\nmetadata: {on: 'yes', version: 1}\r\n\
         license: ~\r\ndescription: \"Use: when \\\"b\\\" or\\nc\"\r\nname: 'a'\r\n---",
    ] {
        assert_eq!(check(text, listed.clone()), None, "{text}");
    }
}

#[test]
fn the_first_difference_is_named() {
    let listed = || json!({"name": "a", "description": "b"});
    let nested = || json!({"name": "a", "description": "b", "metadata": {"x": [1, {"y": 2}], "z": "1"}});
    let rows = [
        (listed(), "---\nname: a\ndescription: c\n---\n", "description"),
        (listed(), "---\nname: a\n---\n", "description"),
        (listed(), "---\n---\nname: a\ndescription: b\n", "description"),
        (listed(), "---\nname: a\ndescription: b\nhooks: {}\n---\n", "hooks"),
        (nested(), "---\nname: a\ndescription: b\n---\n", "metadata"),
        (nested(), "---\nname: a\ndescription: b\nmetadata: {x: [1, {y: 3}], z: '1'}\n---\n", "metadata.x"),
        (nested(), "---\nname: a\ndescription: b\nmetadata: {x: [1, {y: 2}], z: 1}\n---\n", "metadata.z"),
    ];
    for (listed, text, field) in rows {
        assert_eq!(check(text, listed), differs(field), "{text}");
    }
}

#[test]
fn what_is_no_front_matter_is_told_in_one_line() {
    let listed = || json!({"name": "a", "description": "b"});
    for text in
        ["", "name: a\n", "\n---\nname: a\n---\n", "---\nname: a\ndescription: b\n", "----\nname: a\n----\n"]
    {
        assert_eq!(check(text, listed()), Some(FrontmatterFault::Missing), "{text:?}");
    }
    let bomb = (1..40).fold("a0: &a0 [x, x]\n".to_owned(), |bomb, at| {
        let before = at - 1;
        format!("{bomb}a{at}: &a{at} [*a{before}, *a{before}]\n")
    });
    let deep = format!("a: {}{}\n", "[".repeat(5_000), "]".repeat(5_000));
    let rows = [
        "- a\n",
        "just text\n",
        "name: a\nname: a\n",
        "name: [\n",
        "a: *b\n",
        "? {a: b}\n: c\n",
        &bomb,
        &deep,
    ];
    for yaml in rows {
        let fault = check(&format!("---\n{yaml}---\n"), listed());
        let Some(FrontmatterFault::Unreadable { reason }) = &fault else { panic!("{yaml:.40}: {fault:?}") };
        assert!(!reason.is_empty() && !reason.contains('\n') && reason.chars().count() <= 200, "{reason}");
    }
}
