//! Several messages in one, within bounds (MCP 2025-03-26, basic).

use codewhale_mcp_protocol::{ErrorObject, Revision, code};
use serde_json::value::RawValue;

use crate::exchange::single;
use crate::incoming::{Body, Incoming};
use crate::outlet::Outlet;
use crate::running::{Begun, Sent};
use crate::session::Session;
use crate::work::Work;
use crate::{Facts, wire};

/// Takes up a batch.
///
/// # Errors
/// What its sender is told when it is refused as a whole.
pub(crate) fn batch(
    session: &Session,
    elements: &[&RawValue],
    outlet: &Outlet,
    facts: &Facts,
) -> Result<Work, ErrorObject> {
    let limits = session.server().limits();
    fits(session, elements.len(), limits.batch)?;
    let mut work = Work::batch(limits.batch_answers);
    for element in elements {
        take(session, element.get(), outlet, facts, &mut work);
    }
    Ok(work)
}

/// Whether a batch of so many messages is taken up.
///
/// # Errors
/// What its sender is told when it is not.
pub(crate) fn fits(session: &Session, count: usize, most: usize) -> Result<(), ErrorObject> {
    if session.revision() != Revision::V2025_03_26 {
        return Err(not_here());
    }
    if count > most {
        return Err(refusal(format!("a batch has at most {most} messages here, and this one has {count}")));
    }
    Ok(())
}

/// Only 2025-03-26 has batches.
pub(crate) fn not_here() -> ErrorObject {
    refusal("batches are part of 2025-03-26 only".to_owned())
}

fn refusal(message: String) -> ErrorObject {
    ErrorObject { code: code::INVALID_REQUEST, message, ..ErrorObject::default() }
}

fn take(session: &Session, text: &str, outlet: &Outlet, facts: &Facts, work: &mut Work) {
    let element = match Incoming::parse(text.as_bytes()) {
        Err(unreadable) => {
            let error = unreadable.error();
            // In the revision that has batches, an answer without an id is one whose id is `null`.
            let id = unreadable.id().or(Some("null"));
            return work.write(Sent::Error(error.code), |out| wire::error(id, error, out));
        }
        Ok(element) => element,
    };
    let mut out = Vec::new();
    let Body::Request { id, .. } = &element.body else {
        // Nothing is answered.
        single(session, &element, outlet.clone(), facts.clone(), &mut out);
        return;
    };
    if work.is_full() {
        return work.refuse(id);
    }
    match single(session, &element, outlet.clone(), facts.clone(), &mut out) {
        Some((Begun::Answered(sent), _)) => work.answer(id, sent, &out),
        Some((Begun::Later(running), held)) => work.add(running, held),
        None => {}
    }
}
