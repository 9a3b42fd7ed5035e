//! Peers that are broken or mean harm.

use codewhale_mcp_protocol::Revision;
use codewhale_mcp_server::{Context, Failure, Limits, NoArguments, Server, serve_lines, tool};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::drive::{Client, modern, request};
use crate::fixture::server;

#[tokio::test]
async fn what_is_no_message_is_refused_and_nothing_else_is_lost() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    for (line, id, code) in [
        ("{", json!(null), -32700),
        ("nonsense", json!(null), -32700),
        ("\u{feff}{\"jsonrpc\":\"2.0\"}", json!(null), -32600),
        ("{}", json!(null), -32600),
        ("7", json!(null), -32600),
        (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, json!(5), -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, json!(null), -32600),
        (r#"{"jsonrpc":"2.0","id":6,"method":7}"#, json!(6), -32600),
        (r#"{"jsonrpc":"2.0","id":"x","method":"ping","params":[]}"#, json!("x"), -32600),
        (r#"{"jsonrpc":"2.0","id":8,"method":"tools/list"}"#, json!(8), -32602),
        ("[]", json!(null), -32600),
        (r#"[{"jsonrpc":"2.0","id":8,"method":"ping"}]"#, json!(null), -32600),
        ("[1", json!(null), -32700),
    ] {
        client.raw(line).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&id, &json!(code)), "{line}: {answer}");
    }
    for silent in [
        "",
        " \t\r",
        r#"{"jsonrpc":"2.0","method":"notifications/foo"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}"#,
    ] {
        client.raw(silent).await;
    }
    let answer = client.ask(&modern(7, "server/discover", json!({}), json!({}))).await;
    assert_eq!(answer["id"], 7, "nothing came of them");
    client.close().await;
}

#[tokio::test]
async fn ids_come_back_as_they_came() {
    let (server, _) = server();
    let mut client = Client::of(&server);
    for id in [
        json!("1"),
        json!(1),
        json!(""),
        json!("a\"\u{2028}b"),
        json!(-5),
        json!(9007199254740993_u64),
        json!(0),
    ] {
        let answer = client.ask(&request(id.clone(), "ping", json!({}))).await;
        assert_eq!(answer["id"], id);
        let answer = client.ask(&modern(id.clone(), "server/discover", json!({}), json!({}))).await;
        assert_eq!(answer["id"], id);
    }
    client.raw(r#"{"jsonrpc":"2.0","id":170141183460469231731687303715884105727,"method":"ping"}"#).await;
    assert!(client.next().await["result"].is_object());
}

#[tokio::test]
async fn what_a_modern_request_has_to_say_is_asked_for() {
    let (server, _) = server();
    let mut client = Client::judging(&server, "2026-07-28");
    let version = "io.modelcontextprotocol/protocolVersion";
    let able = "io.modelcontextprotocol/clientCapabilities";
    for (meta, code) in [
        (json!({version: "2026-07-28"}), -32602),
        (json!({able: {}}), -32602),
        (json!({version: 7, able: {}}), -32602),
        (json!({version: "2026-07-28", able: []}), -32602),
        (json!({version: "2099-01-01", able: {}}), -32022),
        (json!({version: "2025-11-25", able: {}}), -32022),
        (json!({version: "2026-07-28", able: {}, "progressToken": {"a": 1}}), -32602),
        (json!({version: "2026-07-28", able: {}, "progressToken": 1.5}), -32602),
        (json!({version: "2026-07-28", able: {}, "progressToken": true}), -32602),
    ] {
        for method in ["tools/list", "server/discover"] {
            let answer = client.ask(&request(1, method, json!({"_meta": meta}))).await;
            assert_eq!(answer["error"]["code"], code, "{meta}: {answer}");
            if code == -32022 {
                assert_eq!(answer["error"]["data"]["supported"], json!(["2026-07-28"]));
                assert_eq!(answer["error"]["data"]["requested"], meta[version]);
            }
        }
    }
    client.close().await;
}

#[tokio::test]
async fn a_legacy_token_for_progress_that_is_none_is_ignored() {
    let (server, _) = server();
    let mut client = Client::of(&server);
    client.open("2025-11-25", json!({})).await;
    client.ask(&request(0, "logging/setLevel", json!({"level": "emergency"}))).await;
    for (token, told) in
        [(json!([1]), 0), (json!({"a": 1}), 0), (json!(1.5), 0), (json!(7), 2), (json!("t"), 2)]
    {
        client
            .send(&request(1, "tools/call", json!({"name": "work", "_meta": {"progressToken": token}})))
            .await;
        let mut seen = 0;
        loop {
            let message = client.next().await;
            if message["id"] == 1 {
                break;
            }
            assert_eq!(message["params"]["progressToken"], token);
            seen += 1;
        }
        assert_eq!(seen, told, "{token}");
    }
}

#[tokio::test]
async fn a_batch_is_part_of_one_revision() {
    let batch = json!([
        request(1, "tools/call", json!({"name": "work"})),
        {"jsonrpc": "2.0", "method": "notifications/x"},
        request("p", "ping", json!({})),
        {"jsonrpc": "2.0", "id": 3},
        request(4, "initialize", json!({})),
        5,
    ]);
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (server, _) = server();
        let mut client = Client::of(&server);
        client.open(revision, json!({})).await;
        client.ask(&request(0, "logging/setLevel", json!({"level": "emergency"}))).await;
        let answer = client.ask(&batch).await;
        if revision != "2025-03-26" {
            assert_eq!(answer["error"]["code"], -32600, "{revision}: {answer}");
            assert_eq!(answer.get("id").is_some(), revision < "2025-11-25", "{answer}");
            continue;
        }
        let mut all: Vec<(String, i64)> = Vec::new();
        for one in answer.as_array().expect("one answer to all") {
            let id = one.get("id").expect("this revision has no answer without an id");
            all.push((id.to_string(), one["error"]["code"].as_i64().unwrap_or_default()));
        }
        all.sort();
        let expected = [("\"p\"", 0), ("1", 0), ("3", -32600), ("4", -32600), ("null", -32600)];
        assert_eq!(all, expected.map(|(id, code)| (id.to_owned(), code)));
        client.send(&json!([{"jsonrpc": "2.0", "method": "notifications/x"}])).await;
        let answer = client.ask(&json!([request(5, "ping", json!({}))])).await;
        assert_eq!(
            answer,
            json!([{"jsonrpc": "2.0", "id": 5, "result": {}}]),
            "nothing comes of notifications"
        );
    }
}

#[tokio::test]
async fn a_batch_has_a_bound_and_so_have_its_answers() {
    let limits = Limits { batch: 5, batch_answers: 25_000, ..Limits::default() };
    let server =
        Server::builder("small", "1").limits(limits).tool(tool("large", large)).tool(tool("slow", slow));
    let mut client = Client::of(&server.build().expect("names of their own"));
    client.open("2025-03-26", json!({})).await;
    let ping = request(1, "ping", json!({}));
    let answer = client.ask(&json!(vec![ping.clone(); 6])).await;
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(answer["error"]["code"] == -32600 && message.contains("at most 5 messages"), "{answer}");
    for name in ["large", "slow"] {
        let call = |id: u64| request(id, "tools/call", json!({ "name": name }));
        let answers = client.ask(&json!((1..=5).map(call).collect::<Vec<_>>())).await;
        let answers = answers.as_array().expect("one answer to all");
        let refused: Vec<&Value> = answers.iter().filter(|answer| answer["result"].is_null()).collect();
        let mut ids: Vec<u64> = answers.iter().filter_map(|answer| answer["id"].as_u64()).collect();
        ids.sort_unstable();
        assert_eq!((ids, refused.len()), (vec![1, 2, 3, 4, 5], 3), "{name}");
        for answer in refused {
            let message = answer["error"]["message"].as_str().unwrap_or_default();
            assert!(answer["error"]["code"] == -32600 && message.contains("25000 bytes"), "{answer}");
        }
    }
}

async fn slow(arguments: NoArguments, context: Context) -> Result<String, Failure> {
    tokio::task::yield_now().await;
    large(arguments, context).await
}

async fn never(_: NoArguments, _: Context) -> Result<(), Failure> {
    std::future::pending().await
}

async fn large(_: NoArguments, _: Context) -> Result<String, Failure> {
    Ok("x".repeat(10_000))
}

fn small() -> Server {
    let limits = Limits { message: 500, in_flight: 3, unread: 50_000, ..Limits::default() };
    let builder =
        Server::builder("small", "1").limits(limits).tool(tool("never", never)).tool(tool("large", large));
    builder.build().expect("names of their own")
}

#[tokio::test]
async fn what_is_beyond_a_limit_is_refused() {
    let mut client = Client::of(&small());
    let call = |id: i64, tool: &str| modern(id, "tools/call", json!({"name": tool}), json!({}));
    client.raw(&format!("{}{}", "x".repeat(100_000), "y".repeat(100_000))).await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    for id in 0..3 {
        client.send(&call(id, "never")).await;
    }
    let answer = client.ask(&call(4, "large")).await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(4), &json!(-32603)), "{answer}");
    let padded = |length: usize| {
        let line = request(5, "ping", json!({})).to_string();
        format!("{line}{}", " ".repeat(length - line.len()))
    };
    client.raw(&padded(501)).await;
    assert_eq!(client.next().await["error"]["code"], -32600);
    client.raw(&padded(500)).await;
    assert_eq!(client.next().await["result"], json!({}));
}

