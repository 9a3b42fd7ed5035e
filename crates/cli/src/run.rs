//! From arguments to an exit code.

use std::ffi::OsString;
use std::sync::Arc;

use crate::args::{Cli, ColourChoice, Command, GlobalArgs, InPlaceOfName, McpCommand};
use crate::commands::{self, NAMES_VERB, names};
use crate::exit::Exit;
use crate::explain::{Told, explain};
use crate::hint::Naming;
use crate::hosted;
use crate::misread::refuse;
use crate::print::{Colour, Printer, Setup, Verbosity};
use crate::world::{Terminal, World};

/// One run: what was asked for globally, the outside, and the way out.
pub(crate) struct Run {
    pub(crate) world: World,
    pub(crate) global: GlobalArgs,
    pub(crate) printer: Arc<Printer>,
    pub(crate) naming: Naming,
    /// As what this program was called.
    pub(crate) called: OsString,
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
    let words: Vec<OsString> = args.into_iter().map(Into::into).collect();
    if let Some(words) = hosted::words(&words) {
        return hosted::run(&words, world);
    }
    let silent = || crate::Output { writer: Box::new(std::io::sink()), terminal: Terminal::No };
    let (stdout, stderr) =
        (std::mem::replace(&mut world.stdout, silent()), std::mem::replace(&mut world.stderr, silent()));
    let columns = match stdout.terminal {
        Terminal::Columns(columns) => usize::from(columns).clamp(40, 120),
        Terminal::No => 100,
    };
    let setup = |stdout, verbosity, colour| Printer::new(Setup { stdout, stderr, verbosity, colour });
    if words.get(1).is_some_and(|word| word == NAMES_VERB) {
        return complete(world, setup(stdout, Verbosity::Quiet, Some(Colour::No)), &words[2..]);
    }
    let cli = match Cli::read(&words, columns) {
        Ok(cli) => cli,
        Err(error) => return refuse(error, &words, &setup(stdout, Verbosity::Normal, None)),
    };
    // What serves has standard output for itself.
    let stdout = match &cli.command {
        Command::Serve(_) | Command::McpServer(_) => {
            world.stdout = stdout;
            silent()
        }
        _ => stdout,
    };
    let printer = Arc::new(setup(stdout, verbosity(&cli.global), colour(cli.global.color, &world)));
    let called = words.first().cloned().unwrap_or_default();
    let (json, naming) = (cli.global.json, naming(&cli.command));
    // A command that tells of events prints a line for each.
    let streams = matches!(cli.command, Command::Mcp { command: McpCommand::Subscribe(_) });
    let mut run = Run { world, global: cli.global, printer: printer.clone(), naming, called };
    let outcome = commands::dispatch(&mut run, cli.command);
    let outcome = outcome.and_then(|exit| Ok(printer.flush().map(|()| exit)?));
    let wants_json = || json && (streams || !printer.has_printed());
    match outcome {
        Ok(exit) => {
            if let Some(told) = Told::ended(exit).filter(|_| !streams && wants_json()) {
                let _ = told.print(&printer);
            }
            exit
        }
        Err(failure) => {
            // Data that came before the failure leaves before its message; that it cannot is no news then.
            let _ = printer.flush();
            explain(&failure, naming, &printer);
            if wants_json() && !failure.is_silent() {
                let _ = Told::of(&failure, naming).print(&printer);
            }
            failure.exit()
        }
    }
}

/// Prints what a shell asks for.
fn complete(world: World, printer: Printer, words: &[OsString]) -> Exit {
    let printer = Arc::new(printer);
    let mut run = Run {
        world,
        global: GlobalArgs::default(),
        printer: printer.clone(),
        naming: Naming::Name,
        called: OsString::new(),
    };
    names(&mut run, words);
    // A shell that went away needs no names.
    let _ = printer.flush();
    Exit::Ok
}

/// How the server of this run is named on a command line.
fn naming(command: &Command) -> Naming {
    let Command::Mcp { command } = command else { return Naming::Name };
    match command.in_place_of_name() {
        Some(InPlaceOfName { stdio: Some(_), .. }) => Naming::Stdio,
        Some(InPlaceOfName { url: Some(_), .. }) => Naming::Url,
        _ => Naming::Name,
    }
}

pub(crate) fn verbosity(global: &GlobalArgs) -> Verbosity {
    match (global.quiet, global.verbose) {
        (true, _) => Verbosity::Quiet,
        (_, true) => Verbosity::Verbose,
        _ => Verbosity::Normal,
    }
}

/// What the user decided about colour, if anything.
pub(crate) fn colour(choice: ColourChoice, world: &World) -> Option<Colour> {
    let set = |name| world.variable(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColourChoice::Always => Some(Colour::Yes),
        ColourChoice::Never => Some(Colour::No),
        ColourChoice::Auto if set("NO_COLOR") => Some(Colour::No),
        ColourChoice::Auto if world.variable("TERM").is_some_and(|term| term == "dumb") => Some(Colour::No),
        ColourChoice::Auto => None,
    }
}
