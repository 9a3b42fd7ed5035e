//! What a server is to do next, without servers.
//!
//! - `day`: a simulated world in which anything happens at any time, and what must hold in it
//! - `properties`: whole days of it
//! - `steps`: single decisions, and the words

mod day;
mod properties;
mod steps;
