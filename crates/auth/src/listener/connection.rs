//! One connection, one request, one page.

use std::time::Duration;

use codewhale_mcp_redact::Secret;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::head::read;
use super::judge::{Awaited, unread};
use super::page::{refused, unknown};

/// How long a page may take to leave.
const LEAVING: Duration = Duration::from_secs(5);

/// Answers a request that is not waited for, and brings the one that is.
pub(super) async fn serve(mut stream: TcpStream, awaited: &Awaited) -> Option<(Secret<String>, Waiting)> {
    let refusal = match read(&mut stream).await {
        Ok(head) => match awaited.judge(&head) {
            Ok(query) => return Some((query, Waiting(Some(stream)))),
            Err(refusal) => Some(refusal),
        },
        Err(why) => unread(&why),
    };
    if let Some(refusal) = refusal {
        send(stream, &refused(refusal)).await;
    }
    None
}

/// A browser that waits for its page. Dropped, it is told to go back.
#[derive(Debug)]
pub(super) struct Waiting(Option<TcpStream>);

impl Waiting {
    pub(super) async fn show(mut self, page: &str) {
        if let Some(stream) = self.0.take() {
            send(stream, page).await;
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(stream) = &self.0 {
            // A page fits into what the system keeps for a connection.
            let _ = stream.try_write(unknown().as_bytes());
        }
    }
}

/// Sends a page and waits until it was taken: a connection that is closed with something unread takes it back.
async fn send(mut stream: TcpStream, page: &str) {
    let leave = async {
        stream.write_all(page.as_bytes()).await?;
        stream.shutdown().await?;
        let mut rest = [0; 1024];
        while stream.read(&mut rest).await? > 0 {}
        std::io::Result::Ok(())
    };
    let _ = timeout(LEAVING, leave).await;
}
