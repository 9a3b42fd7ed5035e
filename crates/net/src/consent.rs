//! What the definition of a server permits: private addresses, and requests without encryption.

use std::net::IpAddr;

use crate::origin::Nearness;
use crate::{Origin, Range, Refusal, Rule, Scheme};

/// Who wrote the definition of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Author {
    /// Who runs the program, or somebody whose definition they agreed to.
    Operator,
    /// A plugin. It consents to nothing.
    Plugin,
    /// A model. It consents to nothing.
    Model,
}

/// `allow_private_network` of a definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PrivateNetwork {
    /// Names have to stand for public addresses.
    #[default]
    Refused,
    /// The name in the server's URL may stand for any address.
    Allowed,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A message to the server, also behind a redirect.
    Message,
    /// A login: metadata, registrations, tokens and keys.
    Login,
}

/// The part of a server's definition that decides where requests may go on its behalf.
///
/// Every consent belongs to one origin, the one of the server's own URL; another port, scheme or host has none,
/// whatever a redirect or a document says. One thing reaches further: when that URL is loopback, a login may go to
/// loopback, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Where its URL points.
    pub origin: Origin,
    /// Who wrote it.
    pub author: Author,
    /// Its `allow_private_network`.
    pub private_network: PrivateNetwork,
}

/// Which addresses that are not public an origin may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Consent {
    /// None.
    Nothing,
    /// `127.0.0.0/8` and `::1`.
    Loopback,
    /// Every one.
    Everything,
}

impl Definition {
    /// Whether this is the very origin that the operator configured. It alone may use their proxy.
    #[must_use]
    pub fn is_configured(&self, target: &Origin) -> bool {
        self.author == Author::Operator && self.origin == *target
    }

    /// The consent for requests to an origin.
    #[must_use]
    pub fn consent(&self, target: &Origin, purpose: Purpose) -> Consent {
        let written = match (target.nearness(), target.literal().and_then(Range::of)) {
            (Nearness::Localhost | Nearness::Loopback, _) => Consent::Loopback,
            (Nearness::Elsewhere, Some(_)) => Consent::Everything,
            (Nearness::Elsewhere, None) => Consent::Nothing,
        };
        match (self.is_configured(target), self.private_network) {
            (true, PrivateNetwork::Allowed) => Consent::Everything,
            (true, PrivateNetwork::Refused) => written,
            (false, _) if purpose == Purpose::Login && self.is_loopback() => Consent::Loopback,
            (false, _) => Consent::Nothing,
        }
    }

    /// Judges an origin by what is written: an address that is not public without consent, and `http` where nobody
    /// asked for it.
    ///
    /// `http` is spoken to the configured origin, and to loopback where a login may go there. Which endpoints of a
    /// login need `https` besides is not decided here.
    ///
    /// # Errors
    /// [`Rule::NotPublic`] and [`Rule::PlainHttp`].
    pub fn judge(&self, target: &Origin, purpose: Purpose) -> Result<Consent, Refusal> {
        let consent = self.consent(target, purpose);
        if let Some(address) = target.literal() {
            consent.judge(target, address)?;
        } else if target.nearness() == Nearness::Localhost && consent == Consent::Nothing {
            return Err(target.refuse(Rule::NotPublic(Range::Loopback), None));
        }
        // Loopback without consent was refused above.
        let far = target.nearness() == Nearness::Elsewhere;
        if target.scheme() == Scheme::Http && far && !self.is_configured(target) {
            return Err(target.refuse(Rule::PlainHttp, None));
        }
        Ok(consent)
    }

    fn is_loopback(&self) -> bool {
        self.author == Author::Operator && self.origin.nearness() != Nearness::Elsewhere
    }
}

impl Consent {
    /// Judges one of the addresses of an origin.
    ///
    /// # Errors
    /// [`Rule::NotPublic`], and [`Rule::Localhost`] when `localhost` is to be another machine.
    pub fn judge(self, target: &Origin, address: IpAddr) -> Result<(), Refusal> {
        if target.nearness() == Nearness::Localhost && !address.is_loopback() {
            return Err(target.refuse(Rule::Localhost, Some(address)));
        }
        let covered = match self {
            Self::Nothing => false,
            Self::Loopback => address.is_loopback(),
            Self::Everything => true,
        };
        match Range::of(address) {
            Some(range) if !covered => Err(target.refuse(Rule::NotPublic(range), Some(address))),
            _ => Ok(()),
        }
    }
}
