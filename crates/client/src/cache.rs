//! Results that stay true for a while (MCP 2026-07-28, server/utilities/caching).
//!
//! An entry is kept for the `ttlMs` that its server named, and no longer than until a notification says that it
//! is out of date. A cache belongs to one connection, which has one server and one principal, so `cacheScope`
//! never matters here.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use codewhale_mcp_protocol::{Reply, method};
use tokio::time::Instant;

use crate::request::Ask;
use crate::result::RequestResult;

/// No entry is kept for longer.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// The most entries, and the most bytes that they hold together.
const MOST: (usize, usize) = (1024, 32 << 20);

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Tools,
    Prompts,
    Resources,
    Templates,
    Contents,
    Skills,
}

/// How often each kind has changed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    tools: u64,
    prompts: u64,
    resources: u64,
    contents: u64,
}

impl Changes {
    /// Takes note of a notification of the server.
    pub(crate) fn note(&mut self, notification: &str) {
        match notification {
            method::TOOLS_LIST_CHANGED => self.tools += 1,
            method::PROMPTS_LIST_CHANGED => self.prompts += 1,
            method::RESOURCES_LIST_CHANGED => self.resources += 1,
            method::RESOURCES_UPDATED => self.contents += 1,
            _ => {}
        }
    }

    pub(crate) fn of(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Tools => self.tools,
            Kind::Prompts => self.prompts,
            // The files of skills are resources; nothing else is said of skills.
            Kind::Resources | Kind::Templates | Kind::Skills => self.resources,
            Kind::Contents => self.contents,
        }
    }
}

/// Which result: its kind, and the cursor or address that it was asked for with.
pub(crate) type Key = (Kind, Option<String>);

impl<P> Ask<'_, P> {
    /// A result that is kept and good enough, else how often its kind has changed so far.
    pub(crate) fn kept<R: RequestResult>(&self, key: &Key) -> Result<R, u64> {
        let (kept, change) = self.client.shared().kept(key);
        let kept =
            kept.filter(|_| !self.wants_a_fresh_one()).and_then(|(frame, reply)| reply.decode(&frame).ok());
        kept.map(|result| R::admitted(result, self.client)).ok_or(change)
    }
}

#[derive(Debug)]
struct Entry {
    frame: Bytes,
    reply: Reply,
    until: Instant,
    /// How often its kind had changed when it was asked for.
    change: u64,
}

/// The results of one connection.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: HashMap<Key, Entry>,
    bytes: usize,
}

impl Cache {
    /// A result that is still true.
    pub(crate) fn fresh(&mut self, key: &Key, change: u64, now: Instant) -> Option<(Bytes, Reply)> {
        let entry = self.entries.get(key)?;
        if entry.change == change && now < entry.until {
            return Some((entry.frame.clone(), entry.reply.clone()));
        }
        self.remove(key);
        None
    }

    /// Keeps a result for `ttl`, if there is room. What was kept before is out of date in any case.
    pub(crate) fn keep(
        &mut self,
        key: Key,
        result: (Bytes, Reply),
        ttl: Duration,
        change: u64,
        now: Instant,
    ) {
        self.remove(&key);
        if ttl.is_zero() {
            return;
        }
        if self.entries.len() >= MOST.0 || self.bytes + result.0.len() > MOST.1 {
            self.remove_stale(now);
        }
        if self.entries.len() < MOST.0 && self.bytes + result.0.len() <= MOST.1 {
            self.bytes += result.0.len();
            let (frame, reply) = result;
            // A copy, since a frame holds on to the whole block that it was read into.
            let frame = Bytes::copy_from_slice(&frame);
            self.entries.insert(key, Entry { frame, reply, until: now + ttl.min(LONGEST), change });
        }
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.frame.len();
        }
    }

    fn remove_stale(&mut self, now: Instant) {
        self.entries.retain(|_, entry| entry.until > now);
        self.bytes = self.entries.values().map(|entry| entry.frame.len()).sum();
    }
}
