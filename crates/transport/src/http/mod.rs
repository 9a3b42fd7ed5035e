//! A server behind a URL: Streamable HTTP, and the deprecated HTTP+SSE (feature `http`).
//!
//! An [`HttpConnector`] opens links to an [`Endpoint`]. A link is one [`Carrier`](crate::Carrier) with connections of
//! its own, which its peer's `stop` closes. Where requests may go is judged by the endpoint's guard, what authorizes
//! them is added by its authorizer, and what they say is the caller's.

mod answer;
mod carrier;
mod connector;
mod endpoint;
mod event_stream;
mod failure;
mod headers;
mod peer;

pub use connector::HttpConnector;
pub use endpoint::{Endpoint, EndpointError, Ways};
