//! A browser whose person agrees to everything.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard};

use codewhale_cli::{BrowserUrl, CannotOpen, Opener};
use url::{Position, Url};

/// Goes where it is sent, and on from there. Keeps the addresses and the last page.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    opened: Mutex<Vec<Url>>,
}

impl Browser {
    /// The addresses that it was sent to.
    pub(crate) fn opened(&self) -> MutexGuard<'_, Vec<Url>> {
        self.opened.lock().unwrap()
    }
}

impl Opener for Browser {
    fn open(&self, url: &BrowserUrl) -> Result<(), CannotOpen> {
        let url: Url = url.as_str().parse().unwrap();
        self.opened().push(url.clone());
        std::thread::spawn(move || get(&redirect(&url)));
        Ok(())
    }
}

/// Where an address sends a browser.
pub(crate) fn redirect(url: &Url) -> Url {
    let answer = get(url);
    let location = answer.lines().find_map(|line| line.strip_prefix("Location: "));
    location.unwrap_or_else(|| panic!("it leads nowhere: {answer}")).parse().unwrap()
}

/// The answer to a GET.
pub(crate) fn get(url: &Url) -> String {
    let mut stream = TcpStream::connect(&*url.socket_addrs(|| None).unwrap()).unwrap();
    let (target, host) = (&url[Position::BeforePath..], &url[Position::BeforeHost..Position::AfterPort]);
    write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    // A server that keeps the connection says how long its answer is, or that it has none.
    let mut buffer = [0; 4096];
    while let Ok(some @ 1..) = stream.read(&mut buffer) {
        answer.extend_from_slice(&buffer[..some]);
        if String::from_utf8_lossy(&answer).contains("Content-Length: 0\r\n\r\n") {
            break;
        }
    }
    String::from_utf8(answer).unwrap()
}
