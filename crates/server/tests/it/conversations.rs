//! One long conversation in every revision: each answer is held against the revision's schema.

use serde_json::{Value, json};

use crate::drive::{Client, modern, request};
use crate::fixture::server;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// What is asked in both eras: method, params, and the JSON pointer into the answer with what stands there.
fn shared() -> Vec<(&'static str, Value, &'static str, Value)> {
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    vec![
        ("tools/list", json!({}), "/result/nextCursor", json!("5")),
        ("tools/list", json!({"cursor": "10"}), "/result/tools/2/name", json!("only_task")),
        ("tools/list", json!({"cursor": "15"}), "/error/code", json!(-32602)),
        ("tools/list", json!({"cursor": ""}), "/error/code", json!(-32602)),
        ("tools/list", json!({"cursor": 5}), "/error/code", json!(-32602)),
        (
            "tools/call",
            call("echo", json!({"text": "a\u{2028}\"", "times": 2})),
            "/result/content/0/text",
            json!("a\u{2028}\"a\u{2028}\""),
        ),
        (
            "tools/call",
            call("measure", json!({"text": "abc"})),
            "/result/content/0/text",
            json!("{\"length\":3}"),
        ),
        (
            "tools/call",
            call("fail", json!({})),
            "/result/content/0/text",
            json!("invalid digit found in string"),
        ),
        ("tools/call", call("break_off", json!({})), "/error/code", json!(-32603)),
        ("tools/call", call("everything", json!({})), "/result/content/1/type", json!("image")),
        ("tools/call", call("nothing", json!({})), "/error/code", json!(-32602)),
        ("tools/call", json!({}), "/error/code", json!(-32602)),
        (
            "tools/call",
            call("raw", json!({"n": 9007199254740993_u64})),
            "/result/content/0/text",
            json!("{\"n\":9007199254740993}"),
        ),
        ("resources/list", json!({}), "/result/resources/1/name", json!("bytes")),
        (
            "resources/templates/list",
            json!({}),
            "/result/resourceTemplates/0/uriTemplate",
            json!("test://data/{id}"),
        ),
        (
            "resources/read",
            json!({"uri": "test://text"}),
            "/result/contents/0",
            json!({"uri": "test://text", "mimeType": "text/plain", "text": "some text"}),
        ),
        ("resources/read", json!({"uri": "test://bytes"}), "/result/contents/0/blob", json!("AP8=")),
        ("resources/read", json!({"uri": "test://data/7"}), "/result/contents/0/text", json!("data of 7")),
        ("resources/read", json!({"uri": "test://data/none"}), "/error/data/uri", json!("test://data/none")),
        (
            "prompts/list",
            json!({}),
            "/result/prompts/0/arguments/1",
            json!({"name": "topic", "description": "What about.", "required": true}),
        ),
        (
            "prompts/get",
            json!({"name": "write", "arguments": {"topic": "sea"}}),
            "/result/messages/0/content/text",
            json!("Write about sea "),
        ),
        ("prompts/get", json!({"name": "write", "arguments": {}}), "/error/code", json!(-32602)),
        ("prompts/get", json!({"name": "nothing"}), "/error/code", json!(-32602)),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "write"},
            "argument": {"name": "topic", "value": "s"}}),
            "/result/completion/values/99",
            json!("s99"),
        ),
        ("no/method", json!({}), "/error/code", json!(-32601)),
    ]
}

fn at<'a>(answer: &'a Value, pointer: &str) -> &'a Value {
    answer.pointer(pointer).unwrap_or_else(|| panic!("{pointer} of {answer}"))
}

#[tokio::test]
async fn every_legacy_revision_is_spoken() {
    for revision in LEGACY {
        let (server, _) = server();
        let mut client = Client::judging(&server, revision);
        let answer = client.open(revision, json!({})).await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "everything");
        assert_eq!(answer["result"]["capabilities"].get("completions").is_some(), revision > "2024-11-05");
        assert_eq!(answer["result"]["capabilities"].get("extensions"), None);
        for (id, (method, params, pointer, expected)) in shared().into_iter().enumerate() {
            let answer = client.ask(&request(id, method, params)).await;
            assert_eq!(answer["id"], id);
            assert_eq!(*at(&answer, pointer), expected, "{revision} {method}: {answer}");
            assert_eq!(answer["result"].get("resultType"), None, "{answer}");
            assert_eq!(answer["result"].get("ttlMs"), None, "{answer}");
        }
        let answer = client.ask(&request("e", "tools/call", json!({"name": "everything"}))).await;
        let kinds: Vec<&Value> = answer["result"]["content"]
            .as_array()
            .expect("blocks")
            .iter()
            .map(|block| &block["type"])
            .collect();
        let audio = if revision < "2025-03-26" { "text" } else { "audio" };
        let link = if revision < "2025-06-18" { "text" } else { "resource_link" };
        assert_eq!(kinds, ["text", "image", audio, "resource", link]);
        assert_eq!(answer["result"].get("structuredContent"), None, "an array is for the modern era");
        let answer = client
            .ask(&request("m", "tools/call", json!({"name": "measure", "arguments": {"text": "x"}})))
            .await;
        assert_eq!(answer["result"].get("structuredContent").is_some(), revision >= "2025-06-18");
        let answer = client.ask(&request("r", "resources/read", json!({"uri": "test://none"}))).await;
        assert_eq!(*at(&answer, "/error/code"), -32002);
        for (method, expected) in
            [("server/discover", -32602), ("subscriptions/listen", -32602), ("tasks/update", -32602)]
        {
            let answer = client.ask(&request(method, method, json!({}))).await;
            assert_eq!(*at(&answer, "/error/code"), expected, "{answer}");
        }
        let answer = client.ask(&request("p", "ping", json!({}))).await;
        assert_eq!(answer["result"], json!({}));
        let answer = client.ask(&request("i", "initialize", json!({}))).await;
        assert_eq!(*at(&answer, "/error/code"), -32600);
        assert_eq!(client.close().await, [Value::Null; 0]);
    }
}

