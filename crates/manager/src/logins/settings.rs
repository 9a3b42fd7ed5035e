//! From a server's definition to what a login is told.

use std::ffi::OsString;

use codewhale_mcp_auth::flow::{Scopes, Settings};
use codewhale_mcp_auth::registration::Preset;
use codewhale_mcp_config::Remote;
use codewhale_mcp_redact::Secret;
use url::Url;

use crate::{Failure, FailureClass, Phase};

/// Our name, as people are shown it where they log in.
const CLIENT_NAME: &str = "codewhale";

/// What a login to a server is told.
///
/// # Errors
/// A variable that is to hold the client's secret and is not set: without it a refresh would be refused, and what is kept
/// be lost.
pub(super) fn settings(
    name: &str,
    url: Url,
    remote: &Remote,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Settings, Failure> {
    let oauth = &remote.oauth;
    let mut settings = Settings::new(oauth.account.as_deref().unwrap_or(name), url, CLIENT_NAME);
    if let Some(id) = &oauth.client_id {
        let secret = match &oauth.client_secret_env_var {
            None => None,
            Some(name) => Some(secret(name, variable(name))?),
        };
        settings.names.preset = Some(Preset { id: id.clone(), secret, ..Preset::default() });
    }
    settings.resource.clone_from(&oauth.resource);
    let scopes: Scopes = oauth.scopes.iter().map(String::as_str).collect();
    settings.scopes = Some(scopes).filter(|scopes| !scopes.is_empty());
    Ok(settings)
}

fn secret(name: &str, value: Option<OsString>) -> Result<Secret<String>, Failure> {
    let missing = |what: &str| {
        let cause = format!("`oauth.client_secret_env_var` names {name}, which {what}");
        Failure::plain(FailureClass::MissingVariable, Phase::Config, cause)
    };
    let value = value.filter(|value| !value.is_empty()).ok_or_else(|| missing("is not set"))?;
    value.into_string().map(Secret::new).map_err(|_| missing("holds no text"))
}
