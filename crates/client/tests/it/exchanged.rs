//! A server whose exchanges are played by the test itself, one after the other.

use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_client::{Client, ConnectError, Options};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{
    Answer, Body, Carrier, Connector, End, Exchange, ExchangeError, Exchanges, Link, Media, OpenError, Peer,
    Verb, Way,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

/// Longer than any deadline of a test.
const LONG: Duration = Duration::from_secs(1_000_000);

/// The server's end of every exchange.
pub(crate) struct Server(mpsc::Receiver<Asked>);

/// An exchange that waits for its answer.
pub(crate) struct Asked {
    exchange: Exchange,
    answer: oneshot::Sender<Answer>,
}

impl Server {
    /// A client in a session of 2025-11-25, its server, and the client's question for the server's own stream.
    pub(crate) async fn in_a_session(options: Options) -> (Client, Self, Asked) {
        let (sender, exchanges) = mpsc::channel(16);
        let mut server = Self(exchanges);
        let client = tokio::spawn(async move { Client::connect(&ToServer(sender), options).await });
        server.posted("server/discover").await.nothing(400);
        let result = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}});
        server.posted("initialize").await.with(result);
        server.posted("notifications/initialized").await.nothing(202);
        let client: Result<Client, ConnectError> = client.await.expect("the task ends");
        let client = client.expect("the handshake succeeds");
        let stream = server.next().await;
        assert_eq!(stream.exchange.verb, Verb::Get);
        (client, server, stream)
    }

    /// The next exchange.
    pub(crate) async fn next(&mut self) -> Asked {
        timeout(LONG, self.0.recv()).await.expect("the client asks something").expect("the client is there")
    }

    /// The next exchange, which has to post a message of this method.
    pub(crate) async fn posted(&mut self, method: &str) -> Asked {
        let asked = self.next().await;
        assert_eq!(asked.message()["method"], method);
        asked
    }

    /// Nothing more is asked before anything happens or so much time passes.
    pub(crate) async fn is_not_asked_for(&mut self, time: Duration) {
        let asked = timeout(time, self.0.recv()).await;
        assert!(asked.is_err(), "{:?}", asked.map(|asked| asked.map(|asked| asked.exchange)));
    }
}

impl Asked {
    fn message(&self) -> Value {
        let Verb::Post(body) = &self.exchange.verb else { panic!("a post: {:?}", self.exchange) };
        serde_json::from_slice(body).expect("the client writes JSON")
    }

    /// Answers with the result of a request.
    pub(crate) fn with(self, result: Value) {
        let text = json!({"jsonrpc": "2.0", "id": self.message()["id"], "result": result}).to_string();
        self.answer_with(200, Media::Json, Said::Text(text.into()));
    }

    /// Answers with a status alone.
    pub(crate) fn nothing(self, status: u16) {
        self.answer_with(status, Media::Unnamed, Said::Text(Bytes::new()));
    }

    /// Answers with an event stream on which nothing comes.
    pub(crate) fn silent_stream(self) {
        self.answer_with(200, Media::EventStream, Said::Nothing);
    }

    fn answer_with(self, status: u16, media: Media, body: Said) {
        let session = Some(Secret::new("session-1".to_owned()));
        let body = Box::new(body);
        let answer = Answer { status, media, session, retry_after: None, challenges: Vec::new(), body };
        self.answer.send(answer).expect("the client still waits");
    }
}

/// The client's end of every exchange.
#[derive(Clone)]
struct ToServer(mpsc::Sender<Asked>);

impl fmt::Debug for ToServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToServer")
    }
}

#[async_trait]
impl Connector for ToServer {
    async fn open(&self, _: Way) -> Result<Link, OpenError> {
        let (carrier, peer) = (Arc::new(self.clone()), Arc::new(self.clone()));
        Ok(Link::Exchanges(Exchanges { carrier, stream: None, has_other_way: false, peer }))
    }
}

#[async_trait]
impl Carrier for ToServer {
    async fn exchange(&self, exchange: Exchange) -> Result<Answer, ExchangeError> {
        let gone = || ExchangeError::Broken("the test is over".to_owned());
        let (answer, answered) = oneshot::channel();
        self.0.send(Asked { exchange, answer }).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())
    }
}

#[async_trait]
impl Peer for ToServer {
    async fn gone(&self) -> End {
        std::future::pending().await
    }

    async fn stop(&self) -> End {
        End::Closed
    }

    fn last_words(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A body.
enum Said {
    /// This, and that is all.
    Text(Bytes),
    /// Nothing, and no end.
    Nothing,
}

impl Body for Said {
    fn poll_chunk(&mut self, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>> {
        match self {
            Self::Text(text) if text.is_empty() => Poll::Ready(None),
            Self::Text(text) => Poll::Ready(Some(Ok(std::mem::take(text)))),
            Self::Nothing => Poll::Pending,
        }
    }
}
