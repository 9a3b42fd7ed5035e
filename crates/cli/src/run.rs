//! From arguments to an exit code.

use std::ffi::OsString;
use std::sync::Arc;

use crate::args::{Cli, ColourChoice, GlobalArgs};
use crate::commands;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hint::hint;
use crate::print::{Colour, Printer, Setup, Verbosity};
use crate::world::{Terminal, World};

/// One run: what was asked for globally, the outside, and the way out.
pub(crate) struct Run {
    pub(crate) world: World,
    pub(crate) global: GlobalArgs,
    pub(crate) printer: Arc<Printer>,
}

/// Reads the arguments (the program's own name first), does what they ask for, and says how it ended.
///
/// Everything that was printed has left when this returns. A reader of standard output that went away is no failure.
/// Servers that were started are gone, save after a second signal, which ends the wait for them.
pub fn run<I, A>(args: I, mut world: World) -> Exit
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let silent = || crate::Output { writer: Box::new(std::io::sink()), terminal: Terminal::No };
    let (stdout, stderr) =
        (std::mem::replace(&mut world.stdout, silent()), std::mem::replace(&mut world.stderr, silent()));
    let columns = match stdout.terminal {
        Terminal::Columns(columns) => usize::from(columns).clamp(40, 120),
        Terminal::No => 100,
    };
    let setup = |verbosity, colour| Printer::new(Setup { stdout, stderr, verbosity, colour });
    let cli = match Cli::read(args, columns) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error, &setup(Verbosity::Normal, None)),
    };
    let printer = Arc::new(setup(verbosity(&cli.global), colour(&cli.global, &world)));
    let mut run = Run { world, global: cli.global, printer: printer.clone() };
    let outcome = commands::dispatch(&mut run, cli.command);
    let outcome = outcome.and_then(|exit| Ok(printer.flush().map(|()| exit)?));
    match outcome {
        Ok(exit) => exit,
        Err(failure) => {
            // Data that came before the failure leaves before its message; that it cannot is no news then.
            let _ = printer.flush();
            explain(&failure, &printer);
            failure.exit()
        }
    }
}

/// Prints help and version as data, and what clap does not understand as talk.
fn refuse(error: &clap::Error, printer: &Printer) -> Exit {
    let text = error.render().to_string();
    if error.use_stderr() {
        text.trim_end().lines().for_each(|line| printer.talk(line.into()));
        return Exit::Usage;
    }
    match printer.text(&text).and_then(|()| printer.flush()) {
        Ok(()) => Exit::Ok,
        Err(error) => Failure::from(error).exit(),
    }
}

/// Says what went wrong and what to do about it.
fn explain(failure: &Failure, printer: &Printer) {
    if failure.is_silent() {
        return;
    }
    printer.error(failure.text());
    failure.excerpt().lines().for_each(|line| printer.talk(line.into()));
    for line in failure.stderr() {
        printer.talk(crate::print::Line::new().dim("stderr: ").plain(line));
    }
    if let Some(hint) = hint(failure) {
        printer.hint(hint);
    }
}

fn verbosity(global: &GlobalArgs) -> Verbosity {
    match (global.quiet, global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    }
}

/// What the user decided about colour, if anything.
fn colour(global: &GlobalArgs, world: &World) -> Option<Colour> {
    let set = |name| world.variable(name).is_some_and(|value| !value.is_empty());
    match global.color {
        ColourChoice::Always => Some(Colour::Yes),
        ColourChoice::Never => Some(Colour::No),
        ColourChoice::Auto if set("NO_COLOR") => Some(Colour::No),
        ColourChoice::Auto if world.variable("TERM").is_some_and(|term| term == "dumb") => Some(Colour::No),
        ColourChoice::Auto => None,
    }
}
