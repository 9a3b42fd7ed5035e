//! Our client as programs that are measured: see `tests/bench/README.md`.
//!
//! They are several because what a program links is in its memory: who uses `client` alone has nothing of the manager,
//! and who runs in one thread has nothing of tokio's scheduler for many.
//!
//! - [`client`]: what a program of the client alone does
//! - [`one_after_another`], [`in_flight`]: calls by whoever makes them ([`Caller`])
//! - [`program`]: from the command line to the line of numbers
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "programs that print what they measured and end without cleaning up"
)]

mod calls;
mod lists;
mod open;

use std::error::Error;

use codewhale_bench_bare::{Arguments, Outcome, Scenario};
use tokio::runtime::Builder;

pub use calls::{Caller, in_flight, one_after_another};
use open::open;

/// Fine, or what went wrong.
pub type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Runs what the command line asks for and prints what came out. It comes back from an error or a question for the version
/// alone.
///
/// # Errors
/// Whatever went wrong.
pub fn program(mut runtime: Builder, run: impl AsyncFnOnce(&Arguments) -> Done<Outcome>) -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word == "--version") {
        println!("bench-client {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    let arguments = Arguments::read(words)?;
    // It lives until the end: to take it down takes time and memory that nobody asked for.
    let runtime = runtime.enable_all().build()?;
    let outcome = runtime.block_on(run(&arguments))?;
    println!("{}", outcome.line("ours", &arguments));
    // Servers end with their input; what waits for them has been measured.
    std::process::exit(0)
}

/// A scenario by the client alone.
///
/// # Errors
/// Whatever went wrong.
pub async fn client(arguments: &Arguments) -> Done<Outcome> {
    match arguments.scenario {
        Scenario::Seq => one_after_another(open(arguments).await?, arguments).await,
        Scenario::Pipe => in_flight(open(arguments).await?, arguments).await,
        Scenario::Connect => lists::of_many(arguments).await,
        Scenario::List => lists::of_one(arguments).await,
    }
}
