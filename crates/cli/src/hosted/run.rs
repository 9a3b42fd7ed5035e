//! From the words of a session's command line to an exit code.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use codewhale_host::flags::{Asked, Colour, help, is_host};
use codewhale_host::{Ended, How, NotConfigured};

use super::session;
use crate::args::{ColourChoice, GlobalArgs};
use crate::exit::Exit;
use crate::explain::{Told, explain};
use crate::failure::Failure;
use crate::hint::Naming;
use crate::print::{Printer, Setup, Verbosity};
use crate::run::{Run, colour, verbosity};
use crate::world::{Output, Terminal, World};

/// The words of a command line, the program's own name apart, if it asks for a session.
pub(crate) fn words(words: &[OsString]) -> Option<Vec<String>> {
    let words: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    is_host(&words).then_some(words)
}

/// Runs a session. Only its messages leave on standard output, and with `--json` why there is none.
pub(crate) fn run(words: &[String], mut world: World) -> Exit {
    let mut stdout = std::mem::replace(&mut world.stdout, silent());
    let stderr = std::mem::replace(&mut world.stderr, silent());
    let asked = match Asked::read(words) {
        Ok(asked) => asked,
        Err(error) => {
            let colour = colour(ColourChoice::Auto, &world);
            let hint = "`codewhale -p --help` lists the options of a session";
            let printer = Printer::new(Setup { stdout, stderr, verbosity: Verbosity::Normal, colour });
            printer.error(error.to_string());
            printer.hint(hint);
            if words.iter().take_while(|word| *word != "--").any(|word| word == "--json") {
                // That it cannot be printed either is no news then.
                let _ = Told::usage(error.to_string(), hint).print(&printer);
            }
            return Exit::Usage;
        }
    };
    if asked.help {
        let printer = Printer::new(Setup { stdout, stderr, verbosity: Verbosity::Normal, colour: None });
        return match printer.text(&help()).and_then(|()| printer.flush()) {
            Ok(()) => Exit::Ok,
            Err(error) => Failure::from(error).exit(),
        };
    }
    let global = global(&asked);
    let (verbosity, colour) = (verbosity(&global), colour(global.color, &world));
    let printer = Arc::new(Printer::new(Setup { stdout: silent(), stderr, verbosity, colour }));
    if !asked.idle.is_empty() {
        printer.warn(format!("without an effect here: {}", asked.idle.join(", ")));
    }
    let json = asked.json;
    let mut run =
        Run { world, global, printer: printer.clone(), naming: Naming::Name, called: OsString::new() };
    match session::hold(&mut run, asked, &mut stdout.writer) {
        Ok(exit) => exit,
        Err(failure) => {
            explain(&failure, Naming::Name, &printer);
            if json {
                let (stderr, colour) = (silent(), None);
                let printer = Printer::new(Setup { stdout, stderr, verbosity, colour });
                let _ = Told::of(&failure, Naming::Name).print(&printer);
            }
            failure.exit()
        }
    }
}

/// What counts for every command, as a session says it.
fn global(asked: &Asked) -> GlobalArgs {
    GlobalArgs {
        json: asked.json,
        config: asked.config.clone(),
        workspace: asked.workspace.clone(),
        mcp_config: asked.mcp_config.clone(),
        sources: asked.sources,
        strict_mcp_config: asked.strict,
        verbose: asked.verbose,
        quiet: asked.quiet,
        color: match asked.colour {
            Colour::Auto => ColourChoice::Auto,
            Colour::Always => ColourChoice::Always,
            Colour::Never => ColourChoice::Never,
        },
    }
}

/// How a session that ended by itself ends the program: one that answers one prompt fails with it.
pub(super) fn exit_of(
    ended: &Ended,
    print: bool,
    no_model: Option<&NotConfigured>,
    printer: &Printer,
) -> Exit {
    match (ended.how, &ended.error) {
        (How::Unread(io::ErrorKind::BrokenPipe), _) => Exit::Ok,
        (How::Unread(kind), _) => {
            printer.error(format!("cannot write to standard output: {kind}"));
            Exit::Failed
        }
        (_, Some(error)) if print => {
            printer.error(error);
            match no_model.filter(|no_model| no_model.to_string() == *error) {
                Some(no_model) => {
                    printer.hint(model_hint(no_model));
                    Exit::Usage
                }
                None => Exit::Failed,
            }
        }
        _ => Exit::Ok,
    }
}

fn model_hint(no_model: &NotConfigured) -> String {
    let first = match no_model {
        NotConfigured::NoKey { .. } => "set it, or name another model",
        _ => "name the model",
    };
    format!("{first} by `[model]` in config.toml: base_url, model, api_key_env; docs/host.md has an example")
}

fn silent() -> Output {
    Output { writer: Box::new(io::sink()), terminal: Terminal::No }
}
