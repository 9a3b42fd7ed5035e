//! Whether a request may be made, and which way it takes.

use std::net::IpAddr;
use std::sync::Arc;

use url::Url;

use crate::policy::Standing;
use crate::proxy::{Proxies, Proxy, ProxyError};
use crate::{Consent, Definition, HostLists, Nearness, Origin, Purpose, Refusal, Rule};

/// All that decides where requests may go on behalf of one server.
#[derive(Debug, Clone)]
pub struct Guard {
    /// What the server's definition permits.
    pub definition: Definition,
    /// What the settings permit.
    pub lists: Arc<HostLists>,
    /// The proxies of the environment.
    pub proxies: Arc<Proxies>,
}

/// A request is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// A rule forbids it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It would go through a proxy that cannot be used.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
}

impl Guard {
    /// Judges a URL by what is written in it. Ask again for every redirect.
    ///
    /// # Errors
    /// [`GuardError`]; nothing has been looked up then.
    pub fn permit(&self, url: &Url, purpose: Purpose) -> Result<Permit, GuardError> {
        let origin = Origin::of(url)?;
        let consent = self.definition.judge(&origin, purpose)?;
        let standing = self.lists.judge(&origin)?;
        let may_use_proxy =
            self.definition.is_configured(&origin) && origin.nearness() == Nearness::Elsewhere;
        let proxy = if may_use_proxy { self.proxies.of(&origin)? } else { None };
        let route = match proxy {
            // Nobody here learns the addresses, so that they cannot allow it.
            Some(_) if standing == Standing::UpToAddresses => {
                return Err(origin.refuse(Rule::NotAllowed, None).into());
            }
            Some(proxy) => Route::Through(proxy.clone()),
            None => Route::Direct,
        };
        Ok(Permit { origin, route, consent, standing, lists: Arc::clone(&self.lists) })
    }

    /// Judges a URL by all that is written in it, before it is needed: an address is judged, a name is not looked up.
    ///
    /// # Errors
    /// [`GuardError`].
    pub fn judge_written(&self, url: &Url, purpose: Purpose) -> Result<(), GuardError> {
        let permit = self.permit(url, purpose)?;
        match (&permit.route, permit.origin.literal()) {
            (Route::Direct, Some(address)) => Ok(permit.check(&[address])?),
            _ => Ok(()),
        }
    }
}

/// The permission for one request, up to the addresses of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    origin: Origin,
    route: Route,
    consent: Consent,
    standing: Standing,
    lists: Arc<HostLists>,
}

/// Which way a request takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// To one of the addresses of its host, after [`Permit::check`].
    Direct,
    /// Through a proxy, which looks the host up itself. Where the proxy is, the operator said.
    Through(Proxy),
}

impl Permit {
    /// Where the request goes.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The way there.
    #[must_use]
    pub const fn route(&self) -> &Route {
        &self.route
    }

    /// Judges every address of the host. Only the addresses that were given here may then be connected to.
    ///
    /// # Errors
    /// The first address that may not be reached refuses all of them.
    pub fn check(&self, addresses: &[IpAddr]) -> Result<(), Refusal> {
        addresses.iter().try_for_each(|address| {
            self.consent.judge(&self.origin, *address)?;
            self.lists.judge_address(&self.origin, self.standing, *address)
        })
    }
}
