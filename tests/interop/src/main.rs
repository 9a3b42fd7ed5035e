//! Our client against servers that others wrote, and our servers against their clients, each check a line, at the end
//! `N passed, N failed`.
//!
//! `codewhale-interop --codewhale PROGRAM --fake PROGRAM --node-modules DIR --python PROGRAM --scripts DIR --sdks PROGRAM
//! --hosts DIR --clients DIR --local-time PROGRAM --nginx PROGRAM --tinyproxy PROGRAM [--rmcp PROGRAM]
//! [--rmcp-client PROGRAM] [--commands DIR] [--gnome-keyring] [--chromium PROGRAM] [--only WORD]`,
//! started by `cargo xtask interop`, which installs the servers.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a program for the terminal that starts servers and hands them its search path"
)]

mod by;
mod check;
mod clients;
mod endpoint;
mod everything;
mod everything_asks;
mod everything_tells;
mod expect;
mod filesystem;
mod git;
mod hosts;
mod keyring;
mod keyring_trial;
mod leftover;
mod login;
mod made;
mod made_asks;
mod made_by;
mod made_calls;
mod many;
mod memory;
mod nginx;
mod peer;
mod person;
mod proxies;
mod replicas;
mod running;
mod sdk;
mod shared;
mod time;
mod tinyproxy;
mod world;

use std::process::ExitCode;

use by::By;
use codewhale_mcp_protocol::Era;
use made_by::{Made, Maker};
use world::{GUARD, World};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == [GUARD] {
        codewhale_mcp_transport::stdio::guard::serve(std::io::stdin());
        return ExitCode::SUCCESS;
    }
    if let [many, more @ ..] = arguments.as_slice()
        && many == many::MANY
    {
        return match served(more) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("{why}");
                ExitCode::FAILURE
            }
        };
    }
    if let [trial, what, folder] = arguments.as_slice()
        && trial == keyring::TRIAL
    {
        return match runtime().and_then(|runtime| runtime.block_on(keyring_trial::run(what, folder))) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("{what}: {why}");
                ExitCode::FAILURE
            }
        };
    }
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
    let mut checks = filesystem::checks();
    checks.extend(memory::checks());
    checks.extend(time::checks());
    checks.extend(git::checks());
    checks.extend(hosts::checks());
    checks.extend(clients::checks(&world));
    for by in [By::Pipes].into_iter().chain(By::HTTP).chain(By::EVENTS) {
        checks.extend(everything::checks(by));
        checks.extend(everything_asks::checks(by));
        checks.extend(everything_tells::checks(by));
    }
    let mut makers = vec![Maker::FastMcp];
    if world.rmcp.is_some() {
        makers.push(Maker::Rmcp);
    }
    for by in [By::Pipes].into_iter().chain(By::HTTP) {
        checks.extend(sdk::checks(by));
        for with in &makers {
            for era in [Era::Modern, Era::Legacy] {
                let made = Made { with: *with, era, by };
                checks.extend(made::checks(made));
                checks.extend(made_calls::checks(made));
                checks.extend(made_asks::checks(made));
            }
        }
    }
    checks.extend(proxies::checks(&makers));
    checks.extend(replicas::checks());
    checks.extend(login::checks(&world));
    if world.gnome_keyring {
        checks.extend(keyring::checks());
    }
    let only = world.only.as_deref().unwrap_or_default();
    checks.retain(|check| check.name.contains(only));
    let (passed, failed) = runtime()?.block_on(check::run_all(world, checks));
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}

/// Is a server.
fn served(more: &[String]) -> Result<(), String> {
    runtime()?.block_on(many::serve(more)).map_err(|error| error.to_string())
}

fn runtime() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start the runtime: {error}"))
}
