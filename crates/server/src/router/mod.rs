//! What was registered, as a handler.
//!
//! - `route`: which part answers a request
//! - `shelves`: what is offered at one moment; `lists`: the handle by which that changes
//! - `paging`: a page of a list
//! - `resources`, `uri_template`: resources and forms of addresses
//! - `prompts`, `completion`: prompts, and how their arguments might go on
//! - `skills`: instructions for models (feature `skills`)

mod completion;
mod lists;
mod paging;
mod prompts;
mod resources;
mod route;
mod shelves;
#[cfg(feature = "skills")]
mod skills;
mod uri_template;

pub use completion::{CompletionRoute, completion};
pub use lists::Lists;
pub use prompts::{PromptOutput, PromptRoute, prompt};
pub use resources::{ResourceOutput, ResourceRoute, TemplateRoute, resource, template};
pub(crate) use route::{Router, Stays};
#[cfg(feature = "skills")]
pub use skills::{SkillRoute, skill};
pub use uri_template::Variables;
