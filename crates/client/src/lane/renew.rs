//! A new session after the server has forgotten the old one: one for all that noticed.

use std::sync::{Arc, PoisonError};

use codewhale_mcp_protocol::{InitializeResult, ReplyError, SetLevelParams, method};
use codewhale_mcp_session::{Budget, More, Pen};

use super::message::{Message, Routed};
use super::post::note;
use crate::lane::{ExchangeFault, carry};
use crate::pending::{Pending, Step};
use crate::resources::Uri;
use crate::shared::{Life, Shared};
use crate::state::{Outcome, Wants};

/// Opens a new session in the place of the one with this number, unless somebody has done so already.
pub(crate) async fn renew(shared: &Arc<Shared>, lost: u64) -> Result<(), ExchangeFault> {
    let lane = shared.lane();
    let _turn = lane.renewing.lock().await;
    if lane.session().number != lost {
        return Ok(());
    }
    let failed = |why: String| ExchangeFault::SessionLost { renewal: Some(why) };
    let mut pending = initialize(shared).ok_or_else(|| failed("too many requests wait".into()))?;
    let outcome = loop {
        if let Step::Outcome(outcome) = pending.next().await {
            break outcome;
        }
    };
    let result = match outcome {
        Outcome::Reply(frame, reply) => match reply.decode::<InitializeResult>(&frame) {
            Ok(result) => result,
            Err(ReplyError::Peer(error)) => return Err(failed(error.to_string())),
            Err(other) => return Err(failed(other.to_string())),
        },
        Outcome::Fault(fault) => return Err(failed(fault.to_string())),
        _ => return Err(failed("initialize was not answered".into())),
    };
    shared.lock().session.renewed(result).map_err(|error| failed(error.to_string()))?;
    let mut frame = Vec::new();
    Pen::notification(method::INITIALIZED, &mut frame);
    note(shared, &Message::note(&frame, shared.revision())).await?;
    lane.renewed.notify_waiters();
    tell_again(shared).await;
    Ok(())
}

fn initialize(shared: &Arc<Shared>) -> Option<Pending> {
    let now = shared.now();
    let mut frame = Vec::new();
    let mut state = shared.lock();
    let ticket = state.session.renew(now, &mut frame).ok()?;
    let key = state.add_waiter(ticket, Wants::Answer);
    drop(state);
    shared.keeper.notify_one();
    let message = Message::request(frame, method::INITIALIZE, None, Routed::default());
    let pending = Pending::new(shared.clone(), ticket, key, now);
    Some(pending.carried(Box::pin(carry(shared.clone(), ticket, message))))
}

/// What the old session was told, the new one has to be told as well. What it refuses is not missed before something
/// is expected of it.
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
    if let Ok(mut pending) = shared.submit(method, (params, More::default(), None), life, Wants::Answer) {
        while !matches!(pending.next().await, Step::Outcome(_)) {}
    }
}
