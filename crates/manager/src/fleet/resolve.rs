//! From the name that a model knows a tool by to the tool.

use std::time::Duration;

use tokio::time::timeout;

use super::error::FleetError;
use super::handle::Fleet;
use super::tool_set::OfferedTool;
use crate::scope::{Scope, prefix};
use crate::suggest;
use crate::supervisor::{Fact, ServerState};

impl Fleet {
    /// The tool that goes by a name, as its server has it now. Where that is not known yet, the servers that may have
    /// it are started and waited for, `patience` at most, as far as the scope admits them.
    ///
    /// # Errors
    /// Why the only server that may have it cannot be used; [`FleetError::NameUnknown`] where nobody has such a tool.
    pub async fn resolve(
        &self,
        name: &str,
        scope: &Scope,
        patience: Duration,
    ) -> Result<OfferedTool, FleetError> {
        let said = |fleet: &Self| fleet.tools().tool(name).filter(|tool| tool.is_said()).cloned();
        if let Some(tool) = said(self) {
            return Ok(tool);
        }
        self.recall().await;
        let meant = self.who_may_have(name, scope);
        for server in &meant {
            self.tell(server, Fact::Wanted);
        }
        let settled = async {
            for server in &meant {
                self.settling(server).await;
            }
        };
        let _ = timeout(patience, settled).await;
        if let Some(tool) = said(self) {
            return Ok(tool);
        }
        if let [server] = &meant[..]
            && let Err(error) = self.tools_of(server)
        {
            return Err(error);
        }
        let tools = self.tools();
        let names = tools.said().filter(|tool| scope.admits(&tool.id, &tool.name));
        let similar = suggest(name, names.map(|tool| tool.name.as_str()));
        let similar = similar.into_iter().map(str::to_owned).collect();
        Err(FleetError::NameUnknown { name: name.to_owned(), similar })
    }

    /// The servers that are not up and may have a tool of this name: the one that had it, else those whose tools' names
    /// begin so.
    fn who_may_have(&self, name: &str, scope: &Scope) -> Vec<String> {
        if let Some(tool) = self.tools().tool(name) {
            return vec![tool.id.server.clone()]
                .into_iter()
                .filter(|name| scope.admits_server(name))
                .collect();
        }
        let held = self.lock();
        let may = |server: &&String| {
            let state = held.members.get(*server).map(|member| member.life.state());
            state.is_some_and(|state| !state.is_alive() && state != ServerState::Disabled)
                && name.starts_with(&prefix(server))
                && scope.admits_server(server)
        };
        held.order.iter().filter(may).cloned().collect()
    }
}
