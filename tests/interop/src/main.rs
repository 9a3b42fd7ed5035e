//! The client against servers that others wrote, each check a line, at the end `N passed, N failed`.
//!
//! `codewhale-interop --node-modules DIR --python PROGRAM --scripts DIR [--rmcp PROGRAM] [--only WORD]`, started by
//! `cargo xtask interop`, which installs the servers.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program for the terminal that starts servers and hands them its search path"
)]

mod check;
mod everything;
mod everything_asks;
mod everything_tells;
mod expect;
mod filesystem;
mod git;
mod leftover;
mod made;
mod made_asks;
mod made_calls;
mod memory;
mod peer;
mod person;
mod sdk;
mod time;
mod world;

use std::process::ExitCode;

use check::Check;
use codewhale_mcp_protocol::Era;
use world::{Made, Maker, World};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("codewhale-interop: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the checks and says how many failed.
fn run(arguments: &[String]) -> Result<usize, String> {
    let world = World::read(arguments)?;
    let mut checks: Vec<Check> = [
        everything::checks(),
        everything_asks::checks(),
        everything_tells::checks(),
        filesystem::checks(),
        memory::checks(),
        time::checks(),
        git::checks(),
        sdk::checks(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let mut makers = vec![Maker::FastMcp];
    if world.rmcp.is_some() {
        makers.push(Maker::Rmcp);
    }
    for with in makers {
        for era in [Era::Modern, Era::Legacy] {
            let made = Made { with, era };
            checks.extend(
                [made::checks(made), made_calls::checks(made), made_asks::checks(made)].into_iter().flatten(),
            );
        }
    }
    let only = world.only.as_deref().unwrap_or_default();
    checks.retain(|check| check.name.contains(only));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start the runtime: {error}"))?;
    let (passed, failed) = runtime.block_on(check::run_all(world, checks));
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}
