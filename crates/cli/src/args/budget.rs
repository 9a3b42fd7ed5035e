//! How long a server may take to become usable, for this run.

use std::time::Duration;

use clap::Args;
use codewhale_mcp_config::Server;

use super::edit::seconds;

/// Budgets that stand in the place of the definition's.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct BudgetArgs {
    /// Seconds for start, handshake and first list, instead of the definition's
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) connect_timeout: Option<f64>,
    /// Seconds for each reply during handshake and lists, instead of the definition's
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) read_timeout: Option<f64>,
}

impl BudgetArgs {
    pub(crate) fn apply(&self, server: &mut Server) {
        if let Some(connect) = self.connect_timeout {
            server.timeouts.connect.value = Duration::from_secs_f64(connect);
        }
        if let Some(read) = self.read_timeout {
            server.timeouts.read.value = Duration::from_secs_f64(read);
        }
    }
}
