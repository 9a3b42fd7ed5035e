//! Drives the client through one scenario of the official conformance suite, and knows nothing that the client should.
//!
//! The suite starts `conformance-client URL` with the scenario's name in its environment, in the place of an
//! application. The last line on standard output is `DRIVER-OK`, or `DRIVER-ERROR` and what went wrong; where neither
//! stands, the driver did not come to its end.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program that its environment tells what to do"
)]

mod arguments;
mod browser;
mod given;
mod login;
mod person;
mod scenario;
mod server;

use std::process::ExitCode;
use std::time::Duration;

use given::Given;

/// The suite kills what takes 30 seconds, and then nobody would hear of it.
const LONGEST: Duration = Duration::from_secs(25);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let variable = |name: &str| std::env::var(name).ok();
    let played = match Given::read(std::env::args().nth(1), variable) {
        Ok(given) => tokio::time::timeout(LONGEST, scenario::play(&given)).await,
        Err(why) => Ok(Err(why)),
    };
    match played {
        Ok(Ok(())) => {
            println!("DRIVER-OK");
            ExitCode::SUCCESS
        }
        Ok(Err(why)) => {
            println!("DRIVER-ERROR {}", why.replace('\n', " | "));
            ExitCode::FAILURE
        }
        Err(_) => {
            println!("it took longer than {} s", LONGEST.as_secs());
            ExitCode::FAILURE
        }
    }
}
