//! Requests as bytes over a connection, and what comes back, whatever is right or wrong with either.
#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Nothing takes longer; it is far more than any needs.
const LONGEST: Duration = Duration::from_secs(30);

/// The revision that modern requests are written in.
pub(crate) const MODERN: &str = "2026-07-28";

/// A request, as it leaves.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Request {
    /// Without anything but a host.
    pub(crate) fn new(method: &str) -> Self {
        let headers = vec![("Host".to_owned(), "127.0.0.1".to_owned())];
        Self { line: format!("{method} /mcp HTTP/1.1"), headers, body: Vec::new() }
    }

    /// A message in the usual form.
    pub(crate) fn post(message: &Value) -> Self {
        let body = serde_json::to_vec(message).unwrap();
        let request = Self { body, ..Self::new("POST") };
        request.with("Content-Type", "application/json").with("Accept", "application/json, text/event-stream")
    }

    /// A modern request with all its headers.
    pub(crate) fn modern(id: impl Into<Value>, method: &str, params: Value) -> Self {
        let message =
            json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": modern(params) });
        let name = ["name", "uri", "taskId"].iter().find_map(|name| message["params"][name].as_str());
        let request = Self::post(&message).with("MCP-Protocol-Version", MODERN).with("Mcp-Method", method);
        match name.filter(|_| !method.ends_with("/list")) {
            Some(name) => request.with("Mcp-Name", name),
            None => request,
        }
    }

    /// A modern call of a tool.
    pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Self {
        Self::modern(id, "tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// What begins a legacy session.
    pub(crate) fn initialize(revision: &str) -> Self {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": { "elicitation": {}, "sampling": {}, "roots": {} },
            "clientInfo": { "name": "test", "version": "1" },
        });
        Self::post(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
    }

    /// With a header, in the place of those that have the same name.
    pub(crate) fn with(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.to_owned()));
        request
    }

    /// With a header more, whether there is one of that name or not.
    pub(crate) fn and(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn line(self, line: &str) -> Self {
        Self { line: line.to_owned(), ..self }
    }

    pub(crate) fn body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{}\r\n", self.line);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        let says_length = self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        if !self.body.is_empty() && !says_length {
            text.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// Params with what every modern request has in `_meta`, unless they say it themselves.
pub(crate) fn modern(mut params: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let told = params["_meta"].take();
    let mut all = meta.as_object().cloned().unwrap();
    all.extend(told.as_object().cloned().unwrap_or_default());
    params["_meta"] = Value::Object(all);
    params
}

/// A connection.
pub(crate) struct Wire(BufReader<TcpStream>);

/// The head of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
}

/// An answer with its body.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) head: Head,
    pub(crate) body: String,
}

/// An event of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<u64>,
    pub(crate) data: Option<String>,
}

impl Head {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code of the error that it is, 0 for anything else.
    pub(crate) fn code(&self) -> i64 {
        serde_json::from_str::<Value>(&self.body)
            .map_or(0, |body| body["error"]["code"].as_i64().unwrap_or(0))
    }
}

impl Event {
    /// The message of it.
    pub(crate) fn message(&self) -> Value {
        serde_json::from_str(self.data.as_deref().unwrap_or_default()).unwrap_or(Value::Null)
    }
}

/// Asks on a connection of its own.
pub(crate) async fn ask(address: SocketAddr, request: &Request) -> Answer {
    let mut wire = Wire::open(address).await;
    wire.send(request).await;
    wire.answer().await
}

impl Wire {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        Self(BufReader::new(TcpStream::connect(address).await.unwrap()))
    }

    pub(crate) async fn send(&mut self, request: &Request) {
        self.write(&request.bytes()).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        // Who is refused early may be cut off while it still writes.
        let _ = self.0.get_mut().write_all(bytes).await;
    }

    pub(crate) async fn answer(&mut self) -> Answer {
        let head = self.head().await;
        let body = self.body(&head).await;
        Answer { head, body }
    }

    pub(crate) async fn head(&mut self) -> Head {
        timeout(LONGEST, self.head_whenever()).await.expect("an answer begins in time")
    }

    async fn head_whenever(&mut self) -> Head {
        let line = self.line().await;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("{line:?} begins no answer"));
        let mut headers = Vec::new();
        loop {
            let line = self.line().await;
            match line.split_once(": ") {
                Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
                None => return Head { status, headers },
            }
        }
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.0.read_line(&mut line).await;
        line.trim_end_matches(['\r', '\n']).to_owned()
    }

    /// The rest of an answer, to its end.
    pub(crate) async fn body(&mut self, head: &Head) -> String {
        let all = async {
            let mut body = Vec::new();
            match head.header("content-length").and_then(|length| length.parse().ok()) {
                Some(length) => {
                    body.resize(length, 0);
                    self.0.read_exact(&mut body).await.unwrap();
                }
                None if head.header("transfer-encoding") == Some("chunked") => {
                    while let Some(chunk) = self.chunk().await {
                        body.extend(chunk);
                    }
                }
                None if head.status == 202 || head.status == 204 => {}
                None => drop(self.0.read_to_end(&mut body).await),
            }
            String::from_utf8(body).unwrap()
        };
        timeout(LONGEST, all).await.expect("an answer ends in time")
    }

    /// The next piece of a stream; `None` at its end, or where it was cut.
    pub(crate) async fn chunk(&mut self) -> Option<Vec<u8>> {
        let size = usize::from_str_radix(&self.line().await, 16).ok()?;
        let mut chunk = vec![0; size + 2];
        self.0.read_exact(&mut chunk).await.ok()?;
        chunk.truncate(size);
        (size > 0).then_some(chunk)
    }

    /// The next event of a stream, comments left out; our server writes each in a piece of its own.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        timeout(LONGEST, self.event_whenever()).await.expect("an event comes in time")
    }

    async fn event_whenever(&mut self) -> Option<Event> {
        loop {
            let text = String::from_utf8(self.chunk().await?).unwrap();
            let mut event = Event::default();
            for line in text.lines() {
                match line.split_once(':').map(|(name, value)| (name, value.trim_start())) {
                    Some(("id", value)) => event.id = Some(value.to_owned()),
                    Some(("retry", value)) => event.retry = value.parse().ok(),
                    Some(("data", value)) => event.data = Some(value.to_owned()),
                    _ => {}
                }
            }
            if event != Event::default() {
                return Some(event);
            }
        }
    }

    /// The first event of a stream that begins.
    pub(crate) async fn event_after_head(&mut self) -> Event {
        let head = self.head().await;
        assert!(head.is_stream(), "{head:?}");
        self.event().await.expect("there is one")
    }

    /// Whether the server ends the connection, without another word than an answer.
    pub(crate) async fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        timeout(LONGEST, self.0.read_to_end(&mut rest)).await.is_ok()
    }

    /// Every message until the end of a stream.
    pub(crate) async fn messages(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(event) = self.event().await {
            messages.extend(event.data.as_ref().filter(|data| !data.is_empty()).map(|_| event.message()));
        }
        messages
    }
}
