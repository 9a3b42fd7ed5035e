//! Servers behind a URL, over real sockets: every mode of the fake one, and the ways in which they fall.

mod cuts;
mod expected;
mod expected_answers;
mod expected_falls;
mod falls;
mod given_up;
mod heard;
mod limits;
mod mirrored;
mod modes;
mod remembered;
mod stalls;
mod world;
