//! What the tests share: guards as short texts.

use std::net::IpAddr;
use std::sync::Arc;

use codewhale_mcp_net::{
    Author, Definition, Guard, GuardError, HostLists, Origin, Pattern, Permit, PrivateNetwork, Proxies,
    Purpose, Refusal, Rule,
};

pub(crate) fn origin(url: &str) -> Origin {
    Origin::of(&url.parse().unwrap()).unwrap()
}

/// A guard for a server of the operator at this URL.
pub(crate) fn guard(url: &str) -> Guard {
    guard_of(url, Author::Operator, PrivateNetwork::Refused)
}

pub(crate) fn guard_of(url: &str, author: Author, private_network: PrivateNetwork) -> Guard {
    let definition = Definition { origin: origin(url), author, private_network };
    Guard { definition, lists: Arc::default(), proxies: Arc::default() }
}

pub(crate) fn lists(allow: &[&str], deny: &[&str]) -> Arc<HostLists> {
    let read = |list: &[&str]| list.iter().map(|entry| entry.parse::<Pattern>().unwrap()).collect();
    Arc::new(HostLists { allow: read(allow), deny: read(deny) })
}

pub(crate) fn proxies(environment: &[(&str, &str)]) -> Arc<Proxies> {
    let look_up =
        |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
    Arc::new(Proxies::from_environment(look_up))
}

/// The rule that forbids a request to a URL whose host has these addresses.
pub(crate) fn rule(guard: &Guard, url: &str, purpose: Purpose, addresses: &[&str]) -> Option<Rule> {
    refusal(guard, url, purpose, addresses).map(|refusal| refusal.rule)
}

pub(crate) fn refusal(guard: &Guard, url: &str, purpose: Purpose, addresses: &[&str]) -> Option<Refusal> {
    let addresses: Vec<IpAddr> = addresses.iter().map(|address| address.parse().unwrap()).collect();
    match guard.permit(&url.parse().unwrap(), purpose) {
        Ok(permit) => permit.check(&addresses).err(),
        Err(GuardError::Refused(refusal)) => Some(refusal),
        Err(other) => panic!("{other}"),
    }
}

pub(crate) fn permit(guard: &Guard, url: &str) -> Result<Permit, GuardError> {
    guard.permit(&url.parse().unwrap(), Purpose::Message)
}
