//! How things are with a login, as it is shown. Nobody is asked, and no keyring is opened.

use std::time::SystemTime;

use codewhale_mcp_config::{Auth, Server};
use codewhale_mcp_manager::{LoginStanding, login_standing, rfc3339};
use codewhale_mcp_redact::safe_url;
use serde::Serialize;

use crate::configured::Configured;

/// A login, for machines.
#[derive(Serialize)]
pub(crate) struct ShownLogin {
    state: &'static str,
    issuer: Option<String>,
    scopes: Vec<String>,
    expires_at: Option<String>,
    /// Whether another token is had without a login.
    renews: bool,
}

/// How things are with the login to a server; `None` where none is ever used.
pub(crate) fn standing(
    configured: &Configured,
    server: &Server,
    clock: fn() -> SystemTime,
) -> Option<LoginStanding> {
    login_standing(server, &configured.place.home.folder, clock())
}

impl From<&LoginStanding> for ShownLogin {
    fn from(standing: &LoginStanding) -> Self {
        let held = standing.held();
        Self {
            state: standing.as_str(),
            issuer: held.map(|held| safe_url(&held.issuer)),
            scopes: held
                .iter()
                .flat_map(|held| held.scopes.split_ascii_whitespace().map(str::to_owned))
                .collect(),
            expires_at: held.and_then(|held| held.ends_at).map(rfc3339),
            renews: held.is_some_and(|held| held.renews),
        }
    }
}

impl ShownLogin {
    /// What is known of it, for people.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        let named = |what: &str, value: Option<String>| value.map(|value| format!("{what}: {value}"));
        let until = match self.renews {
            true => Some("renewed by itself".to_owned()),
            false => self.expires_at.as_ref().map(|end| format!("good until {end}")),
        };
        let scopes = Some(self.scopes.join(" ")).filter(|scopes| !scopes.is_empty());
        let known = [named("issuer", self.issuer.clone()), named("scopes", scopes), named("token", until)];
        known.into_iter().flatten()
    }
}

/// How requests are authorized, in a few words.
pub(crate) fn words(auth: &'static str, standing: Option<&LoginStanding>) -> String {
    let how = match standing {
        _ if auth != Auth::OAuth.as_str() => return auth.to_owned(),
        Some(LoginStanding::LoggedIn(_)) => "logged in",
        Some(LoginStanding::Expired(_)) => "expired",
        Some(LoginStanding::LoggedOut) => "logged out",
        Some(LoginStanding::Needed) => "login needed",
        // Many a server lets everybody in.
        Some(LoginStanding::Unknown) => "not asked",
        _ => return auth.to_owned(),
    };
    format!("{auth}: {how}")
}
