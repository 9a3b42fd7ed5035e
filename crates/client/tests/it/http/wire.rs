//! What lies between a client and the server that a test plays: requests as values, and bodies as channels.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_transport::{
    Answer, Body, Carrier, Connector, End, Exchange, ExchangeError, Exchanges, Exchanging, Frames, Link,
    Media, OpenError, Peer, Verb, Way,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::web::{Got, LONG, MANY};

/// The body of an answer. Dropping it ends the body.
pub(crate) struct Stream(mpsc::Sender<Result<Bytes, ExchangeError>>);

/// Opens links to a [`Web`](super::web::Web).
#[derive(Debug, Clone)]
pub(crate) struct WebConnector {
    pub(super) came: mpsc::Sender<Got>,
    pub(super) has_other_way: bool,
}

/// The head of an answer, and the body that follows it.
pub(crate) fn head(status: u16, content_type: Option<&str>) -> (Answer, Stream) {
    let (sender, receiver) = mpsc::channel(MANY);
    let answer = Answer {
        status,
        media: Media::of(content_type),
        session: None,
        retry_after: None,
        challenges: Vec::new(),
        body: Box::new(WebBody(receiver)),
    };
    (answer, Stream(sender))
}

impl Stream {
    pub(crate) fn raw(&self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(crate) fn bytes(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            // Nobody may read it any more.
            let _ = self.0.try_send(Ok(Bytes::copy_from_slice(bytes)));
        }
    }

    /// A message in an event.
    pub(crate) fn say(&self, message: &Value) {
        self.raw(&format!("data: {message}\n\n"));
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn breaks(self) {
        let _ = self.0.try_send(Err(ExchangeError::Broken("cut".into())));
    }

    /// Whether nobody reads it any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    pub(crate) async fn gone(&self) {
        tokio::time::timeout(LONG, self.0.closed()).await.expect("the stream is dropped");
    }
}

struct WebBody(mpsc::Receiver<Result<Bytes, ExchangeError>>);

impl Body for WebBody {
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, ExchangeError>>> {
        self.0.poll_recv(context)
    }
}

impl Carrier for WebConnector {
    fn exchange(&self, exchange: Exchange) -> Exchanging<'_> {
        Box::pin(self.carry(exchange))
    }
}

impl WebConnector {
    async fn carry(&self, exchange: Exchange) -> Result<Answer, ExchangeError> {
        let (verb, body) = match exchange.verb {
            Verb::Post(body) => ("POST", serde_json::from_slice(&body).expect("a message is JSON")),
            Verb::Get => ("GET", Value::Null),
            Verb::Delete => ("DELETE", Value::Null),
        };
        let mut headers = BTreeMap::new();
        for header in exchange.headers {
            let name = header.name.to_ascii_lowercase();
            let before = headers.insert(name, header.value.expose().clone().into_owned());
            assert_eq!(before, None, "a header comes once");
        }
        let (reply, answer) = oneshot::channel();
        let got = Got { verb, headers, body, at: Instant::now(), reply };
        let gone = || ExchangeError::Broken("the server is gone".into());
        self.came.try_send(got).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

#[async_trait]
impl Connector for WebConnector {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let first = way == Way::First || !self.has_other_way;
        let stream = if first {
            None
        } else {
            let answer = self.exchange(Exchange { verb: Verb::Get, headers: Vec::new() }).await?;
            let no = |status| OpenError::NoEventStream { status, reason: format!("status {status}") };
            let Answer { status: 200, media, body, .. } = answer else { return Err(no(answer.status)) };
            Some(Frames::new(&media, body, 1 << 20).map_err(|_| no(200))?)
        };
        let has_other_way = first && self.has_other_way;
        let carrier = Arc::new(self.clone());
        Ok(Link::Exchanges(Exchanges { carrier, stream, has_other_way, peer: Arc::new(WebPeer) }))
    }
}

#[derive(Debug)]
struct WebPeer;

#[async_trait]
impl Peer for WebPeer {
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
