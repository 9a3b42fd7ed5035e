//! A session over stream-json: prompts come in, a model answers them with the tools of MCP servers, and whoever waits
//! for the first answer is told what it waits for.

pub mod approval;
mod caller;
pub mod flags;
mod helpers;
mod model;
mod out;
mod sdk;
mod session;
mod turn;
pub mod window;
mod wire;

pub use model::{Endpoint, ModelError, NotConfigured, Usage, Way};
pub use session::{Ended, Host, How, Reread, Rules, Setup, Talk};
pub use wire::Line;
