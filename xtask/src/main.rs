//! Development tasks of this workspace: `cargo xtask VERB`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for the terminal that starts cargo"
)]

mod ci;
mod demo;
mod fake;
mod run;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "cargo xtask VERB

  demo              the main job, end to end, on the fake server
  test              builds what tests start, then runs every test
  fake MODE [..]    runs a fake server on this terminal; `fake --list` names the modes
  tidy              layers, file sizes, module docs, forbidden words
  ci                format, lints, tidy, documentation, small dependency trees
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.first().map(String::as_str) {
        Some("test") => test::test(),
        Some("demo") => demo::demo(),
        Some("fake") => fake::fake(&arguments[1..]),
        Some("tidy") => tidy::tidy(),
        Some("ci") => ci::ci(),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(format!("no such verb\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
