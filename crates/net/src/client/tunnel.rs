//! A way through a proxy: CONNECT (RFC 9110, section 9.3.6).

use codewhale_mcp_redact::safe_line;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::connect::at;
use super::dial::Stream;
use super::headers;
use crate::{NetError, Proxy};

/// The longest head of a proxy's answer.
const LIMIT: usize = 16 * 1024;

/// Asks the proxy for a way to `target`, a host and port. What comes after that is the target's.
///
/// # Errors
/// [`NetError::Proxy`] names the proxy and what it said.
pub(super) async fn tunnel(
    mut stream: Box<dyn Stream>,
    proxy: &Proxy,
    target: &str,
) -> Result<Box<dyn Stream>, NetError> {
    let failed = |reason: String| NetError::Proxy { proxy: at(&proxy.origin), reason };
    let request = headers::connect(target, proxy);
    stream.write_all(&request).await.map_err(|error| failed(error.to_string()))?;
    stream.flush().await.map_err(|error| failed(error.to_string()))?;
    let mut head = Vec::with_capacity(512);
    let end = loop {
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if head.len() >= LIMIT {
            return Err(failed("its answer is too long".to_owned()));
        }
        if stream.read_buf(&mut head).await.map_err(|error| failed(error.to_string()))? == 0 {
            return Err(failed("it closes the connection".to_owned()));
        }
    };
    match status(&head) {
        // A server that speaks before it is spoken to is none that we know.
        Some(200..=299) if head.len() == end => Ok(stream),
        Some(200..=299) => Err(failed("more than an answer came".to_owned())),
        Some(407) => Err(failed("it asks for a user and a password (status 407)".to_owned())),
        Some(status) => Err(failed(format!("status {status}"))),
        None => {
            let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
            let line = String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned();
            Err(failed(format!("its answer is no HTTP: {}", safe_line(&line))))
        }
    }
}

fn status(head: &[u8]) -> Option<u16> {
    let rest = head.strip_prefix(b"HTTP/1.0 ").or_else(|| head.strip_prefix(b"HTTP/1.1 "))?;
    let digits = rest.get(..3).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}
