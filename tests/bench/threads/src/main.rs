//! The client alone, with a thread for each processor.

use codewhale_bench::{Done, client, program};
use tokio::runtime::Builder;

fn main() -> Done<()> {
    program(Builder::new_multi_thread(), client)
}
