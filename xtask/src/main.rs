//! Development tasks of this workspace: `cargo xtask VERB`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a tool for the terminal that starts cargo"
)]

mod bench;
mod ci;
mod conformance;
mod counted;
mod demo;
mod fake;
mod installed;
mod interop;
mod run;
mod test;
mod tidy;

use std::process::ExitCode;

const HELP: &str = "cargo xtask VERB

  demo              the main job, end to end
  test              builds what tests start, then runs every test
  fake MODE [..]    runs a fake server on this terminal; `fake --list` names the modes
  tidy              layers, file sizes, module docs, forbidden words
  interop [--full]  our client and servers against those that others wrote; --full: rmcp, MCP Inspector, mcporter,
                    Chromium, gnome-keyring and the fuzz targets too
  conformance client|server [--runs N] [--only WORD]..
                    the client, or the server, against the official conformance suite
  bench [--quick] [--only RE] [--reps N] [--clients A,B] [--out FILE]
                    our client beside the floor, rmcp and the official SDKs, with targets
  bench counts      instructions and system calls of one call, with limits
  bench layout      writes which functions run, for the linker to put them side by side
  bench server [--quick]
                    servers side by side: ours, std alone, the official SDKs
  bench cli         time and memory of the release binary, with limits
  ci                format, lints, tidy, documentation, small dependency trees
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["test"] => test::test(),
        ["demo"] => demo::demo(),
        ["fake", ..] => fake::fake(&arguments[1..]),
        ["tidy"] => tidy::tidy(),
        ["ci"] => ci::ci(),
        ["interop"] => interop::interop(interop::Extent::Usual),
        ["interop", "--full"] => interop::interop(interop::Extent::Full),
        ["conformance", "client", ref options @ ..] => conformance::client(options),
        ["conformance", "server", ref options @ ..] => conformance::server(options),
        ["bench", "cli"] => bench::cli(),
        ["bench", "counts"] => bench::counts(),
        ["bench", "layout"] => bench::layout(),
        ["bench", "server", ref options @ ..] => bench::server(options),
        ["bench", ref options @ ..] => bench::compare(options),
        ["measure", ..] => bench::measure(&arguments[1..]),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [verb, ..] => Err(format!("there is no verb `{verb}` of this form\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
