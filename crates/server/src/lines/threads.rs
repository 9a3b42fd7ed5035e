//! A connection over what blocks, with a thread for each direction.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::ahead::{Ahead, LOOK};
use super::input::Input;
use super::outbox::Direct;
use super::{Connection, Outbox};
use crate::Server;

/// Serves one client over input and output that block, until it closes its end. Then requests that are not answered may
/// go on for 300 milliseconds, and it is over within a second; a thread that still waits for the client is left to itself.
///
/// Requests are read, and handlers begun, on the thread of the input; whatever waits goes on in this runtime.
///
/// # Errors
/// When the input breaks off, or no thread can be started. An output that nobody reads any more is the end, not an error.
pub async fn serve_blocking<R, W>(server: &Server, input: R, output: W) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let input = Ahead::of(input, server.limits().unread)?;
    let (looked_at, left) = (input.clone(), Leaving(input.clone()));
    let served = serve(server, input, output, None, move || looked_at.is_over()).await;
    drop(left);
    served
}

/// The same with an output that says what it takes at once, and an input that says that its other end is closed.
pub(super) async fn serve<R, W>(
    server: &Server,
    input: R,
    output: W,
    direct: Option<Box<dyn Direct>>,
    hung_up: impl Fn() -> bool + Send + 'static,
) -> io::Result<()>
where
    R: Read + Send + 'static,
    W: Write + Send + 'static,
{
    let outbox = Arc::new(Outbox::new(server.limits().unread, direct));
    let connection = Arc::new(Connection::new(server, Arc::clone(&outbox)));
    let _close = Closing(Arc::clone(&connection));
    let (runtime, limit) = (Handle::current(), server.limits().message);
    let (left, mut leaving) = oneshot::channel();
    let (ended, reading) = oneshot::channel();
    let writer = Writer { output, outbox: Arc::clone(&outbox), runtime: runtime.clone() };
    thread::Builder::new().name("mcp output".into()).spawn(move || {
        writer.run();
        // Nobody waits any more if this took too long.
        let _ = left.send(());
    })?;
    let reader =
        Reader { input, connection: Arc::clone(&connection), outbox: Arc::clone(&outbox), runtime, hung_up };
    thread::Builder::new().name("mcp input".into()).spawn(move || {
        let _ = ended.send(reader.run(limit));
    })?;
    let read = tokio::select! {
        read = reading => read.unwrap_or(Ok(())),
        _ = &mut leaving => return Ok(()),
    };
    connection.finish(leaving).await;
    read
}

struct Writer<W> {
    output: W,
    outbox: Arc<Outbox>,
    runtime: Handle,
}

impl<W: Write> Writer<W> {
    fn run(mut self) {
        while let Some(bytes) = self.runtime.block_on(self.outbox.next()) {
            if self.output.write_all(&bytes).is_err() || self.output.flush().is_err() {
                return self.outbox.close();
            }
            self.outbox.wrote(bytes);
        }
    }
}

struct Reader<R, H> {
    input: R,
    connection: Arc<Connection>,
    outbox: Arc<Outbox>,
    runtime: Handle,
    hung_up: H,
}

impl<R: Read, H: Fn() -> bool> Reader<R, H> {
    fn run(mut self, limit: usize) -> io::Result<()> {
        let runtime = self.runtime.clone();
        let _entered = runtime.enter();
        let (mut input, mut out) = (Input::new(limit), Vec::new());
        loop {
            let count = match self.input.read(input.room()) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if count == 0 {
                self.connection.receive(Ok(input.last()), &mut out);
                self.outbox.append(&mut out);
                return Ok(());
            }
            input.read(count);
            let mut all = false;
            while !all {
                all = input.lines(|line| {
                    self.connection.receive(line, &mut out);
                    self.outbox.has_room_for(out.len())
                });
                self.outbox.append(&mut out);
                while !self.outbox.has_room_for(0) {
                    let waited = self.runtime.block_on(async { timeout(LOOK, self.outbox.room()).await });
                    if waited.is_err() && (self.hung_up)() {
                        return Ok(());
                    }
                }
                if self.outbox.is_closed() {
                    return Ok(());
                }
            }
        }
    }
}

/// Reads no further, however it ends.
struct Leaving(Ahead);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Cancels what is left, however it ends.
struct Closing(Arc<Connection>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}
