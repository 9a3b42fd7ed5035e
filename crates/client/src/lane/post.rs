//! The task that posts what no caller carries: the handshake, answers and cancellations.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use codewhale_mcp_protocol::{Message as Parsed, method};
use codewhale_mcp_session::Unanswered;
use tokio::task::JoinSet;

use super::endpoint::Session;
use super::message::{Message, Routed};
use super::unread::{beginning, excerpt, leave};
use crate::event::Event;
use crate::lane::{ExchangeFault, carry};
use crate::shared::Shared;

/// The most posts at one time.
const AT_ONCE: usize = 64;
/// How long a server may take to accept an answer or a cancellation.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a closing connection goes on posting.
const LAST_POSTS: Duration = Duration::from_millis(200);

/// Posts until the connection is over.
pub(crate) async fn post(shared: Arc<Shared>) {
    let mut posts = JoinSet::new();
    tokio::select! {
        () = all(&shared, &mut posts) => {}
        () = shared.ended.notified() => {}
    }
    // What is on its way, and what was written last, may still leave.
    let rest = async {
        while let Some(frames) = shared.lock().take_out() {
            begin(&shared, &frames, &mut posts);
        }
        while posts.join_next().await.is_some() {}
    };
    let _ = tokio::time::timeout(LAST_POSTS, rest).await;
}

async fn all(shared: &Arc<Shared>, posts: &mut JoinSet<()>) {
    loop {
        tokio::select! {
            frames = next(shared), if posts.len() < AT_ONCE => match frames {
                Some(frames) => begin(shared, &frames, posts),
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

fn begin(shared: &Arc<Shared>, frames: &[u8], posts: &mut JoinSet<()>) {
    for frame in frames.split_inclusive(|byte| *byte == b'\n') {
        let shared = shared.clone();
        let asking = shared.lock().session.asking();
        match (Parsed::parse(frame), asking) {
            (Ok(Parsed::Request { .. }), Some(asking)) => {
                let method = match asking.step {
                    codewhale_mcp_session::Step::Discover => method::DISCOVER,
                    codewhale_mcp_session::Step::Initialize => method::INITIALIZE,
                };
                let message = Message::request(frame.to_vec(), method, asking.revision, Routed::default());
                posts.spawn(carry(shared, asking.ticket, message));
            }
            (Ok(Parsed::Notification { method, .. }), _) if method == method::INITIALIZED => {
                let message = Message::note(frame, shared.revision());
                let session = shared.lane().offered();
                shared.lane().adopt(session.clone());
                posts.spawn(async move {
                    let posted = note(&shared, &message, &session).await;
                    shared.lane().greeted.send_replace(Some(posted));
                });
            }
            _ => {
                let message = Message::note(frame, shared.revision());
                posts.spawn(async move {
                    let session = shared.lane().session();
                    if let Err(fault) = note(&shared, &message, &session).await {
                        let _ = shared.events.send(Event::NotDelivered { fault: Arc::new(fault) });
                    }
                });
            }
        }
    }
}

/// Posts what has no answer. Any success will do: not every server says 202.
pub(super) async fn note(shared: &Shared, message: &Message, session: &Session) -> Result<(), ExchangeFault> {
    let posted = tokio::time::timeout(PATIENCE, async {
        let mut answer = shared.lane().post_in(message, session).await?;
        let status = answer.status;
        if let 200..300 = status {
            leave(answer.body);
            return Ok(());
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
