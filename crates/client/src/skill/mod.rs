//! A skill in use: its files are read when they are needed, and nothing is used that is not what its entry says
//! (SEP-2640, integrity and verification). An entry is the word of the same server, so this is no proof of anything
//! but that the two fit.
//!
//! - `entry`: an entry that keeps to the rules
//! - `address`: where a file stands within its skill
//! - `frontmatter`: what stands at the beginning of `SKILL.md`, and whether the entry says the same
//! - `content`: whether the bytes of a file are the ones that were listed
//! - `loaded`: loading a skill, and reading its other files
//! - `error`: why that failed

mod address;
mod content;
mod entry;
mod error;
mod frontmatter;
mod loaded;

pub use content::{SkillFile, SkillFileFault};
pub use entry::{SkillEntry, SkillEntryFault};
pub use error::SkillError;
pub use frontmatter::{FrontmatterFault, frontmatter_fault};
pub use loaded::LoadedSkill;
