//! Results that stay true for a while.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Options};
use codewhale_mcp_protocol::ReadResourceResult;
use serde_json::{Value, json};

use crate::people::{decline, everything, people};
use crate::server::Server;

async fn connected() -> (Client, Server) {
    Server::connected("2026-07-28", Options::default()).await
}

async fn pass(time: Duration) {
    tokio::time::sleep(time).await;
}

const SECOND: Duration = Duration::from_secs(1);

/// Lists tools; the server is asked if it answers with anything.
async fn tools(client: &Client, server: &mut Server, answer: Option<(&str, Value)>) {
    let name = listed(client, server, answer.clone()).await;
    if let Some((expected, _)) = answer {
        assert_eq!(name, expected);
    }
}

/// The name of the one tool that is listed, after the server's answer or without one.
async fn listed(client: &Client, server: &mut Server, answer: Option<(&str, Value)>) -> String {
    let (page, ()) = tokio::join!(client.list_tools_page(None).send(), async {
        match answer {
            Some((name, ttl)) => {
                let request = server.asked("tools/list").await;
                server.answer(&request, page(name, ttl)).await;
            }
            None => server.hears_nothing().await,
        }
    });
    page.expect("a page").tools[0].name.clone()
}

fn page(name: &str, ttl: Value) -> Value {
    let mut page = json!({"tools": [{"name": name, "inputSchema": {"type": "object"}}]});
    if !ttl.is_null() {
        page["ttlMs"] = ttl;
        page["cacheScope"] = json!("public");
    }
    page
}

#[tokio::test(start_paused = true)]
async fn a_result_is_kept_for_as_long_as_its_server_says() {
    let (client, mut server) = connected().await;
    tools(&client, &mut server, Some(("a", json!(10_000)))).await;
    pass(SECOND * 9).await;
    assert_eq!(listed(&client, &mut server, None).await, "a");
    pass(SECOND).await;
    tools(&client, &mut server, Some(("b", json!(1.5e3)))).await;
    pass(SECOND).await;
    assert_eq!(listed(&client, &mut server, None).await, "b", "its own time runs from its own answer");
    pass(SECOND).await;
    tools(&client, &mut server, Some(("c", json!(0)))).await;
}

