//! A command line that makes no sense, and what was probably meant.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::command;
use crate::exit::Exit;
use crate::explain::Told;
use crate::failure::Failure;
use crate::hint::{is_url, word};
use crate::print::Printer;

/// Prints help and version as data, and what is not understood as talk.
pub(crate) fn refuse(mut error: clap::Error, words: &[OsString], printer: &Printer) -> Exit {
    if !error.use_stderr() {
        let text = error.render().to_string();
        return match printer.text(&text).and_then(|()| printer.flush()) {
            Ok(()) => Exit::Ok,
            Err(error) => Failure::from(error).exit(),
        };
    }
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let tip = tip(&error, &words);
    if tip.is_some() {
        // Its own tip fits other programs better.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedSubcommand);
    }
    let text = error.render().to_string();
    text.trim_end().lines().for_each(|line| printer.talk(line.into()));
    if let Some(tip) = &tip {
        printer.hint(tip);
    }
    if words.iter().take_while(|word| *word != "--").any(|word| word == "--json") {
        let message = text.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message).to_owned();
        let told = Told { class: "usage", message, causes: Vec::new(), hint: tip.or_else(|| own_tip(&text)) };
        // That it cannot be printed either is no news then.
        let _ = told.print(printer);
    }
    Exit::Usage
}

fn own_tip(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.trim().strip_prefix("tip: ")).map(ToOwned::to_owned)
}

/// What was probably meant, where clap cannot know it.
fn tip(error: &clap::Error, words: &[String]) -> Option<String> {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = named(ContextKind::InvalidSubcommand)?;
            let root = command();
            let mcp = root.find_subcommand("mcp").expect("there is such a command");
            let meant = mcp.find_subcommand(word)?;
            Some(format!("did you mean `codewhale mcp {}`?", meant.get_name()))
        }
        ErrorKind::UnknownArgument => {
            let odd = named(ContextKind::InvalidArg)?;
            let verb = words.iter().skip_while(|word| *word != "mcp").nth(1)?;
            match verb.as_str() {
                "call" | "prompt" => argument(odd, words),
                "add" if is_url(odd) => {
                    Some("an endpoint stands behind --url: codewhale mcp add NAME --url URL".to_owned())
                }
                "add" if !odd.starts_with('-') => {
                    Some(format!("the program stands behind `--`: codewhale mcp add NAME -- {} …", word(odd)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// `--key=value` or `--key value` where `key=value` is meant.
fn argument(odd: &str, words: &[String]) -> Option<String> {
    let key = odd.strip_prefix("--").map(|odd| odd.split('=').next().unwrap_or(odd))?;
    let start = format!("--{key}");
    let at = words.iter().position(|word| word.split('=').next() == Some(&start))?;
    let own = words[at].split_once('=').map(|(_, value)| value);
    let next =
        || words.get(at + 1).map(String::as_str).filter(|next| !next.starts_with('-') && !next.contains('='));
    let value = own.or_else(next).unwrap_or("…");
    let value = codewhale_mcp_redact::safe_args(&[start.as_str(), value]).pop()?;
    Some(format!("an argument is written without dashes: {key}={}", word(&value)))
}
