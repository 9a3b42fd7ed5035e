//! A server that holds its client to every rule that can be seen from its end.
//!
//! What breaks one is answered with -32600, where it can be answered, and leaves a line `violation: …` in the
//! record.

mod check;
mod ledger;
mod messages;
mod methods;
mod shape;

pub(crate) use check::strict;
