//! A client that writes and reads raw lines.
#![expect(clippy::unwrap_used, reason = "what a test cannot read is a failure of the test")]

use codewhale_mcp_server::{Server, serve_lines};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split};
use tokio::task::JoinHandle;

use crate::schemas::Judge;

/// A client of one server.
pub(crate) struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: Option<WriteHalf<DuplexStream>>,
    served: JoinHandle<std::io::Result<()>>,
    judge: Option<Judge>,
}

impl Client {
    pub(crate) fn of(server: &Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = split(ours);
        let server = server.clone();
        let served = tokio::spawn(async move {
            let (reader, writer) = split(theirs);
            serve_lines(&server, reader, writer).await
        });
        Self { reader: BufReader::new(reader), writer: Some(writer), served, judge: None }
    }

    /// Of a server whose every message is held against a revision's schema.
    pub(crate) fn judging(server: &Server, revision: &str) -> Self {
        Self { judge: Some(Judge::of(revision)), ..Self::of(server) }
    }

    /// Writes a line as it is.
    pub(crate) async fn raw(&mut self, line: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        if let Some(judge) = &mut self.judge {
            for message in message.as_array().unwrap_or(&vec![message.clone()]) {
                judge.asked(message);
            }
        }
        self.raw(&message.to_string()).await;
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).await.unwrap();
        assert!(line.ends_with('\n'), "the server has ended");
        let message = serde_json::from_str(&line).unwrap();
        if let Some(judge) = &self.judge {
            judge.judge(&message);
        }
        message
    }

    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.next().await
    }

    /// Opens a session.
    pub(crate) async fn open(&mut self, revision: &str, capabilities: Value) -> Value {
        let params = json!({"protocolVersion": revision, "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}});
        let answer = self.ask(&request(0, "initialize", params)).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    /// Closes the input and gives what the server still says.
    pub(crate) async fn close(mut self) -> Vec<Value> {
        self.writer.take().unwrap().shutdown().await.unwrap();
        let mut rest = Vec::new();
        let mut line = String::new();
        while self.reader.read_line(&mut line).await.unwrap() > 0 {
            rest.push(serde_json::from_str(&line).unwrap());
            line.clear();
        }
        self.served.await.unwrap().unwrap();
        rest
    }
}

pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A request of the modern era, of a client that can do what `capabilities` says.
pub(crate) fn modern(id: impl Into<Value>, method: &str, mut params: Value, capabilities: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    request(id, method, params)
}
