//! The head of a request: as much of HTTP/1.1 as a redirected browser speaks (RFC 9112).

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::timeout;

/// The longest request line, in bytes.
const LINE: usize = 16 << 10;

/// The longest head, in bytes. Cookies of everything that ever ran on this machine come along.
const HEAD: usize = 64 << 10;

/// The most header lines.
const LINES: usize = 128;

/// How long a head may take to arrive.
pub(super) const TIME: Duration = Duration::from_secs(10);

/// A request without its body, which nobody reads.
#[derive(PartialEq, Eq)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) host: String,
}

/// Why there is no head.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The peer went away, or said nothing in time.
    Gone,
    Malformed,
    LongLine,
    LongHead,
}

/// Reads a head.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<Head, Unread> {
    let mut bytes = Vec::with_capacity(2 << 10);
    let whole = async {
        let mut looked = 0;
        loop {
            if let Some(end) = find_end(&bytes, looked) {
                return Ok(end);
            }
            looked = bytes.len();
            if !bytes.contains(&b'\n') && bytes.len() > LINE {
                return Err(Unread::LongLine);
            }
            if bytes.len() > HEAD {
                return Err(Unread::LongHead);
            }
            if fill(stream, &mut bytes).await.map_err(|_| Unread::Gone)? == 0 {
                return Err(Unread::Gone);
            }
        }
    };
    let end = timeout(TIME, whole).await.map_err(|_| Unread::Gone)??;
    parse(&bytes[..end])
}

async fn fill(stream: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> io::Result<usize> {
    stream.take(4 << 10).read_buf(bytes).await
}

/// Where the empty line begins, if it is there. Nothing before `looked` needs another look.
fn find_end(bytes: &[u8], looked: usize) -> Option<usize> {
    let from = looked.saturating_sub(3);
    bytes[from..].windows(4).position(|four| four == b"\r\n\r\n").map(|at| from + at)
}

fn parse(head: &[u8]) -> Result<Head, Unread> {
    let head = std::str::from_utf8(head).map_err(|_| Unread::Malformed)?;
    let mut lines = head.split("\r\n");
    let first = lines.next().unwrap_or_default();
    if first.len() > LINE {
        return Err(Unread::LongLine);
    }
    let is_odd = |line: &str| line.contains(|c: char| c.is_control() && c != '\t');
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Unread::Malformed);
    };
    if !matches!(version, "HTTP/1.1" | "HTTP/1.0") || is_odd(first) {
        return Err(Unread::Malformed);
    }
    let mut host = None;
    for (number, line) in lines.enumerate() {
        if number == LINES {
            return Err(Unread::LongHead);
        }
        let (name, value) = line.split_once(':').ok_or(Unread::Malformed)?;
        if is_odd(line) || name.is_empty() || name.contains([' ', '\t']) {
            return Err(Unread::Malformed);
        }
        if name.eq_ignore_ascii_case("host") && host.replace(value.trim()).is_some() {
            return Err(Unread::Malformed);
        }
    }
    let host = host.ok_or(Unread::Malformed)?.to_owned();
    Ok(Head { method: method.to_owned(), target: target.to_owned(), host })
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt as _, duplex};

    use super::*;

    const WHOLE: &str = "GET /callback?code=x HTTP/1.1\r\nhost:  127.0.0.1:7 \r\nAccept: */*\r\n\r\n";

    #[tokio::test]
    async fn a_head_may_come_in_any_two_pieces() {
        for cut in 0..WHOLE.len() {
            let (mut browser, mut stream) = duplex(1024);
            let (one, other) = WHOLE.split_at(cut);
            let send = async {
                browser.write_all(one.as_bytes()).await.unwrap();
                tokio::task::yield_now().await;
                browser.write_all(other.as_bytes()).await.unwrap();
            };
            let (head, ()) = tokio::join!(read(&mut stream), send);
            let head = head.unwrap();
            let parts = (&*head.method, &*head.target, &*head.host);
            assert_eq!(parts, ("GET", "/callback?code=x", "127.0.0.1:7"), "{cut}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_end_is_given_up_in_time() {
        let (mut browser, mut stream) = duplex(1024);
        browser.write_all(&WHOLE.as_bytes()[..40]).await.unwrap();
        let started = tokio::time::Instant::now();
        assert_eq!(read(&mut stream).await.err(), Some(Unread::Gone));
        assert_eq!(started.elapsed(), TIME);
    }
}
