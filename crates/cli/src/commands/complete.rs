//! `mcp complete`: values that an argument could have.

use codewhale_mcp_client::CallError;
use codewhale_mcp_protocol::CompletionReference;
use serde::Serialize;
use serde_json::Number;

use super::opened::{Offer, failed, open};
use super::prompt::pairs;
use crate::args::CompleteArgs;
use crate::configured::Configured;
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::Waiting;
use crate::run::Run;
use crate::target;

/// Proposals, for machines.
#[derive(Serialize)]
struct Proposed<'a> {
    server: &'a str,
    argument: &'a str,
    value: &'a str,
    values: &'a [String],
    /// How many there are in all, if the server says.
    total: Option<&'a Number>,
    has_more: Option<bool>,
}

pub(super) fn complete(run: &mut Run, args: &CompleteArgs) -> Result<Exit, Failure> {
    let (asked, words) = args.unnamed.split(&args.words).ok_or_else(|| Failure::usage("name the server"))?;
    let (argument, value) = match words {
        [argument] => (argument.clone(), String::new()),
        [argument, value] => (argument.clone(), value.clone()),
        [] => return Err(Failure::usage("name the argument")),
        _ => return Err(Failure::usage("an argument and what is typed of its value are all that is taken")),
    };
    let reference = match (&args.of.prompt, &args.of.resource) {
        (Some(prompt), _) => CompletionReference::prompt(prompt),
        (None, template) => CompletionReference::resource(template.clone().unwrap_or_default()),
    };
    let known = pairs(&args.with)?;
    let configured = Configured::load(run)?;
    let server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let (json, printer) = (run.global.json, run.printer.clone());
    drive(run, &configured, async move |manager| {
        let connection = open(manager, &server, &printer).await?;
        let client = connection.client();
        if Offer::of_completions(client.server()) == Offer::No {
            return Err(failed(&server)(CallError::ServerLacks { capability: "completions" }));
        }
        let request = client.complete(reference, (&argument, &value), known);
        let answer = Waiting::new(&printer).on(&server.name, request.send()).await;
        let completion = answer.map_err(failed(&server))?.completion;
        if json {
            printer.lossless_json(&Proposed {
                server: &server.name,
                argument: &argument,
                value: &value,
                values: &completion.values,
                total: completion.total.as_ref(),
                has_more: completion.has_more,
            })?;
        } else {
            completion.values.iter().try_for_each(|value| printer.line(value))?;
            printer.flush()?;
            match (&completion.total, completion.has_more) {
                _ if completion.values.is_empty() => printer.note("the server proposes nothing"),
                (Some(total), _) if total.as_u64() != Some(completion.values.len() as u64) => {
                    printer.note(format!("{total} in all"));
                }
                (_, Some(true)) => printer.note("there are more"),
                _ => {}
            }
        }
        printer.flush()?;
        connection.close().await;
        Ok(Exit::Ok)
    })
}
