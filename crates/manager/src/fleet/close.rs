//! The end.

use super::handle::Fleet;
use crate::supervisor::Fact;

impl Fleet {
    /// Ends everything: requests are given up and cancelled, connections close, processes are taken down their ladder,
    /// all at the same time, and the manager shuts down. Listeners hear no more. Nothing starts any more.
    pub async fn shutdown(&self) {
        let mut tasks = {
            let mut held = self.lock();
            let held = &mut *held;
            held.listeners = None;
            for name in &held.order.clone() {
                let state = held.members.get(name).map(|member| member.life.state());
                if state.is_some_and(|state| state.is_alive() || !state.is_settled()) {
                    held.tell(self, name, Fact::Reset, |_| {});
                }
            }
            held.is_closing = true;
            std::mem::take(&mut held.tasks)
        };
        while tasks.join_next().await.is_some() {}
        self.manager().shutdown().await;
    }
}
