//! The skills extension.

use codewhale_mcp_server::{BuildError, Server, skill};
use serde_json::{Value, json};

use crate::drive::{Client, modern};

const MANIFEST: &str =
    "---\nname: pdf-forms\ndescription: Fills in forms.\nmetadata:\n  version: 1.0\n---\n# Forms\n";

fn server() -> Server {
    let files: [(&str, &[u8]); 3] =
        [("SKILL.md", MANIFEST.as_bytes()), ("references/a.txt", b"a"), ("assets/b.bin", &[0xff, 0])];
    let forms = skill("skill://acme/pdf-forms", files).expect("a skill");
    Server::builder("skilled", "1").skill(forms).build().expect("addresses of their own")
}

#[tokio::test]
async fn a_skill_is_listed_with_its_files_and_read_by_them() {
    let mut client = Client::judging(&server(), "2026-07-28");
    let discovered = client.ask(&modern(1, "server/discover", json!({}), json!({}))).await;
    let able = &discovered["result"]["capabilities"];
    assert_eq!(able["extensions"], json!({"io.modelcontextprotocol/skills": {}}));
    assert!(able["resources"].is_object());
    let listed = client.ask(&modern(2, "skills/list", json!({}), json!({}))).await;
    assert!(listed["result"]["ttlMs"].is_number() && listed["result"]["cacheScope"].is_string());
    let entry = &listed["result"]["skills"][0];
    assert_eq!(entry["uri"], "skill://acme/pdf-forms/SKILL.md");
    assert_eq!(
        entry["frontmatter"],
        json!({"name": "pdf-forms", "description": "Fills in forms.",
        "metadata": {"version": 1.0}})
    );
    assert_eq!(
        entry["resources"][1],
        json!({"uri": "skill://acme/pdf-forms/references/a.txt", "size": 1,
        "digest": "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"})
    );
    let one = client.ask(&modern(3, "skills/get", json!({"uri": entry["uri"]}), json!({}))).await;
    assert_eq!(&one["result"]["skill"], entry);
    let none = client.ask(&modern(4, "skills/get", json!({"uri": "skill://x/SKILL.md"}), json!({}))).await;
    assert_eq!(none["error"]["code"], -32602);
    let resources = client.ask(&modern(5, "resources/list", json!({}), json!({}))).await;
    assert_eq!(
        resources["result"]["resources"],
        json!([{"uri": entry["uri"], "name": "pdf-forms",
        "description": "Fills in forms.", "mimeType": "text/markdown"}])
    );
    for (path, member, expected) in
        [("SKILL.md", "text", MANIFEST), ("references/a.txt", "text", "a"), ("assets/b.bin", "blob", "/wA=")]
    {
        let uri = format!("skill://acme/pdf-forms/{path}");
        let read = client.ask(&modern(6, "resources/read", json!({"uri": uri}), json!({}))).await;
        assert_eq!(read["result"]["contents"][0][member], expected, "{read}");
    }
    assert_eq!(client.close().await, [Value::Null; 0]);
}

#[test]
fn what_is_no_skill_is_not_offered() {
    let check = |uri: &str, files: &[(&str, &str)], told: &str| {
        let files = files.iter().map(|(path, text)| (*path, text.as_bytes()));
        match skill(uri, files) {
            Err(BuildError::Skill { reason, .. }) => assert!(reason.contains(told), "{reason}"),
            other => panic!("{told}: {other:?}"),
        }
    };
    let manifest = ("SKILL.md", MANIFEST);
    check("skill://pdf-forms", &[("README.md", "")], "no SKILL.md");
    check("skill://pdf-forms", &[("SKILL.md", "# x")], "front matter");
    check("skill://pdf-forms", &[("SKILL.md", "---\nname: pdf-forms\n---\n")], "description");
    check("skill://pdf-forms", &[("SKILL.md", "---\nname: [\n---\n")], "");
    check("skill://other", &[manifest], "address");
    check("skill://X", &[("SKILL.md", "---\nname: X\ndescription: d\n---\n")], "a to z");
    check("skill://pdf-forms", &[manifest, ("../x", "")], "path");
}
