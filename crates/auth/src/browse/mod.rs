//! The part of a login that a person plays, in a browser.

mod landing;

pub use landing::{Browse, BrowseError, Ending, Landing, Redirected, is_same};
