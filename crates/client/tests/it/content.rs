//! What callers give and servers answer goes through as it came.

use codewhale_mcp_client::{CallError, Options};
use codewhale_mcp_protocol::{CompletionReference, Json, Members};
use serde_json::{Value, json};

use crate::server::Server;

const REVISIONS: [&str; 2] = ["2025-06-18", "2026-07-28"];

#[tokio::test(start_paused = true)]
async fn a_call_carries_what_its_caller_adds_to_meta() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let arguments = json!({"a": 1});
        let call = client
            .call_tool("x", &arguments)
            .meta("traceparent", &Json::encode(parent).expect("JSON"))
            .meta("example.com/a", &Json::from_text("{\"b\": 1.0}").expect("JSON"));
        let (called, ()) = tokio::join!(call.send(), async {
            let request = server.asked("tools/call").await;
            let meta = &request["params"]["_meta"];
            assert_eq!(meta["traceparent"], parent);
            assert_eq!(meta["example.com/a"], json!({"b": 1.0}));
            assert_eq!(meta["progressToken"], request["id"]);
            let modern = meta.get("io.modelcontextprotocol/protocolVersion").is_some();
            assert_eq!(modern, revision == "2026-07-28");
            assert_eq!(request["params"]["arguments"], json!({"a": 1}));
            server.answer(&request, json!({"content": []})).await;
        });
        called.expect("a result");
    }
}

#[tokio::test(start_paused = true)]
async fn meta_takes_names_that_have_their_form_and_are_the_callers() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let arguments = json!({});
    let value = Json::encode(&1).expect("JSON");
    let good = [
        "traceparent",
        "a",
        "a.b_c-d",
        "9",
        "example.com/",
        "com.example.mcp/a",
        "a/b",
        "mcp/x",
        "a-1.b/x.y",
        "io.modelcontextprotocol/related-task",
        "io.modelcontextprotocol/relatedTaskIds",
    ];
    for name in good {
        let call = client.call_tool("x", &arguments).meta(name, &value).send();
        let (called, ()) = tokio::join!(call, async {
            let request = server.asked("tools/call").await;
            assert_eq!(request["params"]["_meta"][name], 1, "{name}");
            server.answer(&request, json!({"content": []})).await;
        });
        called.expect("a result");
    }
    let bad = [
        "-a",
        "a-",
        "a b",
        "ä",
        "a/b/c",
        "/a",
        ".a/b",
        "a..b/c",
        "1a.b/c",
        "a-.b/c",
        "a.b/_c",
        "a.b/c\n",
        "progressToken",
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/x",
        "dev.mcp/x",
        "com.mcp.tools/x",
    ];
    for name in bad {
        let call = client.call_tool("x", &arguments).meta(name, &value).meta("a", &value).send();
        let error = call.await.expect_err("it is not sent");
        assert!(matches!(error, CallError::CallerParamsInvalid { method: "tools/call", .. }), "{error}");
    }
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn unknown_kinds_of_content_and_unknown_members_survive() {
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let arguments = json!({});
        let answer = json!({
            "content": [
                {"type": "hologram", "voxels": [1.5, {"deep": null}], "text": "t", "_meta": {"a": 1}},
                {"type": "text", "text": "t", "mood": "calm"},
                {"type": "resource_link", "uri": "a:b", "name": "n", "size": 1, "colour": "blue"},
            ],
            "structuredContent": {"b": 1.50, "a": [null]},
            "isError": false,
            "x-new": {"y": 1},
            "_meta": {"example.com/z": true},
        });
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            server.answer(&request, answer.clone()).await;
        });
        let result = called.expect("a result");
        assert!(result.content[0].kind.is_unknown());
        let mut again: Value = serde_json::to_value(&result).expect("JSON");
        again["isError"] = json!(false);
        assert_eq!(again, answer);
    }
}

