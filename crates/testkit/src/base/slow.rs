//! The tool that takes its time, tells of its progress and stops when it is cancelled.

use super::tools::{Call, Done};
use crate::json::text_block;
use std::collections::HashMap;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The running calls that can be cancelled, by their raw id.
#[derive(Clone, Default)]
pub(crate) struct Cancels(Arc<Mutex<HashMap<String, SyncSender<()>>>>);

impl Cancels {
    pub(crate) fn cancel(&self, id: &str) {
        // Dropping the sender is the signal.
        self.0.lock().expect("no holder panics").remove(id);
    }
}

/// `ms` in all, a progress notification every `every` ms.
pub(super) fn slow(call: &Call<'_>) -> Done {
    let total = call.arguments.count("ms").unwrap_or(1000);
    let every = call.arguments.count("every").unwrap_or(100).max(1);
    let (sender, cancelled) = sync_channel(1);
    call.cancels.0.lock().expect("no holder panics").insert(call.id.to_owned(), sender);
    let (id, out, cancels) = (call.id.to_owned(), call.out.clone(), call.cancels.clone());
    let token = call.progress_token.clone();
    Done::Later(Box::new(move || {
        let (begin, steps) = (Instant::now(), total.div_ceil(every));
        for step in 1..=steps {
            let due = begin + Duration::from_millis((step * every).min(total));
            let wait = due.saturating_duration_since(Instant::now());
            if cancelled.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected) {
                crate::complain(&format!("cancelled {id}"));
                return None;
            }
            if let Some(token) = &token {
                out.message(progress(token, step, steps));
            }
        }
        cancels.cancel(&id);
        Some(format!(r#""content":[{}]"#, text_block(&format!("done after {total} ms"))))
    }))
}

/// A progress notification with every member.
pub(crate) fn progress(token: &str, step: u64, total: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":{step},"total":{total},"message":"step {step} of {total}"}}}}"#
    )
}
