//! How a request is answered in each era. The two never meet.
//!
//! - `legacy`: within a session
//! - `modern`: by itself

pub(crate) mod legacy;
pub(crate) mod modern;