#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    // Answers that are there at once, and such as are finished later and wait for room.
    for tool in ["large", "slow"] {
        not_read_from(tool).await;
    }
}

async fn not_read_from(name: &str) {
    let (ours, theirs) = tokio::io::duplex(10_000);
    let limits = Limits { unread: 50_000, ..Limits::default() };
    let server =
        Server::builder("small", "1").limits(limits).tool(tool("large", large)).tool(tool("slow", slow));
    let server = server.build().expect("names of their own");
    let (mut reader, mut writer) = tokio::io::split(ours);
    let served = tokio::spawn(async move {
        let (reader, writer) = tokio::io::split(theirs);
        serve_lines(&server, reader, writer).await
    });
    let line = |id: u64| format!("{}\n", modern(id, "tools/call", json!({"name": name}), json!({})));
    let (sent, all) = (line(1000).len(), 1000);
    let writing = async {
        let mut written = 0;
        for id in 0..all {
            match tokio::time::timeout(
                std::time::Duration::from_millis(200),
                writer.write_all(line(1000 + id).as_bytes()),
            )
            .await
            {
                Ok(done) => done.expect("the server is there"),
                Err(_) => return written,
            }
            written += sent;
        }
        written
    };
    let written = writing.await;
    assert!(written < 400 * sent, "the server read {} requests", written / sent);
    writer.shutdown().await.expect("a stream in memory");
    let mut answers = 0;
    let mut chunk = vec![0; 1 << 16];
    while let Ok(count @ 1..) = reader.read(&mut chunk).await {
        answers += chunk[..count].iter().filter(|byte| **byte == b'\n').count();
    }
    assert!(answers > 5, "{answers}");
    served.abort();
}

