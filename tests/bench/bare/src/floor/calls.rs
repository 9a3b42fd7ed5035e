//! Calls over a pipe.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Instant;

use super::child::Server;
use super::frames;
use crate::arguments::Arguments;
use crate::outcome::{Outcome, Stopwatch};
use crate::sys::{For, Poll, find, never_waits};

/// More than a pipe holds.
pub(super) const BUFFER: usize = 1 << 20;
/// At least so much is ready to be written at once.
const READY: usize = 128 << 10;

pub(super) fn one_after_another(arguments: &Arguments) -> io::Result<Outcome> {
    let mut buffer = vec![0; BUFFER];
    let mut server = Server::connect(&arguments.server, &mut buffer)?;
    let call = frames::call(arguments, 0);
    for _ in 0..arguments.warmup {
        server.input.write_all(&call)?;
        server.read_line(&mut buffer)?;
    }
    let mut each = Vec::with_capacity(arguments.n);
    let before = server.cpu();
    let watch = Stopwatch::start();
    for _ in 0..arguments.n {
        let begin = Instant::now();
        server.input.write_all(&call)?;
        server.read_line(&mut buffer)?;
        each.push(begin.elapsed());
    }
    let outcome = watch.stop().calls(each).server_cpu(server.cpu().saturating_sub(before));
    server.finish()?;
    Ok(outcome)
}

pub(super) fn in_flight(arguments: &Arguments) -> io::Result<Outcome> {
    const INPUT: u64 = 0;
    const OUTPUT: u64 = 1;
    let mut buffer = vec![0; BUFFER];
    let mut server = Server::connect(&arguments.server, &mut buffer)?;
    let length = frames::call(arguments, 0).len();
    // No two that are in flight have the same id.
    let count = (READY / length + 1).max(2 * arguments.inflight);
    let ready: Vec<u8> = (0..count).flat_map(|id| frames::call(arguments, id)).collect();
    never_waits(&server.input)?;
    never_waits(&server.output)?;
    let mut poll = Poll::new()?;
    poll.add(&server.output, OUTPUT, For::Reading)?;
    poll.add(&server.input, INPUT, For::Nothing)?;
    let before = server.cpu();
    let watch = Stopwatch::start();
    let (mut done, mut sent, mut waits_for) = (0, 0, For::Nothing);
    while done < arguments.n {
        let most = (done + arguments.inflight).min(arguments.n) * length;
        let mut wants = For::Nothing;
        while sent < most {
            let at = sent % ready.len();
            let end = ready.len().min(at + most - sent);
            match server.input.write(&ready[at..end]) {
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    wants = For::Writing;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        if wants != waits_for {
            poll.change(&server.input, INPUT, wants)?;
            waits_for = wants;
        }
        if poll.wait()?.any(|key| key == OUTPUT) {
            let count = server.output.read(&mut buffer)?;
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            done += lines(&buffer[..count]);
        }
    }
    let outcome = watch.stop().server_cpu(server.cpu().saturating_sub(before));
    server.finish()?;
    Ok(outcome)
}

fn lines(mut bytes: &[u8]) -> usize {
    let mut count = 0;
    while let Some(at) = find(bytes, b'\n') {
        bytes = &bytes[at + 1..];
        count += 1;
    }
    count
}
