//! What is known of servers that were not started.

use std::sync::Arc;

use super::handle::Fleet;
use super::member::Hint;

impl Fleet {
    /// Recalls what earlier runs found out about servers that were not started yet, so that their tools can be found
    /// and called by name. It is looked up once for each definition.
    pub async fn recall(&self) {
        let servers: Vec<_> = {
            let held = self.lock();
            let not_looked = |name: &String| {
                let member = held.members.get(name)?;
                let wants = matches!(member.hint, Hint::NotLooked) && member.may_be_hinted();
                let server = member.server().filter(|_| wants)?;
                Some((name.clone(), server.clone()))
            };
            held.order.iter().filter_map(not_looked).collect()
        };
        for (name, server) in servers {
            let known = self.manager().recall(&server).await.list.map(Arc::new);
            let mut held = self.lock();
            let Some(member) = held.members.get_mut(&name) else { continue };
            if member.server().is_some_and(|now| Arc::ptr_eq(now, &server)) {
                member.hint = Hint::Looked(known);
                held.forget_tools();
            }
        }
    }
}
