//! Lists of hosts that may be reached, and of those that may not.

use std::net::IpAddr;

use crate::{Origin, Pattern, Refusal, Rule, embedded_v4};

/// `[network] allow` and `deny`. A denial wins, and to be allowed here is no consent to a private address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostLists {
    /// The only hosts that are reached, if there are any.
    pub allow: Vec<Pattern>,
    /// Hosts that are never reached. Through a proxy, addresses count only where they are written in a URL.
    pub deny: Vec<Pattern>,
}

/// What has been found of a host by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is allowed.
    Allowed,
    /// It is allowed if all its addresses are.
    UpToAddresses,
}

impl HostLists {
    /// Judges a host by what is written.
    pub(crate) fn judge(&self, origin: &Origin) -> Result<Standing, Refusal> {
        if let Some(address) = origin.literal() {
            self.judge_address(origin, Standing::UpToAddresses, address)?;
            return Ok(Standing::Allowed);
        }
        let on = |list: &[Pattern]| list.iter().any(|pattern| pattern.matches(origin.host()));
        if on(&self.deny) {
            return Err(origin.refuse(Rule::Denied, None));
        }
        if self.allow.is_empty() || on(&self.allow) {
            return Ok(Standing::Allowed);
        }
        let names_addresses = self.allow.iter().any(|pattern| matches!(pattern, Pattern::Block(_)));
        names_addresses
            .then_some(Standing::UpToAddresses)
            .ok_or_else(|| origin.refuse(Rule::NotAllowed, None))
    }

    /// Judges one of the addresses behind a host. An IPv4 address is denied in every form that carries it.
    pub(crate) fn judge_address(
        &self,
        origin: &Origin,
        standing: Standing,
        address: IpAddr,
    ) -> Result<(), Refusal> {
        let carried = match address {
            IpAddr::V4(_) => None,
            IpAddr::V6(v6) => embedded_v4(v6).map(IpAddr::from),
        };
        let on = |list: &[Pattern], address| list.iter().any(|pattern| pattern.matches_address(address));
        if on(&self.deny, address) || carried.is_some_and(|carried| on(&self.deny, carried)) {
            return Err(origin.refuse(Rule::Denied, Some(address)));
        }
        let allowed = standing == Standing::Allowed || self.allow.is_empty() || on(&self.allow, address);
        if allowed { Ok(()) } else { Err(origin.refuse(Rule::NotAllowed, Some(address))) }
    }
}
