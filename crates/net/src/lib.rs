//! Where a request may go, and the way there.
//!
//! A [`Guard`] judges URLs on behalf of one server: what its [`Definition`] permits, what the settings permit
//! ([`HostLists`]), and whether a proxy of the environment ([`Proxies`]) is used. Its [`Permit`] then judges the
//! addresses behind the name: every one has to be public, unless there is consent for this very origin. Whoever
//! connects does so to an address that was judged, and asks again for every redirect.
//!
//! The module `client` (feature `client`) is who connects: an HTTP engine. An [`Authorizer`] is its seam to login, and [`Fetch`]
//! is what a login wants of it; both are here without it.
//!
//! The crate does not know what requests say, who reads configurations, or where an environment comes from.
//!
//! ```
//! use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork, Purpose};
//!
//! let url = "https://mcp.example/".parse().unwrap();
//! let definition = Definition {
//!     origin: Origin::of(&url).unwrap(),
//!     author: Author::Operator,
//!     private_network: PrivateNetwork::Refused,
//! };
//! let guard = Guard { definition, lists: Default::default(), proxies: Default::default() };
//! let permit = guard.permit(&url, Purpose::Message).unwrap();
//! assert!(permit.check(&["9.9.9.9".parse().unwrap()]).is_ok());
//! let refusal = permit.check(&["9.9.9.9".parse().unwrap(), "10.0.0.1".parse().unwrap()]).unwrap_err();
//! assert_eq!(refusal.to_string(), "no request to private addresses (RFC 1918): mcp.example is 10.0.0.1");
//! ```

mod address;
mod authorizer;
mod block;
mod call;
#[cfg(feature = "client")]
pub mod client;
mod consent;
mod error;
mod guard;
mod no_proxy;
mod origin;
mod pattern;
mod policy;
mod proxy;
mod refusal;

pub use address::{Range, embedded_v4};
pub use authorizer::{Authorizer, Because, Sent, Verdict};
pub use block::{Block, NoBlock};
pub use call::{Call, Fetch, Fetched, Headers, Redirects};
pub use consent::{Author, Consent, Definition, PrivateNetwork, Purpose};
pub use error::NetError;
pub use guard::{Guard, GuardError, Permit, Route};
pub use origin::{Nearness, Origin, Scheme};
pub use pattern::{NoPattern, Pattern};
pub use policy::HostLists;
pub use proxy::{Proxies, Proxy, ProxyError, ProxyProblem};
pub use refusal::{Refusal, Rule};
