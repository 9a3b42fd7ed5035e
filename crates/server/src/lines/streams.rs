//! A connection over asynchronous streams.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::sleep;

use super::ahead::LOOK;
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
    let (mut input, mut out, mut over) = (Input::new(limit), Vec::new(), false);
    loop {
        let count = if over { 0 } else { reader.read(input.room()).await? };
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
            if !room(reader, &mut input, outbox, &mut over).await? {
                return Ok(());
            }
        }
    }
}

/// Waits for room, and reads on meanwhile as far as that is little: a client that has closed its end and takes nothing is
/// not waited for. Whether there is room.
async fn room<R: AsyncRead + Unpin>(
    reader: &mut R,
    input: &mut Input,
    outbox: &Outbox,
    over: &mut bool,
) -> io::Result<bool> {
    while !outbox.has_room_for(0) {
        tokio::select! {
            biased;
            room = outbox.room() => return Ok(room.is_ok()),
            count = reader.read(input.room()), if !*over && input.unread() < outbox.limit() / 2 => match count? {
                0 => *over = true,
                count => input.read(count),
            },
            () = sleep(LOOK), if *over => return Ok(false),
        }
    }
    Ok(!outbox.is_closed())
}

/// Cancels what is left, however it ends.
struct Closing<'a>(&'a Connection);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