#[tokio::test(start_paused = true)]
async fn a_result_without_a_time_is_asked_for_again() {
    for ttl in [json!(null), json!(0), json!(-1), json!(-1e300), json!("60000"), json!({}), json!(true)] {
        let (client, mut server) = connected().await;
        tools(&client, &mut server, Some(("a", ttl))).await;
        tools(&client, &mut server, Some(("b", json!(0)))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn no_result_is_kept_for_more_than_a_day() {
    for ttl in [json!(u64::MAX), json!(1e300), json!(9_007_199_254_740_991_u64)] {
        let (client, mut server) = connected().await;
        tools(&client, &mut server, Some(("a", ttl))).await;
        pass(SECOND * 86_399).await;
        assert_eq!(listed(&client, &mut server, None).await, "a");
        pass(SECOND).await;
        tools(&client, &mut server, Some(("b", json!(0)))).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_legacy_result_is_never_kept() {
    let (client, mut server) = Server::connected("2025-11-25", Options::default()).await;
    tools(&client, &mut server, Some(("a", json!(60_000)))).await;
    tools(&client, &mut server, Some(("b", json!(60_000)))).await;
}

#[tokio::test(start_paused = true)]
async fn every_page_and_every_resource_is_kept_for_itself() {
    let (client, mut server) = connected().await;
    let play = async |server: &mut Server, cursor: Value, next: Value| {
        let request = server.asked("tools/list").await;
        assert_eq!(request["params"]["cursor"], cursor);
        let mut page = page(cursor.as_str().unwrap_or("first"), json!(60_000));
        page["nextCursor"] = next;
        server.answer(&request, page).await;
    };
    let (all, ()) = tokio::join!(client.list_tools(), async {
        play(&mut server, Value::Null, json!("2")).await;
        play(&mut server, json!("2"), Value::Null).await;
    });
    assert_eq!(all.expect("a list").items.len(), 2);
    let all = client.list_tools().await.expect("a list");
    assert_eq!(all.items.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["first", "2"]);
    let (other, ()) = tokio::join!(
        client.list_tools_page(Some("3".into())).send(),
        play(&mut server, json!("3"), Value::Null)
    );
    assert_eq!(other.expect("a page").tools[0].name, "3");
    server.hears_nothing().await;

    for uri in ["a:1", "a:2"] {
        let contents = |text: &str| json!({"contents": [{"uri": uri, "text": text}], "ttlMs": 60_000});
        let (read, ()) = tokio::join!(client.read_resource(uri).send(), async {
            let request = server.asked("resources/read").await;
            assert_eq!(request["params"]["uri"], uri);
            server.answer(&request, contents(uri)).await;
        });
        assert_eq!(text(&read), uri);
    }
    assert_eq!(text(&client.read_resource("a:1").send().await), "a:1");
    server.hears_nothing().await;
}

fn text(read: &Result<ReadResourceResult, CallError>) -> &str {
    read.as_ref().expect("contents").contents[0].text.as_deref().expect("text")
}

#[tokio::test(start_paused = true)]
async fn a_change_makes_what_is_kept_untrue() {
    let kinds = [
        ("tools/list", "tools", "tools/list_changed"),
        ("prompts/list", "prompts", "prompts/list_changed"),
        ("resources/list", "resources", "resources/list_changed"),
        ("resources/templates/list", "resourceTemplates", "resources/list_changed"),
        ("resources/read", "contents", "resources/updated"),
    ];
    let (client, mut server) = connected().await;
    let ask = async |server: &mut Server, (method, member, _): (&str, &str, &str), is_asked: bool| {
        let answers = async {
            if is_asked {
                let request = server.asked(method).await;
                server.answer(&request, json!({ member: [], "ttlMs": 60_000 })).await;
            } else {
                server.hears_nothing().await;
            }
        };
        let asks = async {
            match method {
                "tools/list" => client.list_tools().await.map(drop),
                "prompts/list" => client.list_prompts().await.map(drop),
                "resources/list" => client.list_resources().await.map(drop),
                "resources/templates/list" => client.list_resource_templates().await.map(drop),
                _ => client.read_resource("a:1").send().await.map(drop),
            }
        };
        tokio::join!(asks, answers).0.expect("a result");
    };
    for kind in kinds {
        ask(&mut server, kind, true).await;
    }
    for changed in
        ["tools/list_changed", "prompts/list_changed", "resources/list_changed", "resources/updated"]
    {
        for kind in kinds {
            ask(&mut server, kind, false).await;
        }
        server.notify(&format!("notifications/{changed}"), json!({"uri": "a:1"})).await;
        server.hears_nothing().await;
        for kind in kinds {
            ask(&mut server, kind, kind.2 == changed).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_while_a_result_is_on_its_way_makes_it_untrue() {
    let (client, mut server) = connected().await;
    let (listed, ()) = tokio::join!(client.list_tools_page(None).send(), async {
        let request = server.asked("tools/list").await;
        server.notify("notifications/tools/list_changed", json!({})).await;
        server.answer(&request, page("a", json!(60_000))).await;
    });
    listed.expect("a page");
    tools(&client, &mut server, Some(("b", json!(60_000)))).await;
    assert_eq!(self::listed(&client, &mut server, None).await, "b");
}

#[tokio::test(start_paused = true)]
async fn a_fresh_result_is_asked_for_and_takes_the_place_of_the_kept_one() {
    let (client, mut server) = connected().await;
    tools(&client, &mut server, Some(("a", json!(60_000)))).await;
    let (fresh, ()) = tokio::join!(client.list_tools_page(None).fresh().send(), async {
        let request = server.asked("tools/list").await;
        server.answer(&request, page("b", json!(60_000))).await;
    });
    assert_eq!(fresh.expect("a page").tools[0].name, "b");
    assert_eq!(listed(&client, &mut server, None).await, "b");
    let (fresh, ()) = tokio::join!(client.list_tools_page(None).fresh().send(), async {
        let request = server.asked("tools/list").await;
        server.answer(&request, page("c", json!(0))).await;
    });
    assert_eq!(fresh.expect("a page").tools[0].name, "c");
    tools(&client, &mut server, Some(("d", json!(0)))).await;
}

#[tokio::test(start_paused = true)]
async fn what_needed_input_is_not_kept() {
    let (options, mut people) = people(everything());
    let (client, mut server) = Server::connected("2026-07-28", options).await;
    for round in ["1", "2"] {
        let (read, ()) = tokio::join!(client.read_resource("a:1").send(), async {
            let request = server.asked("resources/read").await;
            let asked = json!({"q": {"method": "elicitation/create", "params": {"message": "?"}}});
            let needs = json!({"resultType": "input_required", "inputRequests": asked, "ttlMs": 60_000});
            server.answer(&request, needs).await;
            people.elicited().await.1.send(decline()).unwrap();
            let request = server.asked("resources/read").await;
            let contents = json!({"contents": [{"uri": "a:1", "text": round}], "ttlMs": 60_000});
            server.answer(&request, contents).await;
        });
        assert_eq!(text(&read), round);
    }
}

#[tokio::test(start_paused = true)]
async fn errors_and_calls_are_not_kept() {
    let (client, mut server) = connected().await;
    for _ in 0..2 {
        let (listed, ()) = tokio::join!(client.list_tools(), async {
            let request = server.asked("tools/list").await;
            server.refuse(&request, json!({"code": 1, "message": "no", "data": {"ttlMs": 60_000}})).await;
        });
        listed.expect_err("refused");
        let arguments = json!({});
        let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            server.answer(&request, json!({"content": [], "ttlMs": 60_000})).await;
        });
        called.expect("a result");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_keeps_its_results_for_itself() {
    for scope in ["public", "private"] {
        for name in ["one", "other"] {
            let (client, mut server) = connected().await;
            let (listed, ()) = tokio::join!(client.list_tools(), async {
                let request = server.asked("tools/list").await;
                let mut page = page(name, json!(60_000));
                page["cacheScope"] = json!(scope);
                server.answer(&request, page).await;
            });
            assert_eq!(listed.expect("a list").items[0].name, name);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn there_is_a_most_of_what_is_kept() {
    let (client, mut server) = connected().await;
    let read = async |server: &mut Server, uri: &str, body: &str, ttl: u32| {
        let (read, ()) = tokio::join!(client.read_resource(uri).send(), async {
            let request = server.asked("resources/read").await;
            server.answer(&request, json!({"contents": [{"uri": uri, "text": body}], "ttlMs": ttl})).await;
        });
        read.expect("contents");
    };
    for at in 0..1025 {
        read(&mut server, &format!("a:{at}"), "", if at == 7 { 30_000 } else { 60_000 }).await;
    }
    for at in [0, 7, 1023] {
        client.read_resource(&format!("a:{at}")).send().await.expect("it is kept");
    }
    read(&mut server, "a:1024", "", 60_000).await;
    pass(SECOND * 30).await;
    read(&mut server, "a:1024", "", 60_000).await;
    client.read_resource("a:1024").send().await.expect("it took the place of what is no longer true");

    let (client, mut server) = connected().await;
    let read = async |server: &mut Server, uri: &str, body: &str| {
        let (read, ()) = tokio::join!(client.read_resource(uri).send(), async {
            let request = server.asked("resources/read").await;
            let contents = json!({"contents": [{"uri": uri, "text": body}], "ttlMs": 60_000});
            server.answer(&request, contents).await;
        });
        read.expect("contents");
    };
    let large = "x".repeat(20 << 20);
    read(&mut server, "a:1", &large).await;
    read(&mut server, "a:2", &large).await;
    client.read_resource("a:1").send().await.expect("it is kept");
    read(&mut server, "a:2", "small").await;
    client.read_resource("a:2").send().await.expect("it is kept");
}
