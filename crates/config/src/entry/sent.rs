//! What a remote server is sent of the environment.

use super::ServerEntry;
use crate::server::variables;

/// Each variable whose value leaves with every request, or with a login to wherever the server says, under the member
/// that takes it.
pub(super) fn sent_variables(entry: &ServerEntry) -> Vec<(String, String)> {
    let mut sent = Vec::new();
    let mut take = |key: &str, text: &str| {
        sent.extend(variables(text).map(|variable| (key.to_owned(), variable.to_owned())));
    };
    if let Some(url) = &entry.url {
        take("url", &url.value);
    }
    for pair in &entry.headers {
        take(&format!("headers.{}", pair.name), pair.value.value.expose());
    }
    for pair in &entry.env_headers {
        sent.push((format!("env_headers.{}", pair.name), pair.value.value.clone()));
    }
    if let Some(variable) = &entry.bearer_token_env_var {
        sent.push(("bearer_token_env_var".to_owned(), variable.value.clone()));
    }
    if let Some(variable) = &entry.oauth_client_secret_env_var {
        sent.push(("oauth.client_secret_env_var".to_owned(), variable.value.clone()));
    }
    sent
}
