//! The bytes of one answer on their way out: in which pieces they leave, and where they are cut off.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};

/// Where the bytes of a chunked body are parted.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Pieces {
    #[default]
    Whole,
    EveryByte,
    /// After each carriage return, so that it comes apart from its line feed.
    AfterReturn,
}

/// The writing side of a connection, for one answer.
pub(crate) struct Wire {
    stream: TcpStream,
    pub(crate) pieces: Pieces,
    /// So many bytes more, then the connection ends.
    pub(crate) cut: Option<usize>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Wire {
        Wire { stream, pieces: Pieces::Whole, cut: None }
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(left) = &mut self.cut else { return self.stream.write_all(bytes) };
        let some = &bytes[..bytes.len().min(*left)];
        *left -= some.len();
        let cut = some.len() < bytes.len();
        self.stream.write_all(some)?;
        if cut { self.hang_up() } else { Ok(()) }
    }

    /// Writes a piece of a chunked body (RFC 9112, 7.1).
    pub(crate) fn chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in pieces(self.pieces, bytes).into_iter().filter(|piece| !piece.is_empty()) {
            let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
            chunk.extend_from_slice(piece);
            chunk.extend_from_slice(b"\r\n");
            self.write(&chunk)?;
        }
        Ok(())
    }

    /// Ends a chunked body.
    pub(crate) fn last_chunk(&mut self) -> io::Result<()> {
        self.write(b"0\r\n\r\n")
    }

    /// Ends the connection, whatever was promised on it.
    pub(crate) fn hang_up(&mut self) -> io::Result<()> {
        // A client that has left already is gone as well.
        let _ = self.stream.shutdown(Shutdown::Both);
        Err(io::ErrorKind::ConnectionAborted.into())
    }
}

fn pieces(way: Pieces, bytes: &[u8]) -> Vec<&[u8]> {
    match way {
        Pieces::Whole => vec![bytes],
        Pieces::EveryByte => bytes.chunks(1).collect(),
        Pieces::AfterReturn => bytes.split_inclusive(|byte| *byte == b'\r').collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_lose_no_byte_and_part_returns_from_line_feeds() {
        let bytes = b"data: {}\r\n\r\n";
        for way in [Pieces::Whole, Pieces::EveryByte, Pieces::AfterReturn] {
            assert_eq!(pieces(way, bytes).concat(), bytes);
        }
        assert!(pieces(Pieces::AfterReturn, bytes).iter().any(|piece| piece.starts_with(b"\n")));
    }
}
