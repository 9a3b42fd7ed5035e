//! Which names a request may ask by, and from which pages it may come (MCP 2026-07-28, basic/transports, security).

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, Uri};

use super::options::{Hosts, Options};

/// The names of this machine, as they stand in `Host`.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether this server is asked by a name of its own. A request that says no name, or two, is not.
pub(super) fn host_is_ours(options: &Options, uri: &Uri, headers: &HeaderMap) -> bool {
    if options.hosts == Hosts::Any {
        return true;
    }
    let mut named = headers.get_all(HOST).iter();
    let (first, second) = (named.next(), named.next());
    let host = match (first, second, uri.authority()) {
        (Some(host), None, _) => host.to_str().ok(),
        // Only a request of HTTP/2 says its host in the address alone.
        (None, _, Some(authority)) => Some(authority.as_str()),
        _ => None,
    };
    let in_uri = uri.authority().is_none_or(|authority| is_listed(&options.hosts, authority.as_str()));
    in_uri && host.is_some_and(|host| is_listed(&options.hosts, host))
}

/// Whether no page asks, or one that may.
pub(super) fn origin_is_allowed(options: &Options, headers: &HeaderMap) -> bool {
    let allowed = |origin: &str| {
        let listed = options.origins.iter().any(|listed| listed.eq_ignore_ascii_case(origin));
        listed || (options.hosts == Hosts::Loopback && is_page_of_this_machine(origin))
    };
    headers.get_all(ORIGIN).iter().all(|origin| origin.to_str().is_ok_and(allowed))
}

fn is_page_of_this_machine(origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    host.is_some_and(|host| is_listed(&Hosts::Loopback, host))
}

fn is_listed(hosts: &Hosts, host: &str) -> bool {
    let Some((name, port)) = split(host) else { return false };
    match hosts {
        Hosts::Any => true,
        Hosts::Loopback => LOOPBACK.iter().any(|ours| ours.eq_ignore_ascii_case(name)),
        Hosts::Listed(listed) => listed.iter().any(|listed| match split(listed) {
            Some((ours, None)) => ours.eq_ignore_ascii_case(name),
            Some((ours, some)) => ours.eq_ignore_ascii_case(name) && some == port,
            None => false,
        }),
    }
}

/// Name and port of a host. Anything else, such as a name of a user, makes it none.
fn split(host: &str) -> Option<(&str, Option<u16>)> {
    let end = match host.starts_with('[') {
        true => host.find(']')? + 1,
        false => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at(end);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[]:".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_name) {
        return None;
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => Some((name, None)),
        Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((name, Some(port.parse().ok()?)))
        }
        _ => None,
    }
}
