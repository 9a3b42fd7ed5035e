//! One log a server: what it writes beside the protocol, from every run.
//!
//! - `name`: the file of a server, whatever the server is called
//! - `entry`: one line, safe to print
//! - `append`: puts lines into the file, and keeps it small
//! - `queue`: between those who never wait and the thread that writes
//! - `writer`: takes lines without waiting; one thread for all logs of a run
//! - `read`: the last lines, and those that come
//!
//! Several processes append to one file at the same time: each batch of whole lines is one write in append mode, and
//! the file is opened anew for each, so nobody goes on writing into a file that another one has put aside.

mod append;
mod entry;
mod name;
mod queue;
mod read;
mod writer;

pub use entry::Voice;
pub use read::{Follow, LogError};
pub use writer::{Log, Logs};
