//! Calls over HTTP: the same request each time, and as many bytes back as the first time.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use super::calls::BUFFER;
use super::frames;
use crate::arguments::Arguments;
use crate::outcome::{Outcome, Stopwatch};
use crate::sys::{For, Poll};

/// What is sent to whom, and how much comes back.
struct Exchange {
    host: String,
    request: Vec<u8>,
    answer: usize,
}

pub(super) fn one_after_another(arguments: &Arguments, url: &str) -> io::Result<Outcome> {
    let mut buffer = vec![0; BUFFER];
    let (exchange, mut stream) = Exchange::learn(arguments, url, &mut buffer)?;
    for _ in 0..arguments.warmup {
        exchange.once(&mut stream, &mut buffer)?;
    }
    let mut each = Vec::with_capacity(arguments.n);
    let watch = Stopwatch::start();
    for _ in 0..arguments.n {
        let begin = Instant::now();
        exchange.once(&mut stream, &mut buffer)?;
        each.push(begin.elapsed());
    }
    Ok(watch.stop().calls(each))
}

pub(super) fn in_flight(arguments: &Arguments, url: &str) -> io::Result<Outcome> {
    let mut buffer = vec![0; BUFFER];
    let (exchange, _) = Exchange::learn(arguments, url, &mut buffer)?;
    let mut poll = Poll::new()?;
    let mut streams = Vec::new();
    for key in 0..arguments.inflight.min(arguments.n) {
        let stream = exchange.open()?;
        poll.add(&stream, key as u64, For::Reading)?;
        streams.push((stream, 0));
    }
    let watch = Stopwatch::start();
    let (mut sent, mut done) = (streams.len(), 0);
    for (stream, _) in &mut streams {
        stream.write_all(&exchange.request)?;
    }
    while done < arguments.n {
        for key in poll.wait()? {
            let at = usize::try_from(key).expect("it was one");
            let (stream, got) = &mut streams[at];
            *got += read(stream, &mut buffer)?;
            if *got < exchange.answer {
                continue;
            }
            *got -= exchange.answer;
            done += 1;
            if sent < arguments.n {
                stream.write_all(&exchange.request)?;
                sent += 1;
            }
        }
    }
    Ok(watch.stop())
}

impl Exchange {
    /// Makes the first one, to learn how many bytes come back.
    fn learn(arguments: &Arguments, url: &str, buffer: &mut [u8]) -> io::Result<(Self, TcpStream)> {
        let rest = url.strip_prefix("http://").ok_or(ErrorKind::InvalidInput)?;
        let (host, path) = rest.split_once('/').ok_or(ErrorKind::InvalidInput)?;
        let message = frames::call(arguments, 0);
        let head = format!(
            "POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n",
            message.len()
        );
        let request = [head.as_bytes(), &message].concat();
        let mut exchange = Self { host: host.to_owned(), request, answer: 0 };
        let mut stream = exchange.open()?;
        stream.write_all(&exchange.request)?;
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            let count = read(&mut stream, buffer)?;
            answer.extend_from_slice(&buffer[..count]);
        }
        exchange.answer = answer.len();
        Ok((exchange, stream))
    }

    fn open(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect(&self.host)?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    fn once(&self, stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<()> {
        stream.write_all(&self.request)?;
        let mut got = 0;
        while got < self.answer {
            got += read(stream, buffer)?;
        }
        Ok(())
    }
}

fn read(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    match stream.read(buffer)? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        count => Ok(count),
    }
}

/// Whether an answer has come to its end: by its length, or by its last chunk.
fn is_whole(answer: &[u8]) -> bool {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]);
    let length = head.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.split("\r\n").next()?.parse::<usize>().ok());
    match length {
        Some(length) => answer.len() >= end + 4 + length,
        None => answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_whole;

    #[test]
    fn an_answer_ends_by_its_length_or_its_last_chunk() {
        for (answer, whole) in [
            ("HTTP/1.1 200 OK\r\n", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{", false),
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", true),
            ("HTTP/1.1 200 OK\r\n\r\n2\r\n{}\r\n", false),
            ("HTTP/1.1 200 OK\r\n\r\n2\r\n{}\r\n0\r\n\r\n", true),
        ] {
            assert_eq!(is_whole(answer.as_bytes()), whole, "{answer}");
        }
    }
}
