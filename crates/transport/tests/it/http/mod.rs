//! A server behind a URL.

mod exchanges;
mod site;