#[tokio::test]
async fn the_modern_revision_is_spoken() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let answer = client.ask(&modern("d", "server/discover", json!({}), json!({}))).await;
    assert_eq!(answer["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(answer["result"]["instructions"], "Try it.");
    assert_eq!(answer["result"]["capabilities"]["extensions"], json!({"io.modelcontextprotocol/tasks": {}}));
    for (id, (method, params, pointer, expected)) in shared().into_iter().enumerate() {
        let answer = client.ask(&modern(id, method, params, json!({}))).await;
        assert_eq!(answer["id"], id);
        assert_eq!(*at(&answer, pointer), expected, "{method}: {answer}");
        if let Some(result) = answer.get("result") {
            assert_eq!(result["resultType"], "complete", "{answer}");
            assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["version"], "1.2.3");
            let lists = method.ends_with("/list") || method == "resources/read";
            assert_eq!((result.get("ttlMs").is_some(), result.get("cacheScope").is_some()), (lists, lists));
        }
    }
    let answer = client.ask(&modern("e", "tools/call", json!({"name": "everything"}), json!({}))).await;
    assert_eq!(answer["result"]["structuredContent"], json!([1, null]));
    assert_eq!(*at(&answer, "/result/content/4/type"), "resource_link");
    let answer = client.ask(&modern("r", "resources/read", json!({"uri": "test://none"}), json!({}))).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["data"], json!({"uri": "test://none"}));
    for removed in [
        "ping",
        "initialize",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/result",
    ] {
        let answer = client.ask(&modern(removed, removed, json!({}), json!({}))).await;
        assert_eq!(*at(&answer, "/error/code"), -32601, "{answer}");
    }
    assert_eq!(client.close().await, [Value::Null; 0]);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_a_result_or_an_error_as_the_revision_says() {
    for (revision, as_result) in [
        ("2024-11-05", false),
        ("2025-03-26", false),
        ("2025-06-18", false),
        ("2025-11-25", true),
        ("2026-07-28", true),
    ] {
        for (name, arguments, told) in [
            ("echo", json!({}), "text"),
            ("echo", json!({"text": "x", "times": 4}), "3"),
            ("echo", json!({"text": 1}), "string"),
            ("echo", json!([]), "object"),
            ("raw", json!({}), "n"),
            ("raw", json!({"n": 1.5}), "integer"),
        ] {
            let (server, _) = server();
            let mut client = Client::judging(&server, revision);
            let params = json!({"name": name, "arguments": arguments});
            let answer = if revision == "2026-07-28" {
                client.ask(&modern(1, "tools/call", params, json!({}))).await
            } else {
                client.open(revision, json!({})).await;
                client.ask(&request(1, "tools/call", params)).await
            };
            let text = if as_result {
                assert_eq!(answer["result"]["isError"], true, "{answer}");
                answer["result"]["content"][0]["text"].as_str()
            } else {
                assert_eq!(answer["error"]["code"], -32602, "{answer}");
                answer["error"]["message"].as_str()
            };
            assert!(text.expect("a text").contains(told), "{answer}");
        }
    }
}

#[tokio::test]
async fn progress_and_messages_come_before_the_answer_to_those_who_want_them() {
    for revision in LEGACY {
        let (server, _) = server();
        let mut client = Client::judging(&server, revision);
        client.open(revision, json!({})).await;
        let work = json!({"name": "work", "_meta": {"progressToken": "p"}});
        client.send(&request(1, "tools/call", work)).await;
        let said = [client.next().await, client.next().await, client.next().await, client.next().await];
        assert_eq!(said[0]["params"]["progressToken"], "p");
        assert_eq!(said[0]["params"].get("message").is_some(), revision >= "2025-03-26");
        assert_eq!(said[1]["params"]["level"], "error", "debug is below what is sent by itself");
        assert_eq!(said[2]["params"]["progress"], 2.0);
        assert_eq!(said[3]["id"], 1);
        let answer = client.ask(&request(2, "logging/setLevel", json!({"level": "critical"}))).await;
        assert_eq!(answer["result"], json!({}));
        let answer = client.ask(&request(3, "logging/setLevel", json!({"level": "loud"}))).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(client.ask(&request(4, "tools/call", json!({"name": "work"}))).await["id"], 4);
        client.close().await;
    }
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let work = json!({"name": "work"});
    assert_eq!(client.ask(&modern(1, "tools/call", work.clone(), json!({}))).await["id"], 1);
    let mut wanted = modern(2, "tools/call", work, json!({}));
    wanted["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    wanted["params"]["_meta"]["progressToken"] = json!(7);
    client.send(&wanted).await;
    let mut said = Vec::new();
    for _ in 0..5 {
        said.push(client.next().await);
    }
    assert_eq!(said[0]["params"]["progressToken"], 7);
    assert_eq!(said[1]["params"]["data"], "fine");
    assert_eq!(said[2]["params"]["logger"], "work");
    assert_eq!(said[4]["id"], 2);
    wanted["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("loud");
    assert_eq!(client.ask(&wanted).await["error"]["code"], -32602);
    client.close().await;
}
