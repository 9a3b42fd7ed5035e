//! A person, their browser, and their terminal.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codewhale_mcp_auth::browser::{BrowserUrl, CannotOpen, Opener};
use codewhale_mcp_auth::listener::{Callback, Loopback, Opened, Person, Visit};
use codewhale_mcp_auth::paste::PasteError;
use codewhale_mcp_redact::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// The state that every test's login has.
pub(crate) const STATE: &str = "st+ate/1";

/// It in a query.
pub(crate) const GOOD: &str = "code=c0de&state=st%2Bate%2F1";

/// Hears and pastes as the test says.
#[derive(Debug)]
pub(crate) struct Played {
    told: mpsc::Sender<(String, Opened)>,
    pasted: tokio::sync::Mutex<mpsc::Receiver<String>>,
    refused: mpsc::Sender<PasteError>,
}

/// The other ends.
pub(crate) struct Ends {
    pub(crate) told: mpsc::Receiver<(String, Opened)>,
    pub(crate) paste: Option<mpsc::Sender<String>>,
    pub(crate) refused: mpsc::Receiver<PasteError>,
}

pub(crate) fn play() -> (Arc<Played>, Ends) {
    let (told, told_end) = mpsc::channel(8);
    let (paste, pasted) = mpsc::channel(8);
    let (refused, refused_end) = mpsc::channel(8);
    let played = Played { told, pasted: tokio::sync::Mutex::new(pasted), refused };
    (Arc::new(played), Ends { told: told_end, paste: Some(paste), refused: refused_end })
}

#[async_trait]
impl Person for Played {
    fn told(&self, visit: &Visit<'_>) {
        self.told.try_send((visit.url.to_owned(), visit.opened.clone())).unwrap();
    }

    async fn pasted(&self) -> Option<Secret<String>> {
        self.pasted.lock().await.recv().await.map(Secret::new)
    }

    fn refused(&self, why: &PasteError) {
        self.refused.try_send(why.clone()).unwrap();
    }
}

/// Keeps the URLs it gets.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    pub(crate) opened: Mutex<Vec<String>>,
    pub(crate) failure: Option<CannotOpen>,
}

impl Opener for Browser {
    fn open(&self, url: &BrowserUrl) -> Result<(), CannotOpen> {
        self.opened.lock().unwrap().push(url.as_str().to_owned());
        self.failure.clone().map_or(Ok(()), Err)
    }
}

pub(crate) fn loopback(person: Arc<Played>) -> Loopback {
    Loopback::new(Callback::new(None, None).unwrap(), person)
}

pub(crate) fn state() -> Secret<String> {
    Secret::new(STATE.to_owned())
}

/// Sends bytes to the listener of a redirect URI and reads the whole answer.
pub(crate) async fn exchange(redirect_uri: &str, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(authority(redirect_uri)).await.unwrap();
    // Who is refused early may not take all of it.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8(answer).unwrap()
}

/// Gets a target of the listener of a redirect URI.
pub(crate) async fn visit(redirect_uri: &str, target: &str) -> String {
    exchange(redirect_uri, get(redirect_uri, target).as_bytes()).await
}

pub(crate) fn get(redirect_uri: &str, target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: {}\r\nAccept: text/html\r\n\r\n", authority(redirect_uri))
}

pub(crate) fn authority(redirect_uri: &str) -> &str {
    redirect_uri.strip_prefix("http://").unwrap().split('/').next().unwrap()
}

pub(crate) fn status(answer: &str) -> &str {
    answer.split("\r\n").next().unwrap().strip_prefix("HTTP/1.1 ").unwrap_or(answer)
}
