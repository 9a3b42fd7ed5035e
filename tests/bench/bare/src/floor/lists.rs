//! Tools of one server, and of many at once.

use std::io::{self, Write};

use super::calls::BUFFER;
use super::child::Server;
use super::frames::{INITIALIZE, INITIALIZED, list};
use crate::arguments::Arguments;
use crate::outcome::{Outcome, Stopwatch};

/// How a page's line ends when there is another.
const NEXT: &[u8] = br#","nextCursor":""#;

pub(super) fn of_one(arguments: &Arguments) -> io::Result<Outcome> {
    let mut buffer = vec![0; BUFFER];
    let mut server = Server::connect(&arguments.server, &mut buffer)?;
    let watch = Stopwatch::start();
    let mut cursor = None;
    loop {
        server.input.write_all(list(cursor.as_deref()).as_bytes())?;
        cursor = next(&server.read_tail(&mut buffer)?);
        if cursor.is_none() {
            break;
        }
    }
    let outcome = watch.stop();
    server.finish()?;
    Ok(outcome)
}

pub(super) fn of_many(arguments: &Arguments) -> io::Result<Outcome> {
    let mut buffer = vec![0; BUFFER];
    let wish = [INITIALIZED, &list(None)].concat();
    let watch = Stopwatch::start();
    let mut servers = Vec::with_capacity(arguments.servers);
    for _ in 0..arguments.servers {
        let mut server = Server::start(&arguments.server)?;
        server.input.write_all(INITIALIZE.as_bytes())?;
        servers.push(server);
    }
    for server in &mut servers {
        server.read_line(&mut buffer)?;
        server.input.write_all(wish.as_bytes())?;
    }
    for server in &mut servers {
        server.read_line(&mut buffer)?;
    }
    let outcome = watch.stop();
    servers.into_iter().try_for_each(Server::finish)?;
    Ok(outcome)
}

/// The cursor in the last bytes of a page.
fn next(tail: &[u8]) -> Option<String> {
    let at = tail.windows(NEXT.len()).position(|window| window == NEXT)? + NEXT.len();
    let length = tail[at..].iter().position(|byte| *byte == b'"')?;
    Some(String::from_utf8_lossy(&tail[at..at + length]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn the_next_page_is_named_at_the_end_of_one() {
        assert_eq!(next(br#"{"x":1}],"nextCursor":"12"}}"#).as_deref(), Some("12"));
        assert_eq!(next(br#"{"x":1}]}}"#), None);
    }
}
