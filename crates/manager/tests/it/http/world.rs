//! Servers with a URL, and what a fake one has seen of its clients.

use std::collections::BTreeMap;

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_config::{Scope, Server, Source};
use codewhale_mcp_manager::Connection;
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::world::{World, from};

/// The server that a fake is, with further members of its definition. Nothing is remembered of it: a later fake may
/// get its port.
pub(crate) fn remote(fake: &HttpFake, more: Value) -> Server {
    at(&Source::label("a test", Scope::User), &fake.url(), more)
}

/// A server at a URL.
pub(crate) fn at(source: &Source, url: &str, more: Value) -> Server {
    let mut definition = json!({"url": url, "connect_timeout": 60, "execute_timeout": 60});
    definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    from(source, "remote", &definition)
}

/// How often the server carried out each call of `echo`, by what it was asked to say.
pub(crate) fn executed(fake: &HttpFake) -> BTreeMap<String, usize> {
    let mut executed = BTreeMap::new();
    for line in fake.notes().iter().filter_map(|note| note.strip_prefix("out ")) {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        if let Some(text) = message["result"]["content"][0]["text"].as_str() {
            *executed.entry(text.to_owned()).or_default() += 1;
        }
    }
    executed
}

/// A server that is ready.
pub(crate) async fn connected(world: &World, fake: &HttpFake) -> Connection {
    let attempt = world.manager.connect(&remote(fake, json!({}))).await;
    attempt.connection.unwrap_or_else(|| panic!("{:?}", attempt.report.outcome))
}

pub(crate) async fn call(client: &Client, text: &str) -> Result<String, CallError> {
    let result = client.call_tool("echo", &json!({"text": text})).send().await?;
    Ok(result.content[0].text.clone().unwrap_or_default())
}

/// Many calls at one time, each of which can be told from the others.
pub(crate) struct Calls(JoinSet<Result<String, CallError>>);

impl Calls {
    /// Calls that are answered at once: each has to be answered with its own words.
    pub(crate) fn echo(client: &Client, words: &str, count: usize) -> Self {
        let mut calls = JoinSet::new();
        for number in 0..count {
            let (client, text) = (client.clone(), format!("{words} {number}"));
            calls.spawn(async move {
                let said = call(&client, &text).await?;
                assert_eq!(said, text, "each gets its own answer");
                Ok(said)
            });
        }
        Self(calls)
    }

    /// Calls that would take minutes.
    pub(crate) fn slow(client: &Client, count: usize) -> Self {
        let mut calls = JoinSet::new();
        for number in 0..count {
            let (client, arguments) = (client.clone(), json!({"ms": 600_000 + number, "every": 500}));
            calls.spawn(async move {
                client.call_tool("slow", &arguments).send().await.map(|result| format!("{result:?}"))
            });
        }
        Self(calls)
    }

    pub(crate) async fn all(self) -> Vec<Result<String, CallError>> {
        self.0.join_all().await
    }
}

/// How many calls that take minutes have told of their progress.
pub(crate) fn running_calls(fake: &HttpFake) -> usize {
    let told = |note: &String| note.starts_with("out ") && note.contains(r#""message":"step 1 of"#);
    fake.notes().iter().filter(|note| told(note)).count()
}

/// No call that was under way was made a second time.
pub(crate) fn each_slow_call_was_sent_once(fake: &HttpFake) {
    let mut times = BTreeMap::<String, usize>::new();
    for request in fake.requests_of("tools/call") {
        let arguments = &request.json()["params"]["arguments"];
        if arguments["ms"].is_number() {
            *times.entry(arguments["ms"].to_string()).or_default() += 1;
        }
    }
    assert!(times.values().all(|times| *times == 1), "{times:?}");
}

/// An id of an event means something in the session that it came in, and nothing in another one
/// (MCP 2025-11-25, basic/transports).
pub(crate) fn streams_are_taken_up_in_their_own_session(fake: &HttpFake) {
    // Streams are numbered within their session, and no two of the sessions of a test have the same number of them.
    for get in fake.requests_of("GET") {
        assert!(
            get.header("last-event-id").is_none() || get.header("mcp-session-id") == Some("session-1"),
            "{get:?}"
        );
    }
}
