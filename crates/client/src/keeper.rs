//! The task that keeps time, and notices a peer that is gone although its stream is still open.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_transport::{End, Peer};
use tokio::time::sleep_until;

use crate::error::Gone;
use crate::shared::Shared;
use crate::state::Effects;

/// How long a peer's last bytes are waited for once it is gone. Its stream may be held open by a process that
/// it started.
const GRACE: Duration = Duration::from_secs(1);

/// Keeps time until the connection is over.
pub(crate) async fn keep(shared: Arc<Shared>, peer: Arc<dyn Peer>) {
    tokio::select! {
        () = keep_time(&shared) => {}
        end = outlive(&peer) => {
            shared.close(Gone { end, fault: None, last_words: peer.last_words() });
        }
    }
}

async fn outlive(peer: &Arc<dyn Peer>) -> End {
    let end = peer.gone().await;
    tokio::time::sleep(GRACE).await;
    end
}

async fn keep_time(shared: &Arc<Shared>) {
    let mut effects = Effects::default();
    loop {
        let (deadline, over) = {
            let mut state = shared.lock();
            state.armed = state.session.next_deadline();
            (state.armed, state.gone.is_some())
        };
        if over {
            return;
        }
        let due = async {
            match deadline.and_then(|time| shared.instant(time)) {
                Some(moment) => sleep_until(moment).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            () = shared.keeper.notified() => continue,
        }
        let now = shared.now();
        while shared.lock().expire(now, &mut effects) {}
        shared.fire(&mut effects);
    }
}
