//! What a legacy server asks of the client, and what it is answered.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Event, Handler, HandlerHandle, LimitFault, Options, Refusal};
use codewhale_mcp_protocol::ListRootsResult;
use serde_json::{Value, json};

use crate::people::{People, accept, declaring, decline, directories, everything, people, says};
use crate::server::{Server, text};

pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

pub(crate) async fn connected(revision: &str, capabilities: Value) -> (Client, Server, People) {
    let (options, people) = people(capabilities);
    let (client, server) = Server::connected(revision, options).await;
    (client, server, people)
}

fn form(message: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    json!({"message": message, "requestedSchema": schema})
}

pub(crate) fn sampling() -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "2+2?"}}], "maxTokens": 7})
}

pub(crate) fn result(id: impl Into<Value>, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "result": result})
}

/// What a server is told that asks this of a client with these options.
async fn answer(revision: &str, options: Options, method: &str, params: Value) -> Value {
    let (_client, mut server) = Server::connected(revision, options).await;
    server.ask("q", method, params).await;
    let mut answer = server.next().await;
    assert_eq!(answer["id"], "q");
    server.hears_nothing().await;
    answer["error"].take()
}

#[tokio::test(start_paused = true)]
async fn a_person_agrees_declines_or_goes_away_and_the_server_is_told() {
    for revision in ["2025-06-18", "2025-11-25"] {
        let (_client, mut server, mut people) = connected(revision, everything()).await;
        server.ask(7, "elicitation/create", form("who?")).await;
        let (params, person) = people.elicited().await;
        assert_eq!((params.message.as_str(), params.mode().as_str()), ("who?", "form"));
        let fields = params.requested_schema.expect("a form");
        assert!(fields.json().member("properties").is_some_and(|fields| fields.member("name").is_some()));
        person.send(accept(json!({"name": "Ada", "age": 1.50}))).unwrap();
        let filled = json!({"action": "accept", "content": {"name": "Ada", "age": 1.5}});
        assert_eq!(server.next().await, result(7, filled));

        // The id has the type that it came with.
        server.ask("7", "elicitation/create", form("sure?")).await;
        people.elicited().await.1.send(decline()).unwrap();
        assert_eq!(server.next().await, result("7", json!({"action": "decline"})));

        server.ask(-8, "elicitation/create", form("still?")).await;
        let mut left = accept(json!({"name": "half"})).unwrap();
        left.action = "cancel".into();
        people.elicited().await.1.send(Ok(left)).unwrap();
        assert_eq!(server.next().await, result(-8, json!({"action": "cancel"})), "only who agrees answers");
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_who_agrees_to_visit_an_address_fills_nothing_in() {
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let visit =
        json!({"mode": "url", "message": "log in", "url": "https://a.example/x", "elicitationId": "e"});
    server.ask(1, "elicitation/create", visit).await;
    let (params, person) = people.elicited().await;
    assert_eq!(params.url.as_deref(), Some("https://a.example/x"));
    assert_eq!(params.elicitation_id.as_deref(), Some("e"));
    person.send(accept(json!({"name": "x"}))).unwrap();
    assert_eq!(server.next().await, result(1, json!({"action": "accept"})));
}

#[tokio::test(start_paused = true)]
async fn directories_are_named_and_changes_of_them_told() {
    for revision in LEGACY {
        let (client, mut server, mut people) = connected(revision, everything()).await;
        for params in [json!({}), Value::Null] {
            server.ask("r", "roots/list", params).await;
            let home = json!([{"uri": "file:///home/a%20b", "name": "home", "_meta": {"x": 1}}]);
            people.roots().await.send(directories(home.clone())).unwrap();
            assert_eq!(server.next().await, result("r", json!({ "roots": home })));
        }
        client.roots_changed();
        let told = json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"});
        assert_eq!(server.next().await, told);
    }
}

#[tokio::test(start_paused = true)]
async fn changed_directories_are_told_to_nobody_who_was_not_promised_it() {
    let promised = json!({"roots": {"listChanged": true}});
    let cases = [("2025-11-25", json!({"roots": {}})), ("2025-11-25", json!({})), ("2026-07-28", promised)];
    for (revision, capabilities) in cases {
        let (client, mut server) = Server::connected(revision, declaring(capabilities)).await;
        client.roots_changed();
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_not_declared_is_declined_without_asking_anybody() {
    let check = async |capabilities: Value, method: &str, params: Value, code: i64| {
        let (options, mut people) = people(capabilities);
        let error = answer("2025-11-25", options, method, params).await;
        assert_eq!(error["code"], code, "{method}: {error}");
        people.are_not_asked();
    };
    let (not_found, invalid) = (-32601, -32602);
    check(json!({}), "roots/list", json!({}), not_found).await;
    check(json!({}), "sampling/createMessage", sampling(), not_found).await;
    check(json!({}), "elicitation/create", form("x"), not_found).await;
    check(everything(), "tools/list", json!({}), not_found).await;

    let url = json!({"mode": "url", "message": "go", "url": "https://a.example", "elicitationId": "1"});
    check(json!({"elicitation": {}}), "elicitation/create", url.clone(), invalid).await;
    check(json!({"elicitation": {"form": {}}}), "elicitation/create", url, invalid).await;
    check(json!({"elicitation": {"url": {}}}), "elicitation/create", form("x"), invalid).await;
    let mut odd = form("x");
    odd["mode"] = json!("voice");
    check(everything(), "elicitation/create", odd, invalid).await;

    for member in ["tools", "toolChoice"] {
        let mut with_tools = sampling();
        with_tools[member] = if member == "tools" { json!([]) } else { json!({"mode": "auto"}) };
        check(json!({"sampling": {}}), "sampling/createMessage", with_tools, invalid).await;
    }
    check(everything(), "elicitation/create", Value::Null, invalid).await;
    check(everything(), "elicitation/create", json!({"message": 5}), invalid).await;
    check(everything(), "sampling/createMessage", json!({"messages": "x"}), invalid).await;
}

#[tokio::test(start_paused = true)]
async fn forms_are_possible_where_nothing_is_said_of_modes() {
    let (_client, mut server, mut people) = connected("2025-11-25", json!({"elicitation": {}})).await;
    server.ask(1, "elicitation/create", form("who?")).await;
    people.elicited().await.1.send(decline()).unwrap();
    assert_eq!(server.next().await, result(1, json!({"action": "decline"})));
}

#[tokio::test(start_paused = true)]
async fn a_client_without_a_handler_says_that_it_cannot() {
    let error = answer("2025-11-25", declaring(everything()), "elicitation/create", form("x")).await;
    assert_eq!(error, json!({"code": -32601, "message": "this client cannot do that"}));
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_withdrawn_is_dropped_and_not_answered() {
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    server.ask(7, "elicitation/create", form("who?")).await;
    let (_, mut person) = people.elicited().await;
    for (id, withdrawn) in [(json!("7"), false), (json!(8), false), (json!(7), true)] {
        server.notify("notifications/cancelled", json!({"requestId": id, "reason": "late"})).await;
        server.hears_nothing().await;
        assert_eq!(person.is_closed(), withdrawn, "{id}");
    }
    person.closed().await;
    server.notify("notifications/cancelled", json!({"requestId": 7})).await;
    server.notify("notifications/cancelled", json!({})).await;
    server.hears_nothing().await;
    // The id is free again.
    server.ask(7, "elicitation/create", form("again?")).await;
    people.elicited().await.1.send(decline()).unwrap();
    assert_eq!(server.next().await, result(7, json!({"action": "decline"})));
}

#[tokio::test(start_paused = true)]
async fn answers_after_the_end_of_a_connection_harm_nothing() {
    let (client, mut server, mut people) = connected("2025-11-25", everything()).await;
    server.ask(1, "elicitation/create", form("who?")).await;
    server.ask(2, "sampling/createMessage", sampling()).await;
    let (_, mut person) = people.elicited().await;
    let (_, mut model) = people.sampled().await;
    drop(server);
    person.closed().await;
    model.closed().await;
    assert!(person.send(decline()).is_err(), "nobody waits for it");
    let error = client.ping().await.expect_err("the server is gone");
    assert!(matches!(error, CallError::ServerGone(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn deadlines_stand_still_while_a_person_or_a_model_is_asked() {
    let (client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let arguments = json!({});
    let mut call = Box::pin(client.call_tool("x", &arguments).timeout(Duration::from_secs(10)).send());
    let play = async {
        let request = server.asked("tools/call").await;
        tokio::time::sleep(Duration::from_secs(9)).await;
        server.ask(1, "elicitation/create", form("who?")).await;
        let (_, person) = people.elicited().await;
        server.ask(2, "sampling/createMessage", sampling()).await;
        let (_, model) = people.sampled().await;
        tokio::time::sleep(Duration::from_secs(3600)).await;
        person.send(decline()).unwrap();
        assert_eq!(server.next().await["id"], 1);
        tokio::time::sleep(Duration::from_secs(3600)).await;
        model.send(says(json!({"type": "text", "text": "4"}))).unwrap();
        assert_eq!(server.next().await["id"], 2);
        request
    };
    let request = tokio::select! {
        request = play => request,
        result = &mut call => panic!("{result:?}"),
    };
    let begun = tokio::time::Instant::now();
    let error = call.await.expect_err("no answer comes");
    assert!(matches!(error, CallError::ServerTimedOut { .. }), "{error}");
    assert_eq!(begun.elapsed().as_secs(), 1, "nine of its ten seconds were over");
    let cancelled = server.next().await;
    assert_eq!(cancelled["params"]["requestId"], request["id"]);
}

#[tokio::test(start_paused = true)]
async fn naming_directories_takes_nobodys_time() {
    let (client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let arguments = json!({});
    let call = client.call_tool("x", &arguments).timeout(Duration::from_secs(10)).send();
    let play = async {
        server.asked("tools/call").await;
        server.ask(1, "roots/list", json!({})).await;
        let _unanswered = people.roots().await;
        std::future::pending::<()>().await;
    };
    let result = tokio::select! {
        () = play => unreachable!("it waits for ever"),
        result = call => result,
    };
    assert!(matches!(result, Err(CallError::ServerTimedOut { .. })));
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_for_a_task_is_answered_for_it() {
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let related = json!({"io.modelcontextprotocol/related-task": {"taskId": "t", "x": [1.0]}, "other": 1});
    let mut params = form("who?");
    params["_meta"] = related.clone();
    server.ask(1, "elicitation/create", params).await;
    people.elicited().await.1.send(decline()).unwrap();
    let task = &related["io.modelcontextprotocol/related-task"];
    let meta = json!({"io.modelcontextprotocol/related-task": task});
    assert_eq!(server.next().await, result(1, json!({"action": "decline", "_meta": meta})));

    server.ask(2, "roots/list", json!({"_meta": related})).await;
    people.roots().await.send(directories(json!([]))).unwrap();
    assert_eq!(server.next().await, result(2, json!({"roots": [], "_meta": meta})));
}

#[tokio::test(start_paused = true)]
async fn the_wish_for_a_task_that_was_not_offered_is_ignored() {
    let (_client, mut server, mut people) = connected("2025-11-25", everything()).await;
    let mut params = form("who?");
    params["task"] = json!({"ttl": 60000});
    server.ask(1, "elicitation/create", params).await;
    people.elicited().await.1.send(decline()).unwrap();
    assert_eq!(server.next().await, result(1, json!({"action": "decline"})));
}

#[tokio::test(start_paused = true)]
async fn questions_do_not_wait_for_one_another_nor_for_calls() {
    let (client, mut server, mut people) = connected("2025-11-25", everything()).await;
    server.ask(1, "elicitation/create", form("slow?")).await;
    let (_, slow) = people.elicited().await;
    server.ask(2, "elicitation/create", form("quick?")).await;
    people.elicited().await.1.send(decline()).unwrap();
    assert_eq!(server.next().await["id"], 2);
    let arguments = json!({});
    let (called, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
        let request = server.asked("tools/call").await;
        server.answer(&request, text("ok")).await;
    });
    called.expect("an answer");
    slow.send(decline()).unwrap();
    assert_eq!(server.next().await["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_that_asks_is_not_answered() {
    let (_client, mut server, mut people) = connected("2026-07-28", everything()).await;
    for method in ["elicitation/create", "sampling/createMessage", "roots/list", "ping"] {
        server.ask(1, method, form("x")).await;
        server.hears_nothing().await;
    }
    people.are_not_asked();
}

#[tokio::test(start_paused = true)]
async fn capabilities_are_declared_once_to_a_legacy_server_and_with_each_request_to_a_modern_one() {
    let (connector, stream) = codewhale_mcp_transport::memory::pair(64 * 1024);
    let client = tokio::spawn(async move { Client::connect(&connector, declaring(everything())).await });
    let mut server = Server::new(stream);
    let probe = server.asked("server/discover").await;
    let declared =
        |request: &Value| request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"].clone();
    assert_eq!(declared(&probe), everything());
    server.refuse(&probe, json!({"code": -32601, "message": "no"})).await;
    let request = server.asked("initialize").await;
    assert_eq!(request["params"]["capabilities"], everything());
    server.answer(&request, json!({"protocolVersion": "2025-11-25", "capabilities": {}})).await;
    assert_eq!(server.next().await["method"], "notifications/initialized");
    let client = client.await.expect("the task ends").expect("a client");
    let (_, request) = tokio::join!(client.ping(), async {
        let request = server.asked("ping").await;
        server.answer(&request, json!({})).await;
        request
    });
    assert_eq!(declared(&request), Value::Null);

    let (client, mut server) = Server::connected("2026-07-28", declaring(everything())).await;
    for _ in 0..2 {
        let arguments = json!({});
        let (_, ()) = tokio::join!(client.call_tool("x", &arguments).send(), async {
            let request = server.asked("tools/call").await;
            assert_eq!(declared(&request), everything());
            server.answer(&request, text("ok")).await;
        });
    }
}

/// Answers each question about directories with a long list.
struct Talkative;

#[async_trait::async_trait]
impl Handler for Talkative {
    async fn list_roots(&self) -> Result<ListRootsResult, Refusal> {
        let roots = json!({"roots": [{"uri": format!("file:///{}", "a".repeat(8 * 1024))}]});
        Ok(serde_json::from_value(roots).expect("roots"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_and_does_not_read_its_answers_is_cut_off() {
    let mut options = declaring(json!({"roots": {}}));
    options.handler = Some(HandlerHandle::new(Talkative));
    let (client, mut server) = Server::connected("2025-06-18", options).await;
    let mut events = client.events();
    for id in 0..200 {
        server.ask(id, "roots/list", json!({})).await;
        tokio::task::yield_now().await;
        if client.gone().is_some() {
            break;
        }
    }
    let gone = loop {
        match events.next().await {
            Some(Event::Closed(gone)) => break gone,
            Some(_) => {}
            None => panic!("the end is an event"),
        }
    };
    assert_eq!(gone.fault, Some(LimitFault::Unread));
    assert!(events.next().await.is_none(), "nothing comes after the end");
    assert!(client.events().next().await.is_none(), "whoever comes later does not wait for ever");
}
