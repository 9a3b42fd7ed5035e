//! Which request is the one that a login waits for.

use codewhale_mcp_redact::Secret;

use super::head::{Head, Unread};
use super::page::Refusal;
use crate::answer::check;

/// What a login waits for.
#[derive(Debug)]
pub(super) struct Awaited {
    pub(super) path: String,
    pub(super) hosts: Vec<String>,
    pub(super) state: Secret<String>,
}

impl Awaited {
    /// The query of the request that is waited for; any other gets a page and changes nothing.
    pub(super) fn judge(&self, head: &Head) -> Result<Secret<String>, Refusal> {
        // A page elsewhere whose name was made to lead here says its own name (DNS rebinding).
        if !self.hosts.iter().any(|host| host.eq_ignore_ascii_case(&head.host)) {
            return Err(Refusal::Host);
        }
        let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
        if path != self.path {
            return Err(Refusal::NotFound);
        }
        if head.method != "GET" {
            return Err(Refusal::Method);
        }
        match check(query, &self.state) {
            Ok(()) => Ok(Secret::new(query.to_owned())),
            Err(_) => Err(Refusal::Stray),
        }
    }
}

/// The page of a request that could not be read, if anybody is there to see it.
pub(super) fn unread(why: &Unread) -> Option<Refusal> {
    match why {
        Unread::Gone => None,
        Unread::Malformed => Some(Refusal::Malformed),
        Unread::LongLine => Some(Refusal::LongLine),
        Unread::LongHead => Some(Refusal::LongHead),
    }
}
