//! What bytes mean, in table form.
#![expect(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod constants;
mod definitions;
mod encode;
mod errors;
mod examples;
mod forms;
mod framing;
mod headers;
mod ids;
mod messages;
mod objects;
mod schemas;
mod sse;
mod tasks;
mod words;
mod written;
