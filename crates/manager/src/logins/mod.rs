//! Logins of servers with a URL.
//!
//! - `credentials`: where they are kept
//! - `settings`: from a server's definition to what a login is told
//! - `authorizer`: what authorizes requests, and notes that a login is needed
//! - `login`: a person logs in, or out
//! - `standing`: how things are, without a look at the credentials
//!
//! A server whose definition says itself what authorizes its requests has nothing to do with any of it.

mod authorizer;
mod credentials;
mod login;
mod settings;
mod standing;

pub use credentials::Credentials;
pub use login::{LoggedIn, LoginPlan, LoginRefused, LogoutPlan, Way};
pub use standing::{Held, LoginStanding, login_standing, uses_login};
