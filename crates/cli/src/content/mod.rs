//! What a server answered, for a person.
//!
//! - `show`: block by block, in the order they came
//! - `save`: images, sound and other bytes become files
//! - `cut`: long text, shortened between two characters

mod cut;
mod save;
mod show;

pub(crate) use cut::cut;
pub(crate) use show::View;
