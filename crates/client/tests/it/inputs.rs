//! Requests that a modern server answers with questions, and that go out again with the answers.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, Refusal};
use codewhale_mcp_protocol::{CallToolResult, Members};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::people::{People, accept, declaring, decline, directories, everything, people, says};
use crate::server::{Server, text};

const MODERN: &str = "2026-07-28";

async fn connected() -> (Client, Server, People) {
    let (options, people) = people(everything());
    let (client, server) = Server::connected(MODERN, options).await;
    (client, server, people)
}

fn call(client: &Client) -> JoinHandle<Result<CallToolResult, CallError>> {
    let client = client.clone();
    tokio::spawn(async move {
        client.call_tool("x", &json!({"a": [1.0]})).timeout(Duration::from_secs(10)).send().await
    })
}

fn needs(requests: Value, state: &str) -> Value {
    json!({"resultType": "input_required", "inputRequests": requests, "requestState": state})
}

fn who() -> Value {
    json!({"method": "elicitation/create", "params": {"message": "who?", "requestedSchema": {"type": "object"}}})
}

fn model() -> Value {
    let messages = json!([{"role": "user", "content": {"type": "text", "text": "?"}}]);
    json!({"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 1}})
}

/// The params of a request without what the connection itself adds.
fn own(request: &Value) -> Value {
    let mut params = request["params"].clone();
    params.as_object_mut().expect("params").remove("_meta");
    params
}

/// What the caller of a tool is told by a server that answers with this.
async fn refused(answer: Value, capabilities: Value) -> CallError {
    let (options, mut people) = people(capabilities);
    let (client, mut server) = Server::connected(MODERN, options).await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    server.answer(&request, answer).await;
    let error = call.await.expect("the task ends").expect_err("no result");
    people.are_not_asked();
    server.hears_nothing().await;
    error
}

#[tokio::test(start_paused = true)]
async fn a_call_goes_out_again_with_the_answers_of_its_latest_round_only() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    let first = server.asked("tools/call").await;
    assert_eq!(own(&first), json!({"name": "x", "arguments": {"a": [1.0]}}));

    let asked = json!({"who is it": who(), "roots": {"method": "roots/list"}, "m": model()});
    server.answer(&first, needs(asked, "s1")).await;
    people.sampled().await.1.send(says(json!({"type": "text", "text": "4"}))).unwrap();
    people.roots().await.send(directories(json!([{"uri": "file:///a"}]))).unwrap();
    people.elicited().await.1.send(accept(json!({"name": "Ada"}))).unwrap();
    let second = server.asked("tools/call").await;
    let message = json!({"role": "assistant", "content": {"type": "text", "text": "4"}, "model": "m", "stopReason": "endTurn"});
    let answers = json!({
        "m": message,
        "roots": {"roots": [{"uri": "file:///a"}]},
        "who is it": {"action": "accept", "content": {"name": "Ada"}},
    });
    let expected =
        json!({"name": "x", "arguments": {"a": [1.0]}, "inputResponses": answers, "requestState": "s1"});
    assert_eq!(own(&second), expected);

    // No state this time, so none goes back; and the first round's answers are forgotten.
    server.answer(&second, json!({"resultType": "input_required", "inputRequests": {"again": who()}})).await;
    people.elicited().await.1.send(decline()).unwrap();
    let third = server.asked("tools/call").await;
    let answers = json!({"again": {"action": "decline"}});
    assert_eq!(own(&third), json!({"name": "x", "arguments": {"a": [1.0]}, "inputResponses": answers}));

    // A state alone: no answers go with it.
    server.answer(&third, json!({"resultType": "input_required", "requestState": ""})).await;
    let fourth = server.asked("tools/call").await;
    assert_eq!(own(&fourth), json!({"name": "x", "arguments": {"a": [1.0]}, "requestState": ""}));

    let requests = [&first, &second, &third, &fourth];
    for (at, request) in requests.iter().enumerate() {
        let meta = &request["params"]["_meta"];
        assert_eq!(meta["progressToken"], request["id"]);
        assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], MODERN);
        assert_eq!(meta["io.modelcontextprotocol/clientCapabilities"], everything());
        assert!(requests[..at].iter().all(|earlier| earlier["id"] != request["id"]), "a new id each time");
    }
    server.answer(&fourth, text("done")).await;
    let result = call.await.expect("the task ends").expect("a result");
    assert_eq!(result.content[0].text.as_deref(), Some("done"));

    // Nothing of it is left for another request.
    let next = self::call(&client);
    let request = server.asked("tools/call").await;
    assert_eq!(own(&request), json!({"name": "x", "arguments": {"a": [1.0]}}));
    server.answer(&request, text("ok")).await;
    next.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_state_goes_back_byte_for_byte() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    let first = server.asked("tools/call").await;
    let state = r#""\u00e9\/\ud83d\udc0b é \" e30=""#;
    let id = &first["id"];
    let answer = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","requestState":{state}}}}}"#
    );
    server.write(format!("{answer}\n").as_bytes()).await;
    let line = server.next_line().await;
    assert!(line.contains(&format!(r#""requestState":{state}"#)), "{line}");
    let again: Value = serde_json::from_str(&line).expect("JSON");
    server.answer(&again, text("ok")).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn prompts_and_resources_may_need_input_too() {
    let (client, mut server, mut people) = connected().await;
    let arguments = Members::from_iter([("a", "b".to_owned())]);
    let play = async |server: &mut Server, people: &mut People, method: &str, result: Value| {
        let first = server.asked(method).await;
        server.answer(&first, needs(json!({"w": who()}), "s")).await;
        people.elicited().await.1.send(decline()).unwrap();
        let second = server.asked(method).await;
        let mut expected = own(&first);
        expected["inputResponses"] = json!({"w": {"action": "decline"}});
        expected["requestState"] = json!("s");
        assert_eq!(own(&second), expected);
        server.answer(&second, result).await;
    };
    let contents = json!({"contents": [{"uri": "a:b", "text": "t"}]});
    let (read, ()) = tokio::join!(
        client.read_resource("a:b").send(),
        play(&mut server, &mut people, "resources/read", contents)
    );
    assert_eq!(read.expect("a result").contents[0].text.as_deref(), Some("t"));
    let (prompt, ()) = tokio::join!(
        client.get_prompt("p", &arguments).send(),
        play(&mut server, &mut people, "prompts/get", json!({"messages": []}))
    );
    assert!(prompt.expect("a result").messages.is_empty());
}

#[tokio::test(start_paused = true)]
async fn other_requests_cannot_need_input() {
    let (client, mut server, mut people) = connected().await;
    let (listed, ()) = tokio::join!(client.list_tools(), async {
        let request = server.asked("tools/list").await;
        server.answer(&request, needs(json!({"w": who()}), "s")).await;
    });
    let error = listed.expect_err("no list").to_string();
    assert_eq!(error, "the server's answer to tools/list cannot be used: tools/list cannot need input");
    let reference = codewhale_mcp_protocol::CompletionReference::prompt("p");
    let (completed, ()) =
        tokio::join!(client.complete(reference, ("a", "b"), Members::default()).send(), async {
            let request = server.asked("completion/complete").await;
            server.answer(&request, needs(json!({"w": who()}), "s")).await;
        });
    assert!(matches!(completed, Err(CallError::ServerAsksWrongly { method: "completion/complete", .. })));
    people.are_not_asked();
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_in_a_way_that_it_must_not_gets_no_answer() {
    let check = async |answer: Value, capabilities: Value, expected: &str| {
        let error = refused(answer, capabilities).await.to_string();
        assert!(error.ends_with(expected), "{error}");
    };
    let nothing = json!({"resultType": "input_required"});
    check(nothing, everything(), "the server asks for input and does not say which").await;
    let empty = json!({"resultType": "input_required", "inputRequests": {}});
    check(empty, everything(), "the server asks for input and does not say which").await;
    let other = needs(json!({"a": who(), "x": {"method": "tools/list", "params": {}}}), "s");
    check(other, everything(), "\"tools/list\" is no input request").await;
    let odd = needs(json!({"x": {"method": "elicitation/create", "params": {"message": 5}}}), "s");
    let error = refused(odd, everything()).await;
    assert!(matches!(error, CallError::ServerAsksWrongly { .. }), "{error}");

    // What was not declared is not answered, nor anything that is asked beside it.
    let undeclared = "and got none: this client did not declare";
    let beside = json!({"sampling": {}, "roots": {}, "elicitation": {"form": {}}});
    let url = json!({"method": "elicitation/create", "params": {"mode": "url", "message": "go", "url": "https://a.example"}});
    let mut tools = model();
    tools["params"]["tools"] = json!([]);
    for (asked, capabilities) in [
        (json!({"a": who(), "b": {"method": "roots/list"}}), json!({"elicitation": {}})),
        (json!({"a": who(), "b": model()}), json!({"elicitation": {}})),
        (json!({"a": model(), "b": who()}), json!({"sampling": {}})),
        (json!({"a": who(), "b": url}), beside.clone()),
        (json!({"a": who(), "b": tools}), beside),
    ] {
        let error = refused(needs(asked, "s"), capabilities).await;
        assert!(matches!(error, CallError::InputRefused { method: "tools/call", .. }), "{error}");
        assert!(error.to_string().contains(undeclared), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_fails_the_call_and_is_not_sent_again() {
    for asked in [who(), model(), json!({"method": "roots/list"})] {
        let (client, mut server, mut people) = connected().await;
        let call = call(&client);
        let request = server.asked("tools/call").await;
        server.answer(&request, needs(json!({ "q": asked }), "s")).await;
        let refusal = || Refusal::rejected("not now");
        match asked["method"].as_str() {
            Some("roots/list") => people.roots().await.send(Err(refusal())).unwrap(),
            Some("sampling/createMessage") => people.sampled().await.1.send(Err(refusal())).unwrap(),
            _ => people.elicited().await.1.send(Err(refusal())).unwrap(),
        }
        let error = call.await.expect("the task ends").expect_err("no result");
        assert!(
            matches!(&error, CallError::InputRefused { method: "tools/call", refusal: why } if *why == refusal()),
            "{error}"
        );
        server.hears_nothing().await;
    }
}

#[tokio::test(start_paused = true)]
async fn people_are_asked_one_thing_after_the_other() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    let mut second = who();
    second["params"]["message"] = json!("and you?");
    // The order is the one on the wire, not that of the names.
    let id = &request["id"];
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"input_required","inputRequests":{{"z":{},"a":{second}}}}}}}"#,
        who()
    );
    server.write(format!("{line}\n").as_bytes()).await;
    let (params, person) = people.elicited().await;
    assert_eq!(params.message, "who?");
    server.hears_nothing().await;
    people.are_not_asked();
    person.send(decline()).unwrap();
    let (params, person) = people.elicited().await;
    assert_eq!(params.message, "and you?");
    person.send(decline()).unwrap();
    let again = server.asked("tools/call").await;
    assert_eq!(own(&again)["inputResponses"].as_object().map(serde_json::Map::len), Some(2));
    server.answer(&again, text("ok")).await;
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_has_enough_is_given_up() {
    let (client, mut server, _people) = connected().await;
    let begun = tokio::time::Instant::now();
    let call = {
        let client = client.clone();
        tokio::spawn(async move { client.call_tool("x", &json!({})).send().await })
    };
    let mut asked = 0;
    let play = async {
        loop {
            let request = server.asked("tools/call").await;
            asked += 1;
            server.answer(&request, json!({"resultType": "input_required", "requestState": "busy"})).await;
        }
    };
    let error = tokio::select! {
        () = play => unreachable!("it never ends"),
        result = call => result.expect("the task ends").expect_err("no result"),
    };
    assert!(error.to_string().ends_with("the server asked for input 16 times"), "{error}");
    assert_eq!(asked, 17);
    assert!(begun.elapsed() > Duration::from_secs(30), "a busy server is given more and more time");
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_asked_again_after_a_pause_that_counts() {
    let (client, mut server, _people) = connected().await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    let begun = tokio::time::Instant::now();
    let busy = json!({"resultType": "input_required", "requestState": "s"});
    server.answer(&request, busy).await;
    server.asked("tools/call").await;
    assert!((100..110).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    let error = call.await.expect("the task ends").expect_err("no result");
    assert!(matches!(error, CallError::ServerTimedOut { after, .. } if after.as_secs() == 10), "{error}");
    assert_eq!(begun.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_is_for_the_server_and_all_rounds_together() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    let first = server.asked("tools/call").await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    server.answer(&first, needs(json!({"w": who()}), "s")).await;
    let (_, person) = people.elicited().await;
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert!(!call.is_finished(), "a person may take an hour");
    person.send(decline()).unwrap();
    let second = server.asked("tools/call").await;
    let begun = tokio::time::Instant::now();
    let error = call.await.expect("the task ends").expect_err("no result");
    assert!(matches!(error, CallError::ServerTimedOut { after, .. } if after.as_secs() == 10), "{error}");
    assert_eq!(begun.elapsed().as_secs(), 6, "four of ten seconds were over");
    let cancelled = server.next().await;
    assert_eq!(cancelled["params"]["requestId"], second["id"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_between_two_rounds_asks_nobody_any_more() {
    let (client, mut server, mut people) = connected().await;
    let call = call(&client);
    let request = server.asked("tools/call").await;
    server.answer(&request, needs(json!({"w": who()}), "s")).await;
    let (_, mut person) = people.elicited().await;
    call.abort();
    person.closed().await;
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn progress_goes_on_in_every_round_under_its_own_token() {
    let (client, mut server, mut people) = connected().await;
    let (sender, mut seen) = tokio::sync::mpsc::channel(4);
    let caller = client.clone();
    let call = tokio::spawn(async move {
        let arguments = json!({});
        let request = caller.call_tool("x", &arguments);
        request.on_progress(move |progress| sender.try_send(progress.progress).expect("room")).send().await
    });
    let first = server.asked("tools/call").await;
    server.progress(&first, 1).await;
    assert_eq!(seen.recv().await, Some(1.0));
    server.answer(&first, needs(json!({"w": who()}), "s")).await;
    people.elicited().await.1.send(decline()).unwrap();
    let second = server.asked("tools/call").await;
    server.progress(&first, 2).await;
    server.progress(&second, 3).await;
    server.answer(&second, text("ok")).await;
    assert_eq!(seen.recv().await, Some(3.0), "the first token is over");
    call.await.expect("the task ends").expect("a result");
}

#[tokio::test(start_paused = true)]
async fn a_result_is_read_as_its_result_type_says() {
    let check = async |revision: &str, result: Value, expected: Result<&str, &str>| {
        let (client, mut server) = Server::connected(revision, declaring(json!({}))).await;
        let call = call(&client);
        let request = server.asked("tools/call").await;
        server.answer(&request, result).await;
        match (call.await.expect("the task ends"), expected) {
            (Ok(result), Ok(text)) => assert_eq!(result.content[0].text.as_deref(), Some(text)),
            (Err(error), Err(reason)) => {
                assert!(matches!(error, CallError::ServerReplyInvalid { .. }), "{error}");
                assert!(error.to_string().ends_with(reason), "{error}");
            }
            (result, expected) => panic!("{result:?} is not {expected:?}"),
        }
    };
    let typed = |kind: Value| {
        let mut result = text("t");
        result["resultType"] = kind;
        result
    };
    check("2026-07-28", text("t"), Ok("t")).await;
    check("2026-07-28", typed(Value::Null), Ok("t")).await;
    check("2026-07-28", typed(json!("complete")), Ok("t")).await;
    for kind in ["task", "partial", "Complete", ""] {
        let reason = format!("it has the unknown resultType {kind:?}");
        check("2026-07-28", typed(json!(kind)), Err(&reason)).await;
    }
    // The legacy era has no such member.
    for kind in ["complete", "input_required", "task", "partial"] {
        check("2025-11-25", typed(json!(kind)), Ok("t")).await;
    }
}
