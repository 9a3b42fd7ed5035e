//! A connection over asynchronous streams.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::input::Input;
use super::{Connection, Outbox};
use crate::Server;

/// Serves one client over two streams of lines, until it closes its end. Then requests that are not answered may go on
/// for 300 milliseconds, and it is over within a second.
///
/// # Errors
/// When the input breaks off. An output that nobody reads any more is the end, not an error.
pub async fn serve_lines<R, W>(server: &Server, mut reader: R, mut writer: W) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let outbox = Arc::new(Outbox::new(server.limits().unread, None));
    let connection = Connection::new(server, Arc::clone(&outbox));
    let _close = Closing(&connection);
    let reading = read(&mut reader, &connection, &outbox, server.limits().message);
    let writing = async {
        while let Some(bytes) = outbox.next().await {
            if writer.write_all(&bytes).await.is_err() || writer.flush().await.is_err() {
                outbox.close();
                return;
            }
            outbox.wrote(bytes);
        }
        // Whoever left does not care.
        let _ = writer.shutdown().await;
    };
    tokio::pin!(reading, writing);
    tokio::select! {
        read = &mut reading => {
            connection.finish(writing).await;
            read
        }
        () = &mut writing => Ok(()),
    }
}

async fn read<R: AsyncRead + Unpin>(
    reader: &mut R,
    connection: &Connection,
    outbox: &Outbox,
    limit: usize,
) -> io::Result<()> {
    let (mut input, mut out) = (Input::new(limit), Vec::new());
    loop {
        let count = reader.read(input.room()).await?;
        if count == 0 {
            connection.receive(Ok(input.last()), &mut out);
            outbox.append(&mut out);
            return Ok(());
        }
        input.read(count);
        let mut all = false;
        while !all {
            all = input.lines(|line| {
                connection.receive(line, &mut out);
                outbox.has_room_for(out.len())
            });
            outbox.append(&mut out);
            if outbox.room().await.is_err() {
                return Ok(());
            }
        }
    }
}

/// Cancels what is left, however it ends.
struct Closing<'a>(&'a Connection);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
