//! A server behind a URL.

mod answers;
mod event_stream;
mod exchanges;
mod failures;
mod many;
mod reused;
mod site;