#[tokio::test(start_paused = true)]
async fn it_is_over_within_a_second_whoever_reads_and_whatever_waits() {
    for name in ["never", "large", "slow"] {
        // More than is answered: a client that is not read from has not ended its input for us.
        let limits = Limits { unread: 4 << 20, ..Limits::default() };
        let server = Server::builder("small", "1").limits(limits).tool(tool("never", never));
        let server =
            server.tool(tool("large", large)).tool(tool("slow", slow)).build().expect("their own names");
        let (ours, theirs) = tokio::io::duplex(1000);
        let lines: String = (0..200)
            .map(|id: u64| format!("{}\n", modern(id, "tools/call", json!({"name": name}), json!({}))))
            .collect();
        let start = tokio::time::Instant::now();
        // Nobody reads `ours`, which stays open.
        let (_reader, writer) = tokio::io::split(theirs);
        serve_lines(&server, lines.as_bytes(), writer).await.expect("the input ends");
        assert!(start.elapsed() < std::time::Duration::from_secs(1), "{name}: {:?}", start.elapsed());
        drop(ours);
    }
}

#[tokio::test]
async fn a_server_of_one_era_says_so() {
    let build = |revisions: Vec<Revision>| {
        Server::builder("one", "1").revisions(revisions).tool(tool("large", large)).build().expect("one tool")
    };
    let mut client = Client::judging(&build(vec![Revision::V2026_07_28]), "2026-07-28");
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let answer = client.ask(&request(1, "initialize", params)).await;
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["supported"], json!(["2026-07-28"]));
    let mut client = Client::of(&build(vec![Revision::V2025_03_26, Revision::V2025_06_18]));
    let answer = client.ask(&modern(1, "tools/list", json!({}), json!({}))).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["supported"]),
        (&json!(-32022), &json!([]))
    );
    let answer = client.open("2025-11-25", json!({})).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.close().await, [Value::Null; 0]);
}
