//! The task that posts what no caller carries: the handshake, answers and cancellations.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use codewhale_mcp_protocol::{Message as Parsed, method};
use codewhale_mcp_session::{Step, Unanswered};
use codewhale_mcp_transport::{Body, ExchangeError};
use tokio::task::JoinSet;

use super::endpoint::Session;
use super::message::{Message, Routed};
use super::unread::{beginning, excerpt};
use crate::event::Event;
use crate::lane::{ExchangeFault, carry_insistently};
use crate::shared::Shared;

/// The most posts at one time.
const AT_ONCE: usize = 64;
/// How long a server may take to accept an answer or a cancellation.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a closing connection goes on posting.
const LAST_POSTS: Duration = Duration::from_millis(200);

/// Posts until the connection is over.
pub(crate) async fn post(shared: Arc<Shared>) {
    let (mut posts, mut waiting) = (JoinSet::new(), VecDeque::new());
    tokio::select! {
        () = all(&shared, &mut posts, &mut waiting) => {}
        () = shared.ended.notified() => {}
    }
    // What is on its way, and what was written last, may still leave.
    let rest = async {
        all(&shared, &mut posts, &mut waiting).await;
        while posts.join_next().await.is_some() {}
    };
    let _ = tokio::time::timeout(LAST_POSTS, rest).await;
    shared.lane().posted.send_replace(true);
}

/// Posts what has to leave until there will be no more of it. `waiting` are frames that found no place yet.
async fn all(shared: &Arc<Shared>, posts: &mut JoinSet<()>, waiting: &mut VecDeque<Vec<u8>>) {
    loop {
        while posts.len() < AT_ONCE
            && let Some(frame) = waiting.pop_front()
        {
            begin(shared, &frame, posts);
        }
        tokio::select! {
            frames = next(shared), if waiting.is_empty() => match frames {
                Some(frames) => {
                    waiting.extend(frames.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec));
                }
                None => return,
            },
            Some(_) = posts.join_next() => {}
        }
    }
}

/// Whole frames that have to leave, or `None` at the end.
async fn next(shared: &Shared) -> Option<Vec<u8>> {
    poll_fn(|context| {
        let mut state = shared.lock();
        let mut buffer = Vec::new();
        match state.next_write(&mut buffer, context.waker()) {
            Some(_) => Poll::Ready(Some(buffer)),
            None if state.gone.is_some() || state.closing => Poll::Ready(None),
            None => Poll::Pending,
        }
    })
    .await
}

fn begin(shared: &Arc<Shared>, frame: &[u8], posts: &mut JoinSet<()>) {
    let shared = shared.clone();
    let asking = shared.lock().session.asking();
    match (Parsed::parse(frame), asking) {
        (Ok(Parsed::Request { .. }), Some(asking)) => {
            let method = match asking.step {
                Step::Discover => method::DISCOVER,
                Step::Initialize => method::INITIALIZE,
            };
            let message = Message::request(frame.to_vec(), method, asking.revision, Routed::default());
            posts.spawn(carry_insistently(shared, asking.ticket, message));
        }
        (Ok(Parsed::Notification { method, .. }), _) if method == method::INITIALIZED => {
            let message = Message::note(frame, shared.revision());
            let session = shared.lane().offered();
            shared.lane().adopt(session.clone());
            posts.spawn(async move {
                let (posted, body) = apart(note(&shared, &message, &session).await);
                shared.lane().greeted.send_replace(Some(posted));
                read_out(body).await;
            });
        }
        _ => {
            let message = Message::note(frame, shared.revision());
            posts.spawn(async move {
                let session = shared.lane().session();
                let (posted, body) = apart(note(&shared, &message, &session).await);
                if let Err(fault) = posted {
                    shared.events.tell(&Event::NotDelivered { fault: Arc::new(fault) });
                }
                read_out(body).await;
            });
        }
    }
}

type Taken = Box<dyn Body>;

fn apart(posted: Result<Taken, ExchangeFault>) -> (Result<(), ExchangeFault>, Option<Taken>) {
    match posted {
        Ok(body) => (Ok(()), Some(body)),
        Err(fault) => (Err(fault), None),
    }
}

/// Keeps the place of a post until its connection can be used again, or is given up.
async fn read_out(body: Option<Taken>) {
    if let Some(mut body) = body {
        beginning(&mut *body).await;
    }
}

/// Posts what has no answer. Any success will do: not every server says 202. Its body says nothing.
pub(super) async fn note(
    shared: &Shared,
    message: &Message,
    session: &Session,
) -> Result<Taken, ExchangeFault> {
    let posted = tokio::time::timeout(PATIENCE, async {
        let mut answer = match shared.lane().post_in(message, session).await {
            // The server has closed a connection that it seemed to keep. To be told twice does not harm it.
            Err(ExchangeError::Broken(_)) => shared.lane().post_in(message, session).await?,
            answer => answer?,
        };
        let status = answer.status;
        if let 200..300 = status {
            return Ok(answer.body);
        }
        if status == 401 {
            return Err(ExchangeFault::LoginNeeded { challenges: answer.challenges });
        }
        let body = beginning(&mut *answer.body).await;
        let (error, said) = match Parsed::parse(&body) {
            Ok(Parsed::Error { error, .. }) => (serde_json::from_str(error.get()).ok(), None),
            _ => (None, excerpt(&body)),
        };
        let found = Unanswered { status, error, said };
        Err(ExchangeFault::Refused { found, retry_after: answer.retry_after })
    });
    posted.await.unwrap_or(Err(ExchangeFault::Lost { resumed: 0 }))
}

/// What the answer to `notifications/initialized` means: a server that does not like this message may like the next
/// one, but one that was not reached or wants a login does not.
pub(crate) fn greeting(posted: Result<(), ExchangeFault>) -> Result<Option<ExchangeFault>, ExchangeFault> {
    match posted {
        Ok(()) => Ok(None),
        Err(fault @ (ExchangeFault::LoginNeeded { .. } | ExchangeFault::Failed(_))) => Err(fault),
        Err(fault) => Ok(Some(fault)),
    }
}
