//! The tools over the protocol: what is offered, how it answers, and that cancelled work ends.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::Duration;

use codewhale_mcp_process::Guard;
use codewhale_mcp_server::serve_lines;
use codewhale_native::{Keep, Native, Options, Permit, Workspace, environment, server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::time::timeout;

use crate::fixture::Fixture;

/// Longer than anything takes on a machine that is busy.
const OUTER: Duration = Duration::from_secs(60);

fn native(fixture: &Fixture, allow: &[Permit]) -> Native {
    let path = [(OsString::from("PATH"), OsString::from("/usr/bin:/bin"))];
    server(Options {
        workspace: Workspace::open(&fixture.root(), &Keep::default()).expect("it is there"),
        allow: allow.iter().copied().collect::<BTreeSet<_>>(),
        environment: environment(&path, &[]),
        guard: Guard::none(),
        version: "1.2.3".to_owned(),
    })
    .expect("our own tools are in order")
}

/// A client that writes what it is told to.
struct Client {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: WriteHalf<DuplexStream>,
}

impl Client {
    fn of(native: &Native) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let server = native.server.clone();
        tokio::spawn(async move {
            let (reader, writer) = tokio::io::split(theirs);
            serve_lines(&server, reader, writer).await
        });
        let (reader, out) = tokio::io::split(ours);
        Self { lines: BufReader::new(reader).lines(), out }
    }

    async fn send(&mut self, message: Value) {
        self.out.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    async fn next(&mut self) -> Value {
        let line = timeout(OUTER, self.lines.next_line()).await.expect("something comes soon");
        serde_json::from_str(&line.expect("lines of text").expect("the server goes on")).expect("JSON")
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(request(1, method, params, json!({}))).await;
        self.next().await
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }
}

fn request(id: u64, method: &str, mut params: Value, meta: Value) -> Value {
    let mut all = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    all.as_object_mut().expect("an object").extend(meta.as_object().expect("an object").clone());
    params["_meta"] = all;
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

#[tokio::test]
async fn what_changes_something_is_offered_only_where_it_is_allowed() {
    let fixture = Fixture::new();
    let check = async |allow: &[Permit], expected: &[&str]| {
        let list = Client::of(&native(&fixture, allow)).ask("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().expect("tools").clone();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
        assert_eq!(names, expected);
        for tool in &tools {
            let reads = !expected[4..].contains(&tool["name"].as_str().expect("a name"));
            assert_eq!(tool["annotations"]["readOnlyHint"], json!(reads), "{tool}");
            assert_eq!(tool["annotations"]["destructiveHint"].as_bool(), (!reads).then_some(true), "{tool}");
            assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
            assert!(!tool["inputSchema"].to_string().contains("null"), "{tool}");
        }
    };
    let reading = ["read_file", "list_directory", "find_files", "search_text"];
    check(&[], &reading).await;
    check(&[Permit::EditFile], &[&reading[..], &["edit_file"]].concat()).await;
    check(&Permit::ALL, &[&reading[..], &["write_file", "edit_file", "shell"]].concat()).await;
}

#[tokio::test]
async fn a_tool_that_is_not_allowed_says_what_would_allow_it() {
    let fixture = Fixture::new();
    let mut client = Client::of(&native(&fixture, &[Permit::WriteFile]));
    for tool in ["edit_file", "shell"] {
        let error = client.call(tool, json!({"command": "touch x"})).await["error"].clone();
        assert_eq!(error["code"], -32602);
        let told = error["message"].as_str().expect("a text");
        assert!(told.contains(&format!("allow = [\"{tool}\"]")) && told.contains("config.toml"), "{told}");
        assert!(told.contains(&format!("--allow {tool}")), "{told}");
    }
    assert!(fixture.names(".").is_empty());
    let written = client.call("write_file", json!({"path": "x", "text": "y"})).await;
    assert_eq!(written["result"]["structuredContent"], json!({"path": "x", "size": 1, "created": true}));
}

#[tokio::test]
async fn answers_are_for_models_and_for_programs() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "one\ntwo\n").file("p.png", [0x89, b'P', 0]);
    let mut client = Client::of(&native(&fixture, &Permit::ALL));
    let mut check = async |tool: &str, arguments: Value, text: &str, structured: Value| {
        let result = client.call(tool, arguments).await["result"].clone();
        assert!(!result["isError"].as_bool().unwrap_or_default(), "{result}");
        assert_eq!(result["content"][0]["text"], text, "{result}");
        for (name, value) in structured.as_object().expect("an object") {
            assert_eq!(&result["structuredContent"][name], value, "{result}");
        }
    };
    check("read_file", json!({"path": "a.txt"}), "one\ntwo\n", json!({"text": "one\ntwo\n", "lines": 2}))
        .await;
    check("list_directory", json!({}), "a.txt (8 bytes)\np.png (3 bytes)", json!({"total": 2})).await;
    check("find_files", json!({"pattern": "*.md"}), "no file matches", json!({"paths": []})).await;
    check("search_text", json!({"pattern": "two"}), "a.txt:2:two", json!({"searched": 2})).await;
    let edit = json!({"path": "a.txt", "old_text": "two", "new_text": "2"});
    check("edit_file", edit, "replaced 1 place in a.txt\n@@ line 2 @@\n-two\n+2", json!({"replaced": 1}))
        .await;
    check("shell", json!({"command": "cat a.txt"}), "one\n2\n", json!({"exit_code": 0, "timed_out": false}))
        .await;

    fixture.file("long/a", "x".repeat(256 << 10));
    let result = client.call("search_text", json!({"pattern": "y", "path": "long"})).await["result"].clone();
    assert!(result["content"][1]["text"].as_str().is_some_and(|text| text.contains("256 KiB")), "{result}");
    let result = client.call("read_file", json!({"path": "p.png", "as": "base64"})).await["result"].clone();
    assert_eq!(result["content"][0], json!({"type": "image", "data": "iVAA", "mimeType": "image/png"}));
    let result = client.call("read_file", json!({"path": "../x"})).await["result"].clone();
    assert_eq!(result["isError"], true);
    let result = client.call("read_file", json!({"path": "a.txt", "lines": 3})).await["result"].clone();
    assert!(result["content"][0]["text"].as_str().is_some_and(|text| text.contains("lines")), "{result}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_tells_of_its_progress_and_ends_when_it_is_cancelled() {
    let fixture = Fixture::new();
    let native = native(&fixture, &[Permit::Shell]);
    let mut client = Client::of(&native);
    let command = json!({"name": "shell", "arguments": {"command": "echo begun; exec sleep 600"}});
    client.send(request(7, "tools/call", command, json!({"progressToken": "p"}))).await;
    let progress = client.next().await;
    assert_eq!(progress["method"], "notifications/progress", "{progress}");
    assert_eq!(progress["params"]["message"], "begun");
    assert_eq!(progress["params"]["progress"].as_f64(), Some(6.0));
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}))
        .await;
    timeout(OUTER, native.end()).await.expect("no command is left soon");
}
