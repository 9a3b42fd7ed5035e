//! What the server tells meanwhile, and what is said of it.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};

/// Which call a progress belongs to.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<HashMap<String, u64>>>);

impl Told {
    pub fn hear(&self, token: &ProgressToken, call: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(json!(token).to_string(), call);
    }
}

impl ClientHandler for Told {
    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let said = json!(params);
        let token = said["progressToken"].to_string();
        let call = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&token).copied();
        if let Some(id) = call {
            say(&json!({ "id": id, "progress": said }));
        }
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        say(&json!({ "message": params }));
    }
}

/// One line.
pub fn say(line: &Value) {
    // Whoever does not read it is gone.
    let _ = writeln!(std::io::stdout(), "{line}");
}