#[tokio::test(start_paused = true)]
async fn structured_content_of_null_is_not_the_same_as_none() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    for (answer, expected) in [
        (json!({"content": []}), None),
        (json!({"content": [], "structuredContent": null}), Some("null")),
        (json!({"content": [], "structuredContent": [1]}), Some("[1]")),
        (json!({"content": [], "structuredContent": "s"}), Some("\"s\"")),
    ] {
        let arguments = json!({});
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            server.answer(&request, answer).await;
        });
        let content = called.expect("a result").structured_content;
        assert_eq!(content.as_ref().map(Json::as_str), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn schemas_of_tools_stay_the_text_that_came() {
    let schema = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"a":{"$anchor":"b","minimum":1.0}},"allOf":[],"if":{},"then":{},"else":{},"additionalProperties":false}"#;
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let (listed, ()) = tokio::join!(client.list_tools(), async {
            let request = server.asked("tools/list").await;
            let id = &request["id"];
            let tool =
                format!(r#"{{"name":"x","inputSchema":{schema},"outputSchema":{schema},"x-new":[1]}}"#);
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{tool}]}}}}"#);
            server.write(format!("{line}\n").as_bytes()).await;
        });
        let tool = listed.expect("a list").items.remove(0);
        assert_eq!(tool.input_schema.as_ref().map(Json::as_str), Some(schema));
        assert_eq!(tool.output_schema().map(Json::as_str), Some(schema));
        assert_eq!(tool.extra.member("x-new").map(Json::as_str), Some("[1]"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_resource_may_have_several_contents_of_other_addresses() {
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let (read, ()) = tokio::join!(client.read_resource("a:1").send(), async {
            let request = server.asked("resources/read").await;
            assert_eq!(request["params"]["uri"], "a:1");
            let contents = json!([
                {"uri": "a:1/x", "text": ""},
                {"uri": "a:2", "blob": "AA==", "mimeType": "image/png", "extra": 1},
            ]);
            server.answer(&request, json!({ "contents": contents })).await;
        });
        let contents = read.expect("a result").contents;
        assert_eq!((contents[0].uri.as_str(), contents[0].text.as_deref()), ("a:1/x", Some("")));
        assert_eq!((contents[1].text.as_deref(), contents[1].blob.as_deref()), (None, Some("AA==")));
        assert_eq!(contents[1].extra.member("extra").map(Json::as_str), Some("1"));

        for code in [-32002, -32602] {
            let (read, ()) = tokio::join!(client.read_resource("a:3").send(), async {
                let request = server.asked("resources/read").await;
                server.refuse(&request, json!({"code": code, "message": "no such resource"})).await;
            });
            assert!(matches!(read, Err(CallError::ServerError { error, .. }) if error.code == code));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn prompts_are_listed_and_filled_in() {
    for revision in REVISIONS {
        let (client, mut server) = Server::connected(revision, Options::default()).await;
        let (listed, ()) = tokio::join!(client.list_prompts(), async {
            let request = server.asked("prompts/list").await;
            let arguments = json!([{"name": "a", "required": true}]);
            server.answer(&request, json!({"prompts": [{"name": "p", "arguments": arguments}]})).await;
        });
        assert_eq!(listed.expect("a list").items[0].arguments.as_ref().expect("arguments")[0].name, "a");

        let arguments = Members::from_iter([("a", "1".to_owned())]);
        let (prompt, ()) = tokio::join!(client.get_prompt("p", &arguments).send(), async {
            let request = server.asked("prompts/get").await;
            assert_eq!(request["params"]["name"], "p");
            assert_eq!(request["params"]["arguments"], json!({"a": "1"}));
            let messages = json!([
                {"role": "user", "content": {"type": "text", "text": "q"}},
                {"role": "assistant", "content": {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}},
            ]);
            server.answer(&request, json!({ "messages": messages })).await;
        });
        let messages = prompt.expect("a prompt").messages;
        assert_eq!((messages[0].role.as_str(), messages[1].role.as_str()), ("user", "assistant"));
        assert_eq!(messages[1].content.data.as_deref(), Some("AA=="));
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_are_completed_with_what_is_known_already() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    for (known, context) in [
        (Members::default(), Value::Null),
        (Members::from_iter([("b", "2".to_owned())]), json!({"arguments": {"b": "2"}})),
    ] {
        let request = client.complete(CompletionReference::resource("a:{x}"), ("x", "va"), known);
        let (completed, ()) = tokio::join!(request.send(), async {
            let request = server.asked("completion/complete").await;
            assert_eq!(request["params"]["ref"], json!({"type": "ref/resource", "uri": "a:{x}"}));
            assert_eq!(request["params"]["argument"], json!({"name": "x", "value": "va"}));
            assert_eq!(request["params"]["context"], context);
            server.answer(&request, json!({"completion": {"values": ["value"]}})).await;
        });
        let completion = completed.expect("a result").completion;
        assert_eq!(
            (completion.values, completion.total, completion.has_more),
            (vec!["value".into()], None, None)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn progress_may_be_a_fraction_go_back_and_lack_its_total() {
    let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
    let mut seen = Vec::new();
    let arguments = json!({});
    let call = client.call_tool("x", &arguments).on_progress(|progress| {
        seen.push((progress.progress, progress.total, progress.message));
    });
    let (called, ()) = tokio::join!(call.send(), async {
        let request = server.asked("tools/call").await;
        let token = &request["id"];
        for progress in [
            json!({"progressToken": token, "progress": 0.5, "message": "half"}),
            json!({"progressToken": token, "progress": 0.25, "total": 1.5}),
            json!({"progressToken": "unknown", "progress": 7}),
            json!({"progressToken": token, "progress": "much"}),
            json!({"progress": 8}),
        ] {
            server.notify("notifications/progress", progress).await;
        }
        server.answer(&request, json!({"content": []})).await;
    });
    called.expect("a result");
    assert_eq!(seen, [(0.5, None, Some("half".to_owned())), (0.25, Some(1.5), None)]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_with_half_a_character_or_a_block_that_is_none_is_not_lost() {
    for (result, texts) in [
        (r#"{"content":[{"type":"text","text":"a\ud83d"}]}"#, vec!["a\u{fffd}"]),
        (r#"{"content":[{"type":"text","text":"a"},{"text":1},"b"]}"#, vec!["a", r#"{"text":1}"#, r#""b""#]),
    ] {
        let (client, mut server) = Server::connected("2025-06-18", Options::default()).await;
        let call = tokio::spawn(async move { client.call_tool("x", &json!({})).send().await });
        let request = server.asked("tools/call").await;
        let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{result}}}\n", request["id"]);
        server.write(line.as_bytes()).await;
        let answer = call.await.expect("the task ends").expect("an answer");
        let shown: Vec<_> = answer.content.iter().filter_map(|block| block.text.as_deref()).collect();
        assert_eq!(shown, texts, "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn icons_are_kept_as_they_came_and_never_fetched() {
    let (client, mut server) = Server::connected("2025-11-25", Options::default()).await;
    let icons = r#"[{"src":"javascript:alert(1)"},{"src":"file:///etc/passwd","sizes":["any"]},{"src":7}]"#;
    let list = tokio::spawn({
        let client = client.clone();
        async move { client.list_tools().await }
    });
    let request = server.asked("tools/list").await;
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"tools\":[{{\"name\":\"x\",\"icons\":{icons}}}]}}}}\n",
        request["id"]
    );
    server.write(line.as_bytes()).await;
    let tools = list.await.expect("the task ends").expect("a list");
    let kept = tools.items[0].more.as_ref().and_then(|more| more.icons.as_ref()).expect("they are there");
    assert_eq!(kept.json().as_str(), icons);
    assert!(kept.read().is_err(), "what is no icon is only seen by who looks");
    server.hears_nothing().await;
}
