//! Our client as a program that is measured: see `tests/bench/README.md`.
//!
//! `BY=manager` connects and calls through the manager instead of the client alone; `RT=mt` runs with a thread for each
//! processor instead of one.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that prints what it measured and ends without cleaning up"
)]

mod calls;
mod lists;
mod managed;
mod open;

use std::error::Error;

use codewhale_bench_bare::{Arguments, Outcome, Scenario};

use crate::managed::Managed;
use crate::open::open;

/// Fine, or what went wrong.
type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word == "--version") {
        println!("bench-client {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    let arguments = Arguments::read(words)?;
    let mut runtime = match std::env::var("RT").as_deref() {
        Ok("mt") => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    let outcome = runtime.block_on(run(&arguments))?;
    println!("{}", outcome.line("ours", &arguments));
    // Servers end with their input; what waits for them has been measured.
    std::process::exit(0)
}

async fn run(arguments: &Arguments) -> Done<Outcome> {
    let by_manager = std::env::var("BY").is_ok_and(|by| by == "manager");
    match arguments.scenario {
        Scenario::Connect if by_manager => managed::connect(arguments).await,
        Scenario::Seq if by_manager => calls::one_after_another(Managed::open(arguments)?, arguments).await,
        Scenario::Pipe if by_manager => calls::in_flight(Managed::open(arguments)?, arguments).await,
        Scenario::Seq => calls::one_after_another(open(arguments).await?, arguments).await,
        Scenario::Pipe => calls::in_flight(open(arguments).await?, arguments).await,
        Scenario::Connect => lists::of_many(arguments).await,
        Scenario::List => lists::of_one(arguments).await,
    }
}
