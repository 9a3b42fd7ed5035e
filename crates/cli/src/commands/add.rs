//! `mcp add` and `mcp add-json`: a new server.

use std::io::Read;
use std::path::PathBuf;

use codewhale_mcp_config::edit::{Definition, Draft, OnExisting, Outcome, add as add_entry, edit_file};
use codewhale_mcp_config::{Entry, Scope, ServerEntry, Warning, project_file, valid_new_name};
use serde::Serialize;

use crate::args::{AddArgs, AddJsonArgs};
use crate::configured::Place;
use crate::draft::{remote, secrets};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::Line;
use crate::run::Run;

/// The longest definition that is read from standard input.
const LONGEST: u64 = 1 << 20;

pub(super) fn add(run: &Run, args: &AddArgs) -> Result<Exit, Failure> {
    check_name(&args.name)?;
    let definition = Definition::from(&draft(args)?);
    write(run, &args.name, &definition, Target { project: args.project, force: args.force, typed: true })
}

pub(super) fn add_json(run: &mut Run, args: &AddJsonArgs) -> Result<Exit, Failure> {
    check_name(&args.name)?;
    let piped = args.definition == "-";
    let text = if piped { from_stdin(run)? } else { args.definition.clone() };
    let snippet = codewhale_mcp_config::edit::parse_snippet(&text, &args.name)?;
    if let Some(name) = snippet.name.as_ref().filter(|name| **name != args.name) {
        run.printer.note(format!("the text calls the server `{name}`, it is added as `{}`", args.name));
    }
    let target = Target { project: args.project, force: args.force, typed: !piped };
    write(run, &args.name, &snippet.definition, target)
}

pub(super) struct Target {
    pub(super) project: bool,
    pub(super) force: bool,
    /// Whether the definition stood on the command line.
    pub(super) typed: bool,
}

#[derive(Serialize)]
struct Added<'a> {
    name: &'a str,
    path: String,
    scope: &'static str,
    change: &'static str,
    warnings: Vec<String>,
}

pub(super) fn write(run: &Run, name: &str, definition: &Definition, target: Target) -> Result<Exit, Failure> {
    let place = Place::find(run)?;
    let (path, scope): (PathBuf, _) = match target.project {
        true => (project_file(&place.workspace), Scope::Project),
        false => (place.config.path.clone(), Scope::User),
    };
    let entry = definition.check(name, scope).map_err(|error| Failure::Edit(error.into()))?;
    let on_existing = if target.force { OnExisting::Replace } else { OnExisting::Refuse };
    let outcome =
        edit_file(&path, scope, |text, source| add_entry(text, source, name, definition, on_existing))?;
    let warnings = warnings(&entry, target.typed);
    if run.global.json {
        let added = Added {
            name,
            path: path.to_string_lossy().into_owned(),
            scope: scope.as_str(),
            change: change_word(outcome),
            warnings,
        };
        run.printer.json(&added)?;
        return Ok(Exit::Ok);
    }
    for warning in warnings {
        run.printer.warn(warning);
    }
    let done = if outcome == Outcome::Unchanged { "already there: " } else { "added " };
    run.printer.line(Line::new().plain(done).bold(name).plain(format!(" in {}", path.display())))?;
    if outcome == Outcome::Unchanged {
        return Ok(Exit::Ok);
    }
    if !entry.definition.as_ref().is_ok_and(ServerEntry::is_on) {
        run.printer.hint(format!("turn it on with `codewhale mcp enable {name}`"));
    } else if target.project {
        run.printer.hint("it counts once you agree with `codewhale trust`");
    } else {
        run.printer.hint(format!("see whether it starts with `codewhale mcp connect {name}`"));
    }
    Ok(Exit::Ok)
}

pub(super) fn change_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Created => "created",
        Outcome::Changed => "changed",
        Outcome::Unchanged => "unchanged",
    }
}

/// What is odd about the definition, and which secrets stood where everybody can read them.
fn warnings(entry: &Entry, typed: bool) -> Vec<String> {
    let literal = entry.definition.as_ref().map(ServerEntry::literal_secrets).unwrap_or_default();
    let odd = entry.warnings.iter().filter(|warning| !matches!(warning, Warning::LiteralSecret { .. }));
    let place = format!("{}: ", entry.place);
    let strip = |warning: &Warning| {
        let text = warning.to_string();
        // The definition has no place that a person could look at.
        let at = format!("{}: ", warning.place());
        text.strip_prefix(&at).or_else(|| text.strip_prefix(&place)).unwrap_or(&text).to_owned()
    };
    let mut texts: Vec<String> = odd.map(strip).collect();
    texts.extend(literal.iter().map(strip));
    if typed && !literal.is_empty() {
        texts.push("the command line is seen by other processes and stays in the shell's history".to_owned());
    }
    texts
}

pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    if valid_new_name(name) {
        return Ok(());
    }
    let error = codewhale_mcp_config::edit::EditError::BadName { name: name.to_owned() };
    Err(Failure::Edit(error.into()))
}

fn draft(args: &AddArgs) -> Result<Draft, Failure> {
    let (command, arguments) = match args.argv.split_first() {
        Some((command, arguments)) => (Some(command.clone()), arguments.to_vec()),
        None => (args.command.clone(), args.arg.clone()),
    };
    if command.is_none() && args.url.is_none() {
        return Err(Failure::NoProgram { name: args.name.clone() });
    }
    Ok(Draft {
        command,
        args: arguments,
        env: secrets("--env", &args.env)?,
        cwd: args.cwd.clone(),
        scopes: args.scope.clone(),
        oauth_client_id: args.oauth_client_id.clone(),
        oauth_resource: args.oauth_resource.clone(),
        connect_timeout: args.connect_timeout,
        execute_timeout: args.execute_timeout,
        read_timeout: args.read_timeout,
        required: args.required,
        disabled: args.disabled,
        ..remote(args.url.as_deref(), &args.remote)?
    })
}

fn from_stdin(run: &mut Run) -> Result<String, Failure> {
    let mut text = String::new();
    let read = (&mut run.world.stdin).take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::system("read standard input", error))?;
    if text.len() as u64 > LONGEST {
        return Err(Failure::usage(format!("standard input holds more than {LONGEST} bytes")));
    }
    Ok(text)
}
