//! A server of exchanges in this process: the test sees every request and answers it when it likes.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ConnectError, ExchangeFault, Options};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Answer, ExchangeError};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::wire::{Stream, WebConnector, head};

/// Longer than any deadline of a test.
pub(super) const LONG: Duration = Duration::from_secs(1_000_000);
/// More requests and chunks than any test leaves lying.
pub(super) const MANY: usize = 4096;

/// The server's side: every request in its order.
pub(crate) struct Web {
    came: mpsc::Receiver<Got>,
    /// Those that were passed over.
    kept: VecDeque<Got>,
}

/// A request that waits for its answer.
pub(crate) struct Got {
    pub(crate) verb: &'static str,
    pub(crate) headers: BTreeMap<String, String>,
    /// The message of a POST.
    pub(crate) body: Value,
    pub(crate) at: Instant,
    pub(super) reply: oneshot::Sender<Result<Answer, ExchangeError>>,
}

impl Web {
    /// A server with one way to it, or two.
    pub(crate) fn with_ways(ways: usize) -> (WebConnector, Self) {
        let (sender, came) = mpsc::channel(MANY);
        let connector = WebConnector { came: sender, has_other_way: ways == 2 };
        (connector, Self { came, kept: VecDeque::new() })
    }

    /// A client that is being connected.
    pub(crate) fn connecting(options: Options) -> (JoinHandle<Result<Client, ConnectError>>, Self) {
        let (connector, web) = Self::with_ways(2);
        (tokio::spawn(async move { Client::connect(&connector, options).await }), web)
    }

    /// A client past its handshake, with a server that offers tools. A legacy one names its session `s-1` and has no
    /// stream of its own.
    pub(crate) async fn connected(revision: &str, options: Options) -> (Client, Self) {
        Self::offering(revision, json!({"tools": {}}), options).await
    }

    /// The same with a server that offers this.
    pub(crate) async fn offering(revision: &str, capabilities: Value, options: Options) -> (Client, Self) {
        let (client, mut web) = Self::connecting(options);
        web.shake_hands(revision, capabilities).await;
        if revision != "2026-07-28" {
            web.get().await.empty(405);
        }
        (client.await.expect("the task ends").expect("a client"), web)
    }

    /// A legacy client past its handshake, and the stream of what the server says by itself.
    pub(crate) async fn listening(options: Options) -> (Client, Self, Stream) {
        let (client, mut web) = Self::connecting(options);
        web.shake_hands("2025-11-25", json!({"tools": {}})).await;
        let stream = web.get().await.events();
        let client = client.await.expect("the task ends").expect("a client");
        (client, web, stream)
    }

    pub(crate) async fn shake_hands(&mut self, revision: &str, capabilities: Value) {
        let probe = self.post("server/discover").await;
        if revision == "2026-07-28" {
            probe.result(json!({"supportedVersions": [revision], "capabilities": capabilities}));
            return;
        }
        probe.empty(400);
        let initialize = self.post("initialize").await;
        let result = json!({"protocolVersion": revision, "capabilities": capabilities});
        initialize.result_in_session("s-1", result);
        self.post("notifications/initialized").await.empty(202);
    }

    /// The next request, or `None` when the client is gone.
    pub(crate) async fn next(&mut self) -> Option<Got> {
        match self.kept.pop_front() {
            Some(kept) => Some(kept),
            None => self.came.recv().await,
        }
    }

    async fn fetch(&mut self) -> Got {
        let came = tokio::time::timeout(LONG, self.came.recv()).await;
        came.expect("the client asks for something").expect("the client is there")
    }

