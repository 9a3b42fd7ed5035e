//! A new session after the server has forgotten the old one: one for all that noticed.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use codewhale_mcp_protocol::{InitializeResult, ReplyError, SetLevelParams, method};
use codewhale_mcp_session::{Budget, More, Pen};
use tokio::sync::watch;

use super::message::{Message, Routed};
use super::post::{greeting, note};
use super::unread::leave;
use crate::event::Event;
use crate::lane::{ExchangeFault, carry_insistently};
use crate::pending::{Pending, Step};
use crate::resources::Uri;
use crate::shared::{Life, Shared};
use crate::state::{Outcome, Wants};

/// A new session that is being asked for: what comes of it, once it is known.
pub(crate) type Renewal = watch::Receiver<Option<Result<(), ExchangeFault>>>;

/// How long a new session may take to be told what the old one knew, before requests go on.
const TELLING: Duration = Duration::from_secs(5);

/// Opens a new session in the place of the one with this number, unless that was done already. It is opened by a task
/// of its own, so that nobody who waits for it can hold up the others.
pub(crate) async fn renew(shared: &Arc<Shared>, lost: u64) -> Result<(), ExchangeFault> {
    let Some(mut renewal) = join(shared, lost) else { return Ok(()) };
    let outcome = renewal.wait_for(Option::is_some).await.map(|outcome| outcome.clone());
    outcome.ok().flatten().unwrap_or_else(|| Err(failed("the connection is over")))
}

fn join(shared: &Arc<Shared>, lost: u64) -> Option<Renewal> {
    let lane = shared.lane();
    let mut known = lane.renewal.lock().unwrap_or_else(PoisonError::into_inner);
    if lane.session().number != lost {
        return None;
    }
    let runs = |renewal: &Renewal| renewal.borrow().is_none() && renewal.has_changed().is_ok();
    if let Some(renewal) = known.as_ref().filter(|renewal| runs(renewal)) {
        return Some(renewal.clone());
    }
    let (tell, renewal) = watch::channel(None);
    *known = Some(renewal.clone());
    let shared = shared.clone();
    tokio::spawn(async move {
        let outcome = tokio::select! {
            outcome = open(&shared) => outcome,
            () = shared.until_over() => Err(failed("the connection is over")),
        };
        tell.send_replace(Some(outcome));
    });
    Some(renewal)
}

fn failed(why: impl ToString) -> ExchangeFault {
    ExchangeFault::SessionLost { renewal: Some(why.to_string()) }
}

async fn open(shared: &Arc<Shared>) -> Result<(), ExchangeFault> {
    let lane = shared.lane();
    let mut pending = initialize(shared).ok_or_else(|| failed("too many requests wait"))?;
    let outcome = loop {
        if let Step::Outcome(outcome) = pending.next().await {
            break outcome;
        }
    };
    let result = match outcome {
        Outcome::Reply(frame, reply) => match reply.decode::<InitializeResult>(&frame) {
            Ok(result) => result,
            Err(ReplyError::Peer(error)) => return Err(failed(error)),
            Err(other) => return Err(failed(other)),
        },
        Outcome::Fault(fault) => return Err(of_renewal(*fault)),
        _ => return Err(failed("initialize was not answered")),
    };
    shared.lock().session.renewed(result).map_err(failed)?;
    let session = lane.offered();
    let mut frame = Vec::new();
    Pen::notification(method::INITIALIZED, &mut frame);
    let posted = note(shared, &Message::note(&frame, shared.revision()), &session).await;
    match greeting(posted.map(|body| leave(lane, body))) {
        Ok(None) => {}
        Ok(Some(fault)) => shared.events.tell(&Event::NotDelivered { fault: Arc::new(fault) }),
        Err(fault) => return Err(of_renewal(fault)),
    }
    lane.adopt(session);
    // What it refuses, or is slow to take, is not missed before something is expected of it.
    let _ = tokio::time::timeout(TELLING, tell_again(shared)).await;
    Ok(())
}

/// A login that is needed stays one.
fn of_renewal(fault: ExchangeFault) -> ExchangeFault {
    match fault {
        ExchangeFault::LoginNeeded { .. } => fault,
        other => failed(other),
    }
}

fn initialize(shared: &Arc<Shared>) -> Option<Pending> {
    let now = shared.now();
    let mut frame = Vec::new();
    let mut state = shared.lock();
    let ticket = state.session.renew(now, &mut frame).ok()?;
    let key = state.add_waiter(ticket, Wants::Answer, None);
    drop(state);
    shared.keeper.notify_one();
    let message = Message::request(frame, method::INITIALIZE, None, Routed::default());
    let pending = Pending::new(shared.clone(), ticket, key, now, false);
    Some(pending.carried(Box::pin(carry_insistently(shared.clone(), ticket, message))))
}

/// What the old session was told, the new one has to be told as well.
async fn tell_again(shared: &Arc<Shared>) {
    let level = shared.lane().log_level.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let watched: Vec<String> = {
        let watched = shared.watched.lock().expect("nothing panics while it holds the lock");
        watched.keys().cloned().collect()
    };
    if let Some(level) = level {
        let params = SetLevelParams { level, ..SetLevelParams::default() };
        tell(shared, method::SET_LEVEL, &params).await;
    }
    for uri in &watched {
        tell(shared, method::RESOURCES_SUBSCRIBE, &Uri { uri }).await;
    }
}

async fn tell(shared: &Arc<Shared>, method: &'static str, params: &impl serde::Serialize) {
    let life = Life::Limited(Budget::total(shared.patience));
    if let Ok(mut pending) =
        shared.submit(method, (params, More::default(), None), life, (Wants::Answer, None))
    {
        while !matches!(pending.next().await, Step::Outcome(_)) {}
    }
}
