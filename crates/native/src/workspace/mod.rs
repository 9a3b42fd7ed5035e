//! The one way to files: everything is resolved below the workspace's own descriptor.
//!
//! - `served`: the folder that is served, and what of it is not
//! - `asked`: a path as it was asked for, cut into steps
//! - `resolve`: from steps to a place, one component after another, through descriptors
//! - `place`: a place in the workspace, and opening what is there
//! - `above`: making the directories above a file
//! - `replace`: writing a file whole, or not at all
//! - `really`: where a path of the system leads, be it there or not
//! - `refused`: why a path is not served
//!
//! No path is ever handed to the system whole. Each component is looked at and opened below the descriptor of the one
//! before, without following links; a link is read and its steps are taken in the same way. So there is no moment at
//! which swapping a folder for a link would lead elsewhere.

mod above;
mod asked;
mod place;
mod really;
mod refused;
mod replace;
mod resolve;
mod served;

pub(crate) use place::{Directory, Kind, Place, shown};
pub use refused::Refused;
pub(crate) use replace::{Replaced, Seen};
pub(crate) use resolve::{DEPTH, Found};
pub use served::{Keep, Workspace};
