//! Elicitation: a server asks a person (2025-06-18 and later).
//!
//! - `params`: what is asked, and what was answered
//! - `requested_schema`: the form as it stands on the wire
//! - `property`: the form's fields, checked
//! - `answer`: whether what a person filled in fits
//! - `format`: whether a text is a date, an address and so on

mod answer;
mod format;
mod params;
mod property;
mod requested_schema;

pub use answer::*;
pub use params::*;
pub use property::*;
pub use requested_schema::*;
