//! What a legacy server says of its own accord: on the stream that a GET asks for, or on the one of HTTP+SSE.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codewhale_mcp_transport::{Answer, End, ExchangeError, Frames, Media, Peer};
use tokio::time::Instant;

use super::pause::Pause;
use crate::error::{Gone, LimitFault};
use crate::shared::Shared;

/// A stream that was open for so long was of use.
const LONG: Duration = Duration::from_secs(5);

/// What is known of the stream after one try.
enum Heard {
    /// It may be asked for again, from this event on.
    Ended { last: Option<String>, retry: Option<Duration>, useful: bool },
    /// There is none in this session.
    NotOffered,
}

/// Asks for the stream and asks again when it ends, until the connection is over. A server need not offer one, and a
/// session does not end with it (MCP 2025-11-25, basic/transports, "Listening for Messages from the Server").
pub(crate) async fn hear(shared: Arc<Shared>) {
    tokio::select! {
        () = again_and_again(&shared) => {}
        () = shared.until_over() => {}
    }
}

async fn again_and_again(shared: &Arc<Shared>) {
    let mut sessions = shared.lane().sessions();
    loop {
        sessions.mark_unchanged();
        let next = tokio::select! {
            () = in_one_session(shared) => sessions.changed().await,
            next = sessions.changed() => next,
        };
        if next.is_err() {
            return;
        }
    }
}

async fn in_one_session(shared: &Arc<Shared>) {
    let mut pause = Pause::default();
    let (mut from, mut retry) = (None, None);
    loop {
        match once(shared, from.as_deref()).await {
            Heard::NotOffered => return,
            Heard::Ended { last, retry: asked, useful } => {
                (from, retry) = (last.or(from), asked.or(retry));
                if useful {
                    pause.was_useful();
                }
                let Some(wait) = pause.next(retry) else { return };
                tokio::time::sleep(wait).await;
            }
        }
    }
}

async fn once(shared: &Arc<Shared>, from: Option<&str>) -> Heard {
    let lane = shared.lane();
    let answer = lane.get(&lane.session(), shared.revision(), from).await;
    let opened = opened(answer, lane.limit);
    let open = opened.is_ok().then(|| Open::begin(shared));
    lane.stream_known.send_replace(true);
    let mut frames = match opened {
        Ok(frames) => frames,
        Err(heard) => return heard,
    };
    let begun = Instant::now();
    let mut useful = false;
    let end = loop {
        match frames.next().await {
            Ok(Some(frame)) => {
                useful = true;
                shared.take(None, frame);
            }
            end => break end,
        }
    };
    drop(open);
    // Who says more than it may each time is not heard without end.
    let too_long = matches!(end, Err(ExchangeError::TooLong { .. }));
    let useful = !too_long && (useful || begun.elapsed() >= LONG);
    let last = frames.last_event_id().map(str::to_owned);
    Heard::Ended { last, retry: frames.retry(), useful }
}

fn opened(answer: Result<Answer, ExchangeError>, limit: usize) -> Result<Frames, Heard> {
    let failed = Heard::Ended { last: None, retry: None, useful: false };
    match answer {
        Ok(Answer { status: 200, media: media @ Media::EventStream, body, .. }) => {
            Frames::new(&media, body, limit).map_err(|_| Heard::NotOffered)
        }
        Ok(Answer { status: 408 | 429 | 500.., .. }) => Err(failed),
        Err(ExchangeError::Unreachable { .. } | ExchangeError::Broken(_)) => Err(failed),
        Ok(_) | Err(_) => Err(Heard::NotOffered),
    }
}

/// The stream is open.
struct Open<'a>(&'a Shared);

impl<'a> Open<'a> {
    fn begin(shared: &'a Shared) -> Self {
        shared.heard.store(true, Ordering::Relaxed);
        Self(shared)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.heard.store(false, Ordering::Relaxed);
    }
}

/// Reads the stream on which a server of the HTTP+SSE transport says everything. Its end is the connection's.
pub(crate) async fn hear_all(shared: Arc<Shared>, mut stream: Frames, peer: Arc<dyn Peer>) {
    let fault = tokio::select! {
        fault = to_the_end(&shared, &mut stream) => fault,
        () = shared.until_over() => None,
    };
    shared.close(Gone { end: End::Closed, fault, last_words: peer.last_words() });
}

async fn to_the_end(shared: &Arc<Shared>, stream: &mut Frames) -> Option<LimitFault> {
    loop {
        match stream.next().await {
            Ok(Some(frame)) => {
                shared.take(None, frame);
            }
            Err(ExchangeError::TooLong { limit, .. }) => {
                return Some(codewhale_mcp_protocol::LineTooLong { limit }.into());
            }
            Ok(None) | Err(_) => return None,
        }
    }
}
