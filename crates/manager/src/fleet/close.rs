//! The end.

use super::handle::Fleet;

impl Fleet {
    /// Ends everything: requests are given up and cancelled, connections close, processes are taken down their ladder,
    /// all at the same time, and the manager shuts down. Listeners hear no more. Nothing starts any more.
    pub async fn shutdown(&self) {
        let mut tasks = {
            let mut held = self.lock();
            held.is_closing = true;
            for member in held.members.values_mut() {
                member.stop();
                member.timer = None;
                member.changed.send_replace(());
            }
            std::mem::take(&mut held.tasks)
        };
        while tasks.join_next().await.is_some() {}
        self.lock().listeners = None;
        self.manager().shutdown().await;
    }
}
