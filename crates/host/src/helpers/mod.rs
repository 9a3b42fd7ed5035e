//! The helpers that stand beside the tools of servers: resources, prompts, search and waiting, as tools.
//!
//! - `table`: what the model is told of them
//! - `run`: which is which
//! - `resources`: lists of resources, templates and skills, and reading a resource
//! - `prompt`: filling in a prompt
//! - `skills`: loading skills, and reading their files
//! - `search`: looking for tools and skills
//! - `waiting`: waiting for servers

mod prompt;
mod resources;
mod run;
mod search;
mod skills;
mod table;
mod waiting;

pub(crate) use resources::PATIENCE;
pub(crate) use run::run;
pub(crate) use table::{Helper, offers};
