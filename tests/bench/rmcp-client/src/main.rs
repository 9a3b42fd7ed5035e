//! A client made with rmcp: see `tests/bench/README.md`. `RT=ct` runs it in one thread, `HTTP_TUNED=1` with a client
//! for HTTP that lets more requests out at once.

mod open;
mod scenarios;

use std::error::Error;

use codewhale_bench_bare::{Arguments, Outcome, Scenario};

/// Fine, or what went wrong.
type Done<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Done<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word == "--version") {
        println!("bench-rmcp {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    let arguments = Arguments::read(words)?;
    let mut runtime = match std::env::var("RT").as_deref() {
        Ok("ct") => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    let outcome = runtime.block_on(run(&arguments))?;
    println!("{}", outcome.line("rmcp", &arguments));
    // Servers end with their input; nothing of this program is waited for.
    std::process::exit(0)
}

async fn run(arguments: &Arguments) -> Done<Outcome> {
    match arguments.scenario {
        Scenario::Seq => scenarios::one_after_another(arguments).await,
        Scenario::Pipe => scenarios::in_flight(arguments).await,
        Scenario::Connect => scenarios::connect(arguments).await,
        Scenario::List => scenarios::list(arguments).await,
    }
}
