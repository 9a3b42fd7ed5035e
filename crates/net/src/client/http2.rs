//! HTTP/2: one connection for many exchanges, in a task of its own.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::rt::Executor as _;
use hyper_util::rt::{TokioIo, TokioTimer};

use super::dial::Stream;
use super::failure::HEAD_LIMIT;
use super::tasks::{Spawner, Tasks};

/// How long nothing comes on a connection before it is asked whether it is still there, and how long that may take.
/// HTTP/1 needs none of it: who gives up a request gives up its connection.
const PING: Duration = Duration::from_secs(30);
const PONG: Duration = Duration::from_secs(20);

/// Begins a connection, and waits until it can be used.
pub(super) async fn begin(
    stream: Box<dyn Stream>,
    tasks: &Arc<Tasks>,
) -> hyper::Result<SendRequest<Full<Bytes>>> {
    let spawner = Spawner(Arc::clone(tasks));
    let (mut sender, connection) = Builder::new(spawner.clone())
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .keep_alive_timeout(PONG)
        // Otherwise a stream that outlives its connection's place in the pool counts as idle, too.
        .keep_alive_while_idle(true)
        .max_header_list_size(u32::try_from(HEAD_LIMIT).expect("it is small"))
        .handshake(TokioIo::new(stream))
        .await?;
    spawner.execute(connection);
    sender.ready().await?;
    Ok(sender)
}
