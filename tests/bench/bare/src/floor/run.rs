//! The floor's command line.

use std::error::Error;

use super::{calls, http, lists};
use crate::arguments::{Arguments, Scenario};

/// Runs a scenario and gives the line to print.
///
/// # Errors
/// A word that is not understood, and what goes wrong on the way.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<String, Box<dyn Error>> {
    let arguments = Arguments::read(words)?;
    let outcome = match (arguments.scenario, &arguments.url) {
        (Scenario::Seq, None) => calls::one_after_another(&arguments)?,
        (Scenario::Pipe, None) => calls::in_flight(&arguments)?,
        (Scenario::Connect, None) => lists::of_many(&arguments)?,
        (Scenario::List, None) => lists::of_one(&arguments)?,
        (Scenario::Seq, Some(url)) => http::one_after_another(&arguments, url)?,
        (Scenario::Pipe, Some(url)) => http::in_flight(&arguments, url)?,
        (Scenario::Connect | Scenario::List, Some(_)) => return Err("not over HTTP".into()),
    };
    Ok(outcome.line("floor", &arguments))
}
