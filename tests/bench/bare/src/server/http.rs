//! Messages over HTTP/1.1 on connections that stay, all in one thread.

use std::collections::HashMap;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use super::answer::Answers;
use super::exchange::exchange;
use super::inbox::Inbox;
use crate::sys::{For, Poll};

/// How a message is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As the whole body.
    Json,
    /// As the one event of a stream.
    Sse,
}

impl Way {
    /// What stands before the message.
    pub(super) fn before(self) -> &'static [u8] {
        match self {
            Self::Json => b"",
            Self::Sse => b"event: message\ndata: ",
        }
    }
}

/// Connections have keys from one on.
const LISTENER: u64 = 0;

#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    inbox: Inbox,
    out: Vec<u8>,
    sent: usize,
    waits_for: For,
}

/// Serves for good on a port of this machine; zero is any that is free. Prints `PORT n`.
pub(super) fn serve(answers: &Answers, port: u16, way: Way) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    writeln!(io::stdout(), "PORT {}", listener.local_addr()?.port())?;
    io::stdout().flush()?;
    let mut poll = Poll::new()?;
    poll.add(&listener, LISTENER, For::Reading)?;
    let mut connections: HashMap<u64, Connection> = HashMap::new();
    let mut accepted = 0;
    loop {
        let ready: Vec<u64> = poll.wait()?.collect();
        for key in ready {
            if key == LISTENER {
                while let Ok((stream, _)) = listener.accept() {
                    accepted += 1;
                    let connection = Connection::new(stream)?;
                    poll.add(&connection.stream, accepted, For::Reading)?;
                    connections.insert(accepted, connection);
                }
                continue;
            }
            let Some(connection) = connections.get_mut(&key) else { continue };
            let count = usize::try_from(accepted).expect("so many connections fit");
            let alive = connection.read(|inbox, out| exchange(answers, way, count, inbox, out));
            if alive.and_then(|()| connection.write(&poll, key)).is_err() {
                connections.remove(&key);
            }
        }
    }
}

impl Connection {
    fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let (inbox, out) = (Inbox::default(), Vec::new());
        Ok(Self { stream, inbox, out, sent: 0, waits_for: For::Reading })
    }

    /// Reads once, since whoever has more is ready again, and answers what has come.
    fn read(&mut self, mut answer: impl FnMut(&[u8], &mut Vec<u8>) -> Option<usize>) -> io::Result<()> {
        match self.inbox.fill(&self.stream) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(error) => return Err(error),
        }
        let mut used = 0;
        while let Some(more) = answer(&self.inbox.unused()[used..], &mut self.out) {
            used += more;
        }
        self.inbox.used(used);
        Ok(())
    }

    /// Writes as much as there is room for.
    fn write(&mut self, poll: &Poll, key: u64) -> io::Result<()> {
        while self.sent < self.out.len() {
            match (&self.stream).write(&self.out[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return self.wait_for(For::Both, poll, key);
                }
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.sent = 0;
        self.wait_for(For::Reading, poll, key)
    }

    fn wait_for(&mut self, what: For, poll: &Poll, key: u64) -> io::Result<()> {
        if self.waits_for != what {
            poll.change(&self.stream, key, what)?;
            self.waits_for = what;
        }
        Ok(())
    }
}
