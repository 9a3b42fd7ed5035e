//! An HTTP server of a few lines, which shows what it was sent.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Waits, but not for ever.
pub(crate) async fn soon<T>(wait: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("it should have come by now")
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// What is said to a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// These bytes; the connection stays.
    Say(Vec<u8>),
    /// These bytes, and the connection closes.
    Close(Vec<u8>),
    /// These bytes, and nothing more until the other side closes.
    Hold(Vec<u8>),
}

/// An answer with a body.
pub(crate) fn reply(status: &str, headers: &[&str], body: &[u8]) -> Reply {
    let mut bytes = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        bytes.push_str(header);
        bytes.push_str("\r\n");
    }
    bytes.push_str("\r\n");
    Reply::Say([bytes.as_bytes(), body].concat())
}

type Handler = Arc<dyn Fn(&Received) -> Reply + Send + Sync>;

/// A server on a port of its own. It ends with the runtime.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    accepted: Arc<AtomicUsize>,
    open: Arc<watch::Sender<usize>>,
    handler: Handler,
}

impl Server {
    pub(crate) async fn start(handler: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
            accepted: Arc::default(),
            open: Arc::new(watch::Sender::new(0)),
            handler: Arc::new(handler),
        };
        let accepting = server.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(accepting.clone().serve(stream));
            }
        });
        server
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// How many connections there were.
    pub(crate) fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Waits until as many connections are open.
    pub(crate) async fn open(&self, count: usize) {
        soon(self.open.subscribe().wait_for(|open| *open == count)).await.unwrap();
    }

    /// Speaks HTTP/1.1 on a connection until it ends.
    pub(crate) async fn serve(self, mut stream: impl AsyncRead + AsyncWrite + Unpin) {
        self.accepted.fetch_add(1, Ordering::SeqCst);
        self.open.send_modify(|open| *open += 1);
        let mut bytes = Vec::new();
        while let Some(request) = next_request(&mut stream, &mut bytes).await {
            self.received.lock().unwrap().push(request.clone());
            let reply = (self.handler)(&request);
            let (Reply::Say(said) | Reply::Close(said) | Reply::Hold(said)) = &reply;
            if stream.write_all(said).await.is_err() || stream.flush().await.is_err() {
                break;
            }
            match reply {
                Reply::Say(_) => {}
                Reply::Close(_) => break,
                Reply::Hold(_) => {
                    while stream.read_buf(&mut bytes).await.is_ok_and(|read| read > 0) {}
                    break;
                }
            }
        }
        drop(stream);
        self.open.send_modify(|open| *open -= 1);
    }
}

async fn next_request(stream: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> Option<Received> {
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        // Nothing that speaks TLS is understood.
        let is_tls = bytes.first() == Some(&0x16);
        if is_tls || stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes.drain(..end).collect()).unwrap();
    let mut request = Received { head, body: Vec::new() };
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    while bytes.len() < length {
        if stream.read_buf(bytes).await.ok()? == 0 {
            return None;
        }
    }
    request.body = bytes.drain(..length).collect();
    Some(request)
}
