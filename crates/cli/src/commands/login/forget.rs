//! A server is removed, and the login that was kept of it goes with it.

use codewhale_mcp_config::{Scope, Server, Transport};
use codewhale_mcp_manager::{LoginStanding, LogoutPlan};
use codewhale_mcp_redact::safe_url;

use super::login::failed;
use crate::configured::Configured;
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::InOrOut;
use crate::logged;
use crate::print::Line;
use crate::run::Run;

/// A server of which a login is kept, and the configuration that it stands in.
pub(in crate::commands) struct Forgettable {
    configured: Configured,
    server: Server,
}

/// What became of the login of a server that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Forgotten {
    /// It was deleted.
    Deleted,
    /// It could not be deleted.
    Kept,
}

impl Forgotten {
    /// A stable word.
    pub(in crate::commands) const fn as_str(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Kept => "kept",
        }
    }
}

impl Forgettable {
    /// The server of that name, if it is the one of that scope that counts, and a login is kept of it.
    pub(in crate::commands) fn find(run: &Run, name: &str, scope: Scope) -> Option<Self> {
        let configured = Configured::load(run).ok()?;
        let server = resolved(&configured, name).filter(|server| server.scope == scope)?;
        run.printer.hide(&server.secrets);
        let standing = logged::standing(&configured, &server, run.world.clock)?;
        let is_kept = !matches!(standing, LoginStanding::Unknown | LoginStanding::LoggedOut);
        is_kept.then_some(Self { configured, server })
    }

    /// Deletes the login, unless another definition of that name has the same URL.
    pub(in crate::commands) fn forget(self, run: &mut Run) -> Option<Forgotten> {
        let Self { configured, server } = self;
        let left = Configured::load(run).ok().and_then(|left| resolved(&left, &server.name));
        if left.is_some_and(|left| url(&left) == url(&server)) {
            return None;
        }
        let mut issuer = None;
        let outcome = drive(run, &configured, async |manager| {
            let out = manager.logout(&server, LogoutPlan::Here).await;
            issuer = out.map_err(|refused| failed(&server, InOrOut::Out, refused))?.issuer;
            Ok(Exit::Ok)
        });
        match (outcome, issuer) {
            (Ok(Exit::Ok), None) => None,
            (Ok(Exit::Ok), Some(issuer)) => {
                let issuer = safe_url(&issuer);
                run.printer.note(Line::new().plain(format!(
                    "its login is deleted too; what {issuer} granted may live on there, until you take it back on its \
                     own pages"
                )));
                Some(Forgotten::Deleted)
            }
            (outcome, _) => {
                let why = outcome.err().map_or_else(|| "interrupted".to_owned(), |error| error.to_string());
                run.printer.warn(format!("its login is still kept: {why}"));
                Some(Forgotten::Kept)
            }
        }
    }
}

fn resolved(configured: &Configured, name: &str) -> Option<Server> {
    let environment = |name: &str| configured.variable(name);
    configured.merged.server(name)?.without_headers().resolve(&environment, &configured.place.workspace).ok()
}

fn url(server: &Server) -> Option<&str> {
    match &server.transport {
        Transport::Http(remote) | Transport::Sse(remote) => Some(&remote.url),
        _ => None,
    }
}
