//! A server in this process that is played by the test itself.

use std::time::Duration;

use codewhale_mcp_client::{Client, ConnectError, Options};
use codewhale_mcp_transport::memory;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

/// Longer than any deadline of a test.
const LONG: Duration = Duration::from_secs(1_000_000);

/// The server's half of a connection.
pub(crate) struct Server {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Server {
    /// A client past its handshake, and its server.
    pub(crate) async fn connected(revision: &str, options: Options) -> (Client, Self) {
        Self::offering(revision, json!({"tools": {}}), options).await
    }

    /// As [`Self::connected`], with a server that offers these capabilities.
    pub(crate) async fn offering(revision: &str, capabilities: Value, options: Options) -> (Client, Self) {
        let (connector, stream) = memory::pair(64 * 1024);
        let mut server = Self::new(stream);
        let client = tokio::spawn(async move { Client::connect(&connector, options).await });
        server.shake_hands_offering(revision, capabilities).await;
        let client: Result<Client, ConnectError> = client.await.expect("the task ends");
        (client.expect("the handshake succeeds"), server)
    }

    pub(crate) fn new(stream: DuplexStream) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    pub(crate) async fn shake_hands(&mut self, revision: &str) {
        self.shake_hands_offering(revision, json!({"tools": {}})).await;
    }

    async fn shake_hands_offering(&mut self, revision: &str, capabilities: Value) {
        let probe = self.next().await;
        assert_eq!(probe["method"], "server/discover");
        if revision == "2026-07-28" {
            let result = json!({"supportedVersions": [revision], "capabilities": capabilities});
            self.answer(&probe, result).await;
            return;
        }
        self.refuse(&probe, json!({"code": -32601, "message": "no"})).await;
        let request = self.next().await;
        self.answer(&request, json!({"protocolVersion": revision, "capabilities": capabilities})).await;
        assert_eq!(self.next().await["method"], "notifications/initialized");
    }

    /// The next message of the client.
    pub(crate) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.next_line().await).expect("the client writes JSON")
    }

    /// The next message of the client as it came.
    pub(crate) async fn next_line(&mut self) -> String {
        let line =
            tokio::time::timeout(LONG, self.lines.next_line()).await.expect("the client says something");
        line.expect("the pipe works").expect("the client is there")
    }

    /// The next message of the client, which has to be a request of this method.
    pub(crate) async fn asked(&mut self, method: &str) -> Value {
        let request = self.next().await;
        assert_eq!(request["method"], method, "{request}");
        assert!(request["id"].is_u64(), "{request}");
        request
    }

    /// Nothing more comes from the client before anything happens or time passes.
    pub(crate) async fn hears_nothing(&mut self) {
        let line = tokio::time::timeout(Duration::from_millis(1), self.lines.next_line()).await;
        assert!(line.is_err(), "the client says {:?}", line.expect("it said something"));
    }

    /// Whether the client has closed its side.
    pub(crate) async fn at_end(&mut self) -> bool {
        self.lines.next_line().await.expect("the pipe works").is_none()
    }

    pub(crate) async fn answer(&mut self, request: &Value, result: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
    }

    pub(crate) async fn refuse(&mut self, request: &Value, error: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error})).await;
    }

    /// Sends a request of its own.
    pub(crate) async fn ask(&mut self, id: impl Into<Value>, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.say(&json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    pub(crate) async fn progress(&mut self, request: &Value, progress: u32) {
        let token = &request["params"]["_meta"]["progressToken"];
        let params = json!({"progressToken": token, "progress": progress, "total": 10});
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})).await;
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.expect("the client reads");
    }
}

/// A tool's answer.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}
