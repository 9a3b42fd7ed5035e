//! `bench-floor SCENARIO [--name value]..`: see `tests/bench/README.md`.
#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_none_or(|word| word == "--version") {
        println!("bench-floor {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    #[cfg(target_os = "linux")]
    println!("{}", codewhale_bench_bare::floor::run(words)?);
    Ok(())
}
