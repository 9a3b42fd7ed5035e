//! The client alone, in one thread.

use codewhale_bench::{Done, client, program};
use tokio::runtime::Builder;

fn main() -> Done<()> {
    program(Builder::new_current_thread(), client)
}