    /// The next request that is one of these; others stay.
    async fn find(&mut self, is_it: impl Fn(&Got) -> bool) -> Got {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at).expect("it is there");
        }
        loop {
            let got = self.fetch().await;
            if is_it(&got) {
                return got;
            }
            self.kept.push_back(got);
        }
    }

    /// The next POST of this method, or of an answer (`""`).
    pub(crate) async fn post(&mut self, method: &str) -> Got {
        self.find(|got| got.verb == "POST" && got.method() == method).await
    }

    pub(crate) async fn get(&mut self) -> Got {
        self.find(|got| got.verb == "GET").await
    }

    pub(crate) async fn delete(&mut self) -> Got {
        self.find(|got| got.verb == "DELETE").await
    }

    /// Nothing else was asked for, nor is within this time.
    pub(crate) async fn hears_nothing_for(&mut self, time: Duration) {
        assert!(self.kept.is_empty(), "the client asked: {:?}", self.kept);
        // The client may be gone altogether.
        if let Ok(Some(got)) = tokio::time::timeout(time, self.came.recv()).await {
            panic!("the client asks: {got:?}");
        }
    }

    /// Nothing else was asked for.
    pub(crate) async fn hears_nothing(&mut self) {
        self.hears_nothing_for(Duration::from_millis(1)).await;
    }
}

impl fmt::Debug for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {}", self.verb, self.headers, self.body)
    }
}

impl Got {
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.reply.is_closed()
    }

    pub(crate) async fn gone(&mut self) {
        tokio::time::timeout(LONG, self.reply.closed()).await.expect("the exchange ends");
    }

    pub(crate) fn fail(self, error: ExchangeError) {
        // Nobody may wait for it.
        let _ = self.reply.send(Err(error));
    }

    /// Answers with this head; the body follows.
    pub(crate) fn answer(self, head: Answer) {
        let _ = self.reply.send(Ok(head));
    }

    pub(crate) fn body_of(self, status: u16, content_type: Option<&str>) -> Stream {
        let (head, stream) = head(status, content_type);
        self.answer(head);
        stream
    }

    pub(crate) fn events(self) -> Stream {
        self.body_of(200, Some("text/event-stream"))
    }

    pub(crate) fn empty(self, status: u16) {
        drop(self.body_of(status, None));
    }

    pub(crate) fn text(self, status: u16, content_type: Option<&str>, text: &str) {
        self.body_of(status, content_type).raw(text);
    }

    pub(crate) fn json(self, status: u16, value: &Value) {
        self.text(status, Some("application/json"), &value.to_string());
    }

    pub(crate) fn result(self, result: Value) {
        let answer = reply(&self.body, result);
        self.json(200, &answer);
    }

    pub(crate) fn result_in_session(self, session: &str, result: Value) {
        let answer = reply(&self.body, result);
        let (mut head, stream) = head(200, Some("application/json"));
        head.session = Some(Secret::new(session.to_owned()));
        self.answer(head);
        stream.raw(&answer.to_string());
    }

    /// Refuses the message with an error in the body.
    pub(crate) fn refuse(self, status: u16, error: Value) {
        let answer = json!({"jsonrpc": "2.0", "id": self.body["id"], "error": error});
        self.json(status, &answer);
    }
}

/// A call of the tool `x` by a task of its own: its text, or why there is none.
pub(crate) type Calling = JoinHandle<Result<String, CallError>>;

pub(crate) fn call(client: &Client) -> Calling {
    let client = client.clone();
    tokio::spawn(async move {
        let result = client.call_tool("x", &json!({})).send().await?;
        Ok(result.content[0].text.clone().expect("a text"))
    })
}

/// What a call came to.
pub(crate) async fn said(call: Calling) -> Result<String, CallError> {
    tokio::time::timeout(LONG, call).await.expect("it ends").expect("the task ends")
}

/// Why a call brought no answer.
pub(crate) async fn fault(call: Calling) -> ExchangeFault {
    match said(call).await {
        Err(CallError::Exchange { fault, .. }) => *fault,
        other => panic!("{other:?}"),
    }
}

/// A result of a tool.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// The answer to a message.
pub(crate) fn reply(message: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
}
