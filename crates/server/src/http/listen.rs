//! Connections: taken from a listener, served by the endpoint, and let go.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response, StatusCode, Uri};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use super::body::Body;
use super::endpoint::Endpoint;
use super::options::Options;
use super::refusal::Refusal;
use super::stalled::Stalled;
use crate::Server;

/// How long is waited after the system had no room for a connection.
const PAUSE: Duration = Duration::from_millis(200);
/// The least that the HTTP engine takes as a bound for heads.
const LEAST_HEAD: usize = 8192;

/// Serves until `shutdown` comes; then the server is [ended](Server::end), also for whoever else it serves, and requests
/// that are under way have [`Times::drain`] to come to their end.
///
/// The listener says where: `127.0.0.1` for this machine alone. What else can ask has to be listed in
/// [`Options::hosts`].
///
/// [`Times::drain`]: super::Times::drain
///
/// # Errors
/// When the listener fails for good.
pub async fn listen(
    server: Server,
    options: Options,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(options.limits.connections));
    let drain = options.times.drain;
    let endpoint = Endpoint::new(server, options);
    let (closing, closed) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    let done = loop {
        let accepted = tokio::select! {
            biased;
            () = &mut shutdown => break Ok(()),
            Some(_) = connections.join_next() => continue,
            accepted = accept(&listener, &room) => accepted,
        };
        match accepted {
            Ok((stream, place)) => {
                connections.spawn(connection(endpoint.clone(), stream, place, closed.clone()));
            }
            Err(error) => break Err(error),
        }
    };
    drop(listener);
    endpoint.close();
    closing.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    // Whatever takes longer is dropped with the set.
    let _ = tokio::time::timeout(drain, all).await;
    done
}

/// The next connection, once there is room for one.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let place = room.clone().acquire_owned().await.expect("it is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return Ok((stream, place)),
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) if is_for_want_of_room(&error) => tokio::time::sleep(PAUSE).await,
            Err(error) => return Err(error),
        }
    }
}

/// Whether the connection was gone before it was taken.
fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Whether there are too many open files or too little memory, which passes.
fn is_for_want_of_room(error: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ENOBUFS: i32 = 105;
    error.kind() == io::ErrorKind::OutOfMemory
        || matches!(error.raw_os_error(), Some(ENFILE | EMFILE | ENOBUFS))
}

async fn connection(
    endpoint: Arc<Endpoint>,
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
    mut closed: watch::Receiver<bool>,
) {
    // It only makes small answers slower.
    let _ = stream.set_nodelay(true);
    let options = endpoint.options();
    let (limits, times) = (&options.limits, &options.times);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(times.head)
        .max_headers(limits.headers)
        .max_buf_size(limits.head.max(LEAST_HEAD));
    let io = TokioIo::new(Stalled::new(stream, times.stall));
    let service = service_fn(|request| {
        let endpoint = endpoint.clone();
        async move {
            // The engine looks only between its reads.
            Ok::<_, Infallible>(match head_of(&request) <= endpoint.options().limits.head {
                true => endpoint.answer_at_its_path(request).await,
                false => too_large(&endpoint),
            })
        }
    });
    let mut connection = pin!(http.serve_connection(io, service));
    tokio::select! {
        // A connection that breaks is the client's business.
        _ = &mut connection => return,
        _ = closed.wait_for(|closed| *closed) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// The bytes of a request's head, as it was written without needless spaces.
fn head_of<B>(request: &Request<B>) -> usize {
    let of_uri = |uri: &Uri| {
        let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
        let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
        scheme + authority + uri.path_and_query().map_or(0, |path| path.as_str().len())
    };
    let line = request.method().as_str().len() + of_uri(request.uri()) + "  HTTP/1.1\r\n".len();
    let headers = request.headers().iter();
    let fields = headers.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    line + fields.sum::<usize>() + "\r\n".len()
}

fn too_large(endpoint: &Endpoint) -> Response<Body> {
    let limit = endpoint.options().limits.head;
    let message = format!("the head of a request has at most {limit} bytes");
    Refusal::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, message).answer(None)
}
