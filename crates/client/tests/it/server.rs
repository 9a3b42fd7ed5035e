//! A server in this process that is played by the test itself.

use codewhale_mcp_client::{Client, ConnectError, Options};
use codewhale_mcp_transport::memory;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

/// The server's half of a connection.
pub(crate) struct Server {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
}

impl Server {
    /// A client past its handshake, and its server.
    pub(crate) async fn connected(revision: &str, options: Options) -> (Client, Self) {
        let (connector, stream) = memory::pair(64 * 1024);
        let mut server = Self::new(stream);
        let client = tokio::spawn(async move { Client::connect(&connector, options).await });
        server.shake_hands(revision).await;
        let client: Result<Client, ConnectError> = client.await.expect("the task ends");
        (client.expect("the handshake succeeds"), server)
    }

    pub(crate) fn new(stream: DuplexStream) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self { lines: BufReader::new(reader).lines(), writer }
    }

    pub(crate) async fn shake_hands(&mut self, revision: &str) {
        let probe = self.next().await;
        assert_eq!(probe["method"], "server/discover");
        if revision == "2026-07-28" {
            self.answer(&probe, json!({"supportedVersions": [revision]})).await;
            return;
        }
        self.say(&json!({"jsonrpc": "2.0", "id": probe["id"], "error": {"code": -32601, "message": "no"}}))
            .await;
        let request = self.next().await;
        self.answer(&request, json!({"protocolVersion": revision, "capabilities": {"tools": {}}})).await;
        assert_eq!(self.next().await["method"], "notifications/initialized");
    }

    /// The next message of the client.
    pub(crate) async fn next(&mut self) -> Value {
        let line = self.lines.next_line().await.expect("the pipe works").expect("the client is there");
        serde_json::from_str(&line).expect("the client writes JSON")
    }

    /// Whether the client has closed its side.
    pub(crate) async fn at_end(&mut self) -> bool {
        self.lines.next_line().await.expect("the pipe works").is_none()
    }

    pub(crate) async fn answer(&mut self, request: &Value, result: Value) {
        self.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
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
