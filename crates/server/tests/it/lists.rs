//! Lists that change while a server runs.

use std::time::Duration;

use codewhale_mcp_server::{
    BuildError, Lists, NoArguments, Server, prompt, raw_tool, resource, template, tool,
};
use serde_json::{Value, json};

use crate::drive::{Client, modern, request};

fn changing() -> (Server, Lists) {
    let first = tool("first", async |_: NoArguments, _| Ok("1"));
    Server::builder("changing", "1.0.0")
        .tool(first)
        .build_with_lists()
        .expect("one tool has a name of its own")
}

fn second() -> codewhale_mcp_server::ToolRoute {
    tool("second", async |_: NoArguments, _| Ok("2"))
}

/// Puts one of each and gives the texts of what a client heard, once each, in order.
fn put_one_of_each(lists: &Lists) {
    lists.put_tool(second()).expect("its schema is one");
    lists.put_resource(resource("test://r", "r", async |_| Ok("r".to_owned())));
    let form = template("test://t/{id}", "t", async |_, _| Ok("t".to_owned()));
    lists.put_template(form.expect("a template"));
    lists.put_prompt(prompt("p", async |_: NoArguments, _| Ok("p".to_owned())));
}

fn remove_one_of_each(lists: &Lists) {
    let removed = [
        lists.remove_tool("second"),
        lists.remove_resource("test://r"),
        lists.remove_template("test://t/{id}"),
        lists.remove_prompt("p"),
    ];
    assert_eq!(removed, [true; 4]);
}

fn names(answer: &Value, list: &str, name: &str) -> Vec<String> {
    let list = answer["result"][list].as_array().unwrap_or_else(|| panic!("{answer}"));
    list.iter().map(|entry| entry[name].as_str().unwrap_or_default().to_owned()).collect()
}

/// The methods of so many messages, in order of their names.
async fn heard(client: &mut Client, messages: usize) -> Vec<String> {
    let mut heard = Vec::new();
    for _ in 0..messages {
        heard.push(client.next().await["method"].as_str().unwrap_or_default().to_owned());
    }
    heard.sort_unstable();
    heard
}

const ALL: [&str; 3] = [
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/tools/list_changed",
];

#[tokio::test]
async fn a_session_hears_of_what_comes_and_goes_and_finds_it_so() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (server, lists) = changing();
        let mut client = Client::judging(&server, revision);
        let opened = client.open(revision, json!({})).await;
        for kind in ["tools", "resources", "prompts"] {
            assert_eq!(opened["result"]["capabilities"][kind]["listChanged"], true, "{kind}");
        }
        // After this answer the client is known to be ready.
        client.ask(&request(1, "ping", json!({}))).await;
        put_one_of_each(&lists);
        assert_eq!(heard(&mut client, 3).await, ALL);
        let call = request(2, "tools/call", json!({"name": "second"}));
        assert_eq!(client.ask(&call).await["result"]["content"][0]["text"], "2");
        for (method, list, name, expected) in [
            ("tools/list", "tools", "name", vec!["first", "second"]),
            ("resources/list", "resources", "uri", vec!["test://r"]),
            ("resources/templates/list", "resourceTemplates", "uriTemplate", vec!["test://t/{id}"]),
            ("prompts/list", "prompts", "name", vec!["p"]),
        ] {
            assert_eq!(names(&client.ask(&request(3, method, json!({}))).await, list, name), expected);
        }
        remove_one_of_each(&lists);
        assert_eq!(heard(&mut client, 3).await, ALL);
        assert_eq!(client.ask(&call).await["error"]["code"], -32602);
        let none = client.ask(&request(4, "resources/list", json!({}))).await;
        assert_eq!(none["result"]["resources"], json!([]));
        client.close().await;
    }
}

#[tokio::test]
async fn a_subscription_hears_of_what_comes_and_goes() {
    let (server, lists) = changing();
    let mut client = Client::judging(&server, "2026-07-28");
    let wishes = json!({"toolsListChanged": true, "resourcesListChanged": true, "promptsListChanged": true});
    let listen = modern("l", "subscriptions/listen", json!({"notifications": wishes}), json!({}));
    assert_eq!(client.ask(&listen).await["params"]["notifications"], wishes);
    for change in [put_one_of_each, remove_one_of_each] {
        change(&lists);
        assert_eq!(heard(&mut client, 3).await, ALL);
    }
    server.end();
    client.close().await;
}

#[tokio::test]
async fn what_is_put_takes_the_place_of_what_has_its_name() {
    let (server, lists) = changing();
    let mut client = Client::judging(&server, "2026-07-28");
    lists.put_tool(second()).expect("its schema is one");
    lists.put_tool(tool("first", async |_: NoArguments, _| Ok("another"))).expect("its schema is one");
    let list = modern(1, "tools/list", json!({}), json!({}));
    assert_eq!(names(&client.ask(&list).await, "tools", "name"), ["first", "second"]);
    let call = |name: &str| modern(2, "tools/call", json!({"name": name}), json!({}));
    assert_eq!(client.ask(&call("first")).await["result"]["content"][0]["text"], "another");
    assert!(lists.remove_tool("first") && !lists.remove_tool("first"));
    assert_eq!(client.ask(&call("second")).await["result"]["content"][0]["text"], "2", "it moved up");
    let nothing = codewhale_mcp_protocol::Tool { name: "bad".into(), ..Default::default() };
    let refused = lists.put_tool(raw_tool(nothing, async |_, _| Ok(Default::default())));
    assert!(matches!(refused, Err(BuildError::Schema { tool, .. }) if tool == "bad"));
    client.close().await;
}

#[tokio::test]
async fn a_call_that_has_begun_goes_on_when_its_tool_is_removed_and_a_tool_may_remove_itself() {
    let (server, lists) = changing();
    let ours = lists.clone();
    let once = tool("once", move |_: NoArguments, _| {
        let lists = ours.clone();
        async move {
            assert!(lists.remove_tool("once"));
            tokio::task::yield_now().await;
            Ok("done")
        }
    });
    lists.put_tool(once.as_task(Duration::from_secs(60), Duration::from_secs(1))).expect("its schema is one");
    let mut client = Client::judging(&server, "2026-07-28");
    let call = modern(1, "tools/call", json!({"name": "once"}), json!({}));
    assert_eq!(client.ask(&call).await["result"]["content"][0]["text"], "done");
    assert_eq!(client.ask(&call).await["error"]["code"], -32602);
    client.close().await;
}
