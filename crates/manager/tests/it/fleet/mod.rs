//! Servers that live.
//!
//! - `pod`: a fleet for one test, with waiting for events
//! - `starting`: from configured to ready
//! - `calling`: calls and their answers

mod calling;
mod pod;
mod starting;
