//! What is said on the side of servers that cannot be used, where no messages tell of them.

use codewhale_mcp_manager::{ServerState, ServerStatus};

use super::run::Session;

impl Session {
    /// Says of each server that cannot be used why, once. One that fails the prompt is named by its result.
    pub(super) fn tell_troubles(&mut self) {
        if !self.setup.asked.print || self.out.has_messages() {
            return;
        }
        for status in self.fleet.statuses() {
            let is_well = matches!(
                status.state,
                ServerState::Disabled
                    | ServerState::Configured
                    | ServerState::Connecting
                    | ServerState::Ready
            );
            if !is_well && !status.fails_the_turn() && self.troubled.insert(status.name.clone()) {
                self.tell_trouble(&status);
            }
        }
    }

    fn tell_trouble(&self, status: &ServerStatus) {
        let stderr = status.trouble.as_ref().map(|trouble| &*trouble.stderr).unwrap_or_default();
        let more = match stderr.is_empty() || self.setup.asked.verbose {
            true => "",
            false => " (-v shows what it wrote)",
        };
        (self.setup.talk)(&format!("{}{more}", status.in_words()));
        if self.setup.asked.verbose {
            stderr
                .iter()
                .for_each(|line| (self.setup.talk)(&format!("server `{}` wrote: {line}", status.name)));
        }
    }
}
