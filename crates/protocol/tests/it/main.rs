//! What bytes mean, in table form.

mod framing;
mod messages;
mod objects;
