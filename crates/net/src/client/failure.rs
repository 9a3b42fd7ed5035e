//! From the errors of others to ours.

use std::error::Error;
use std::iter;

use crate::NetError;

/// The longest head of an answer, in bytes. One that is read at once may be up to twice as long.
pub(super) const HEAD_LIMIT: usize = 256 * 1024;

/// An exchange had no answer.
pub(super) fn of_exchange(error: &hyper::Error) -> NetError {
    if error.is_parse_too_large() {
        return NetError::TooLong { what: "head", limit: HEAD_LIMIT };
    }
    of_body(error)
}

/// A body broke off.
pub(super) fn of_body(error: &hyper::Error) -> NetError {
    NetError::Broken { reason: words(error) }
}

/// The connections were closed from this side.
pub(super) fn closed() -> NetError {
    NetError::Broken { reason: "it was closed from this side".to_owned() }
}

fn words(error: &(dyn Error + 'static)) -> String {
    let mut words: Vec<String> = causes(error).map(ToString::to_string).collect();
    // Some errors say what their cause says.
    words.dedup_by(|later, former| former.contains(&**later));
    words.join(": ")
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| error.source())
}
