//! An OAuth client for servers behind a URL.
//!
//! [`driver::OAuth`] logs in to one server and out of it; its [`driver::OAuthAuthorizer`] authorizes the server's
//! requests, renews what they are authorized with, and logs in where it may ask somebody. Below it everything is a
//! value: [`flow::Login`] is a machine that is given what came of its last [`flow::Ask`] and gives the next one, made of
//! [`discovery`] (who authorizes), [`registration`] (who we are) and [`token`] (what is asked for). Around it are seams
//! with what fills them on a desktop: [`credentials::CredentialStore`] ([`store`]), [`browse::Browse`] ([`listener`],
//! [`browser`], [`paste`]).
//!
//! The crate makes no connection: it asks [`codewhale_mcp_net::Fetch`], behind the guard. It does not know what requests
//! to the server say, who reads configurations, or how people are talked to.
//!
//! ```
//! use codewhale_mcp_auth::RealWorld;
//! use codewhale_mcp_auth::flow::{Ask, Login, Reason, Settings};
//!
//! let settings = Settings::new("example", "https://mcp.example/mcp".parse().unwrap(), "My agent");
//! let (_login, ask) = Login::begin(settings.into(), Reason::default()).unwrap();
//! let Ask::Http(call) = ask else { unreachable!() };
//! assert_eq!(call.url.as_str(), "https://mcp.example/.well-known/oauth-protected-resource/mcp");
//! // Whoever carried it out goes on with `login.next(Input::Answer(answer), &RealWorld)`.
//! # let _ = RealWorld;
//! ```

mod answer;
pub mod browse;
pub mod browser;
mod challenge;
pub mod credentials;
pub mod discovery;
pub mod driver;
mod endpoint;
mod error;
pub mod flow;
pub mod listener;
mod object;
pub mod paste;
pub mod registration;
mod resource;
mod step;
pub mod store;
pub mod token;
mod world;

pub use challenge::{Challenge, Demand};
pub use endpoint::endpoint;
pub use error::LoginError;
pub use resource::{canonical, covers};
pub use step::Step;
pub use world::{RealWorld, World};
