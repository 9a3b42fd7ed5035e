//! `mcp prompt`: one prompt, filled in.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_manager::suggest;
use codewhale_mcp_protocol::{GetPromptResult, Members, Prompt, method};
use serde::Serialize;
use tokio::time::timeout;

use super::heard::while_heard;
use super::opened::{failed, failed_for};
use super::talk::{Took, talk};
use crate::args::PromptArgs;
use crate::configured::Configured;
use crate::content::View;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Line, Printer};
use crate::run::Run;
use crate::target;

/// A prompt filled in, for machines. `result` is what the server sent.
#[derive(Serialize)]
struct FilledIn<'a> {
    server: &'a str,
    prompt: &'a str,
    elapsed_ms: u64,
    result: &'a GetPromptResult,
    /// Files, where they were asked for.
    saved: Vec<String>,
    /// The questions of the server that were declined.
    warnings: Vec<String>,
}

pub(super) fn prompt(run: &mut Run, args: &PromptArgs) -> Result<Exit, Failure> {
    let (asked, words) = args.unnamed.split(&args.words).ok_or_else(|| Failure::usage("name the server"))?;
    let (name, words) = words.split_first().unzip();
    let arguments = pairs(words.unwrap_or_default())?;
    let configured = Configured::load(run)?;
    let mut server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let name = name.ok_or_else(|| Failure::NoPromptNamed { server: server.name.clone() })?;
    if let Some(timeout) = args.timeout {
        server.timeouts.execute.value = Duration::from_secs_f64(timeout);
    }
    let mut view = View::of(run, &args.shown, name);
    let (json, printer) = (run.global.json, run.printer.clone());
    talk(run, &configured, &server, &args.asked, async |connection, answers| {
        let client = connection.client();
        let prompts = listed(client, server.timeouts.connect.value, &printer);
        if let Some(prompts) = prompts.await.map_err(failed(&server))? {
            fits(&server.name, name, &prompts, &arguments)?;
        }
        let (took, progress) = (Took::now(), answers.progress());
        let request = client.get_prompt(name, &arguments).on_progress(|params| progress.update(&params));
        let failed = failed_for("prompts", client, &server, |offers| offers.prompts.is_some());
        let result = while_heard(client, answers, name, request.send()).await.map_err(failed)?;
        if json {
            printer.lossless_json(&FilledIn {
                server: &server.name,
                prompt: name,
                elapsed_ms: took.millis(),
                warnings: answers.declined(),
                saved: view.files(|view, hush| show(&result, view, hush))?,
                result: &result,
            })?;
        } else {
            show(&result, &mut view, &printer)?;
            took.tell(&printer);
        }
        Ok(Exit::Ok)
    })
}

/// The words `key=value`, each key once.
pub(super) fn pairs(words: &[String]) -> Result<Members<String>, Failure> {
    let mut members = Members::<String>::default();
    for word in words {
        let Some((name, value)) = word.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            // It may be a secret.
            let word = codewhale_mcp_redact::safe_args(&[word]).concat();
            return Err(Failure::usage(format!("`{word}` is no argument, which is key=value")));
        };
        if members.member(name).is_some() {
            return Err(Failure::usage(format!("the argument `{name}` stands there twice")));
        }
        members.push(name, value.to_owned());
    }
    Ok(members)
}

/// The prompts that the server lists, or `None` where nothing can be learnt from its list.
async fn listed(
    client: &Client,
    total: Duration,
    printer: &Printer,
) -> Result<Option<Vec<Prompt>>, CallError> {
    let timed_out = |_| Err(CallError::ServerTimedOut { method: method::PROMPTS_LIST, after: total });
    match timeout(total, client.list_prompts()).await.unwrap_or_else(timed_out) {
        Ok(listed) => Ok(Some(listed.items)),
        Err(error @ (CallError::ServerGone(_) | CallError::ClosedHere)) => Err(error),
        Err(error) => {
            printer.warn(format!("the arguments were not checked: {error}"));
            Ok(None)
        }
    }
}

/// Whether the prompt is there and takes these arguments.
fn fits(server: &str, name: &str, prompts: &[Prompt], given: &Members<String>) -> Result<(), Failure> {
    let server = server.to_owned();
    let Some(prompt) = prompts.iter().find(|prompt| prompt.name == name) else {
        let near = suggest(name, prompts.iter().map(|prompt| prompt.name.as_str()));
        let near = near.into_iter().map(ToOwned::to_owned).collect();
        return Err(Failure::UnknownPrompt { server, prompt: name.to_owned(), near });
    };
    let declared = prompt.arguments.as_deref().unwrap_or_default();
    let missing = declared
        .iter()
        .filter(|argument| argument.required == Some(true) && given.member(&argument.name).is_none())
        .map(|argument| format!("`{}` is missing", argument.name));
    let unknown = given.iter().filter(|(name, _)| !declared.iter().any(|argument| argument.name == *name));
    let unknown = unknown.map(|(name, _)| {
        match suggest(name, declared.iter().map(|argument| argument.name.as_str())).first() {
            Some(near) => format!("there is no `{name}`, did you mean `{near}`?"),
            None => format!("there is no `{name}`"),
        }
    });
    let faults: Vec<String> = missing.chain(unknown).collect();
    match faults.is_empty() {
        true => Ok(()),
        false => Err(Failure::BadPromptArguments { server, prompt: name.to_owned(), faults }),
    }
}

/// Message after message, each with whose words it is.
fn show(result: &GetPromptResult, view: &mut View, printer: &Printer) -> Result<(), Failure> {
    if let Some(description) = &result.description {
        printer.note(Line::new().dim(description));
    }
    if result.messages.is_empty() {
        printer.note("the prompt has no messages");
    }
    for message in &result.messages {
        printer.line(Line::new().bold(format!("{}:", message.role)))?;
        view.block(&message.content, printer)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_held_against_those_that_are_declared() {
        let prompts: Vec<Prompt> = serde_json::from_str(
            r#"[{"name":"sum","arguments":[{"name":"topic","required":true},{"name":"style"}]},{"name":"none"}]"#,
        )
        .unwrap();
        let check = |name: &str, words: &[&str], said: &str| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let fault =
                fits("s", name, &prompts, &pairs(&words).unwrap()).err().map(|error| error.to_string());
            assert!(fault.as_deref().unwrap_or_default().contains(said), "{name} {words:?}: {fault:?}");
            assert_eq!(fault.is_none(), said.is_empty());
        };
        check("sum", &["topic=a=b"], "");
        check("sum", &["topic=", "style=x"], "");
        check("none", &[], "");
        check("sum", &["style=x"], "`topic` is missing");
        check("sum", &["topic=x", "stlye=y"], "no `stlye`, did you mean `style`?");
        check("sum", &["topc=x"], "`topic` is missing; there is no `topc`, did you mean `topic`?");
        check("none", &["zzz=1"], "there is no `zzz`");
        check("smu", &[], "no prompt `smu`");
        for bad in [&["x"][..], &["=x"], &["a=1", "a=2"]] {
            assert!(
                pairs(&bad.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()).is_err(),
                "{bad:?}"
            );
        }
    }
}
