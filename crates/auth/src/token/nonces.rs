//! What servers say about the proofs that they want: nonces (RFC 9449, section 8 and 9) and the time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, header};
use url::Url;

use crate::resource::origin;

/// The last nonce of each origin, and how far its clock is from ours where that is far.
#[derive(Debug, Default)]
pub(crate) struct Nonces(Mutex<HashMap<String, Known>>);

#[derive(Debug, Default)]
struct Known {
    nonce: Option<String>,
    clock: Clock,
}

/// The clock of an origin.
#[derive(Debug, Default, PartialEq, Eq)]
enum Clock {
    #[default]
    Ours,
    Ahead(Duration),
    Behind(Duration),
}

/// What was new in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Learned {
    /// It named a nonce.
    pub(crate) nonce: bool,
    /// Its clock is not where we thought it is.
    pub(crate) time: bool,
}

/// Clocks that are no further apart are the same: servers take proofs that are a few minutes old.
const APART: Duration = Duration::from_secs(30);

impl Nonces {
    /// Looks at an answer.
    pub(crate) fn learn(&self, url: &Url, headers: &HeaderMap, now: SystemTime) -> Learned {
        let text = |name| headers.get(name).and_then(|value: &http::HeaderValue| value.to_str().ok());
        let nonce = text("dpop-nonce").filter(|nonce| !nonce.is_empty() && nonce.len() <= 1024);
        let clock = text(header::DATE.as_str()).and_then(|date| httpdate::parse_http_date(date).ok());
        let clock = clock.map(|theirs| match theirs.duration_since(now) {
            Ok(ahead) if ahead > APART => Clock::Ahead(ahead),
            Err(behind) if behind.duration() > APART => Clock::Behind(behind.duration()),
            _ => Clock::Ours,
        });
        if nonce.is_none() && clock.is_none() {
            return Learned::default();
        }
        let mut all = self.all();
        let known = all.entry(origin(url)).or_default();
        if let Some(nonce) = nonce {
            known.nonce = Some(nonce.to_owned());
        }
        let time = clock.as_ref().is_some_and(|clock| *clock != known.clock);
        if let Some(clock) = clock {
            known.clock = clock;
        }
        Learned { nonce: nonce.is_some(), time }
    }

    /// The nonce for a request.
    pub(super) fn of(&self, url: &Url) -> Option<String> {
        self.all().get(&origin(url))?.nonce.clone()
    }

    /// The time as it is there.
    pub(super) fn time_of(&self, url: &Url, now: SystemTime) -> SystemTime {
        match self.all().get(&origin(url)).map(|known| &known.clock) {
            Some(Clock::Ahead(by)) => now + *by,
            Some(Clock::Behind(by)) => now - *by,
            Some(Clock::Ours) | None => now,
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
