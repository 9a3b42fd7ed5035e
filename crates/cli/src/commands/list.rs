//! `mcp list`: every configured server, without starting anything.

use codewhale_mcp_config::{
    Auth, Entry, MergedServer, ServerEntry, enclosing_project, misplaced, project_file,
};
use codewhale_mcp_manager::LoginStanding;
use serde::Serialize;

use crate::configured::{Configured, UserFile};
use crate::exit::Exit;
use crate::failure::{Failure, standing_text, standing_word};
use crate::logged;
use crate::print::{Fit, Line, Paint, Table};
use crate::run::Run;
use crate::shown::{Reached, ShownPlace};
use crate::trusted::Skipped;

#[derive(Serialize)]
struct Listing<'a> {
    config: Option<Config>,
    workspace: String,
    servers: Vec<Server<'a>>,
    skipped: Vec<Server<'a>>,
    /// Files that look like ours and are not read.
    unread: Vec<String>,
    warnings: &'a [String],
}

/// The user's file.
#[derive(Serialize)]
struct Config {
    path: String,
    exists: bool,
}

#[derive(Serialize)]
struct Server<'a> {
    name: &'a str,
    scope: &'static str,
    transport: Option<&'static str>,
    state: &'static str,
    required: bool,
    auth: Option<&'static str>,
    /// `unknown`, `logged_in`, `expired`, `logged_out` or `needed`; nothing where no login is ever used.
    login: Option<&'static str>,
    #[serde(skip)]
    standing: Option<LoginStanding>,
    #[serde(flatten)]
    reached: Reached,
    place: ShownPlace,
    overrides: Vec<Overridden>,
    problems: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Overridden {
    scope: &'static str,
    place: ShownPlace,
}

pub(super) fn list(run: &Run) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let servers: Vec<Server<'_>> =
        configured.merged.servers.iter().map(|server| counting(run, &configured, server)).collect();
    let skipped: Vec<Server<'_>> = configured.skipped.iter().map(left_out).collect();
    let place = &configured.place;
    let unread = match configured.user {
        Some(_) => misplaced(&place.workspace, &place.home, &std::path::Path::is_file),
        None => Vec::new(),
    };
    let unread: Vec<String> = unread
        .iter()
        .filter(|path| **path != place.config.path)
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    if run.global.json {
        run.printer.json(&Listing {
            config: configured.user.map(|state| Config {
                path: place.config.path.to_string_lossy().into_owned(),
                exists: state == UserFile::Read,
            }),
            workspace: place.workspace.to_string_lossy().into_owned(),
            servers,
            skipped,
            unread,
            warnings: &configured.warnings,
        })?;
        return Ok(Exit::Ok);
    }
    table(run, &configured, &servers, &skipped)?;
    talk(run, &configured, &servers, &unread);
    Ok(Exit::Ok)
}

fn counting<'a>(run: &Run, configured: &Configured, server: &'a MergedServer) -> Server<'a> {
    let state = match &server.entry.definition {
        Err(_) => "refused",
        Ok(definition) if definition.is_on() => "on",
        Ok(_) => "off",
    };
    let overrides = server
        .overridden
        .iter()
        .map(|entry| Overridden { scope: entry.place.scope.as_str(), place: ShownPlace::from(&entry.place) });
    let environment = |name: &str| configured.variable(name);
    let outlook = server.outlook(&environment, &configured.place.workspace);
    let resolved = server.resolve(&environment, &configured.place.workspace).ok();
    let standing = resolved.and_then(|resolved| logged::standing(configured, &resolved, run.world.clock));
    Server {
        login: standing.as_ref().map(LoginStanding::as_str),
        standing,
        overrides: overrides.collect(),
        problems: outlook.problems.iter().map(ToString::to_string).collect(),
        warnings: outlook.warnings.iter().map(ToString::to_string).collect(),
        ..shown(&server.entry, state)
    }
}

fn left_out(skipped: &Skipped) -> Server<'_> {
    shown(&skipped.entry, standing_word(skipped.standing))
}

fn shown<'a>(entry: &'a Entry, state: &'static str) -> Server<'a> {
    let definition = entry.definition.as_ref().ok();
    Server {
        name: &entry.name,
        scope: entry.place.scope.as_str(),
        transport: definition.map(|definition| definition.kind.as_str()),
        state,
        required: definition.and_then(|definition| definition.required.as_ref()).is_some_and(|set| set.value),
        auth: definition.map(|definition| definition.auth().as_str()),
        login: None,
        standing: None,
        reached: definition.map(Reached::of).unwrap_or_default(),
        place: ShownPlace::from(&entry.place),
        overrides: Vec::new(),
        problems: entry.definition.as_ref().err().into_iter().flatten().map(ToString::to_string).collect(),
        warnings: entry.warnings.iter().map(ToString::to_string).collect(),
    }
}

fn table(
    run: &Run,
    configured: &Configured,
    servers: &[Server<'_>],
    skipped: &[Server<'_>],
) -> Result<(), Failure> {
    if servers.is_empty() && skipped.is_empty() {
        return Ok(());
    }
    let mut table = Table::new([
        ("NAME", Fit::Keep),
        ("SCOPE", Fit::Drop),
        ("TRANSPORT", Fit::Drop),
        ("STATE", Fit::Keep),
        ("AUTH", Fit::Drop),
        ("SERVER", Fit::Cut),
    ]);
    for (server, merged) in servers.iter().zip(&configured.merged.servers) {
        row(&mut table, server, server.state);
        for entry in &merged.overridden {
            row(&mut table, &shown(entry, "overridden"), "overridden");
        }
    }
    for (server, skipped) in skipped.iter().zip(&configured.skipped) {
        let on = skipped.entry.definition.as_ref().map_or(true, ServerEntry::is_on);
        row(&mut table, server, &[server.state, if on { "" } else { ", off" }].concat());
    }
    table.print(&run.printer)?;
    Ok(())
}

fn row(table: &mut Table, server: &Server<'_>, state: &str) {
    let paint = match state {
        "on" => Paint::Good,
        "refused" => Paint::Bad,
        "off" | "overridden" => Paint::Dim,
        _ => Paint::Odd,
    };
    let required = if server.required && state == "on" { ", required" } else { "" };
    let auth = match server.auth.filter(|auth| *auth != Auth::None.as_str()) {
        Some(auth) => logged::words(auth, server.standing.as_ref()),
        None => "-".to_owned(),
    };
    table.row([
        Line::new().bold(server.name),
        Line::from(server.scope),
        Line::from(server.transport.unwrap_or("?")),
        Line::new().add(paint, state).plain(required),
        Line::from(auth),
        Line::from(server.reached.line()),
    ]);
}

/// What a person wants to know beside the table.
fn talk(run: &Run, configured: &Configured, servers: &[Server<'_>], unread: &[String]) {
    let printer = &run.printer;
    configured.warnings.iter().for_each(|warning| printer.warn(warning));
    for server in servers {
        server.problems.iter().for_each(|problem| printer.warn(problem));
        server.warnings.iter().for_each(|warning| printer.warn(warning));
    }
    let place = &configured.place;
    for skipped in &configured.skipped {
        let why = standing_text(skipped.standing);
        printer.warn(format!("{}: `{}` is skipped, {why}", skipped.entry.place, skipped.entry.name));
    }
    if !configured.skipped.is_empty() {
        let file = project_file(&place.workspace);
        printer.hint(format!("look at {} and agree with `codewhale trust`", file.display()));
    }
    let path = place.config.path.display();
    match configured.user {
        Some(UserFile::Read) => printer.note(Line::new().dim(format!("read from {path}"))),
        Some(UserFile::Missing) => {
            printer.note(format!("the configuration is read from {path}, which does not exist"))
        }
        None => {}
    }
    if let Some(legacy) = &place.config.unused_legacy {
        printer.note(format!("{} is not read, because {path} is there", legacy.display()));
    }
    for file in unread {
        // Where there are servers, other programs' files are no surprise.
        match servers.is_empty() {
            true => printer.warn(format!("{file} is not read")),
            false => printer.note(Line::new().dim(format!("{file} is not read"))),
        }
    }
    let enclosing = enclosing_project(&place.workspace, &place.home, &std::path::Path::is_file);
    if let Some(folder) = enclosing.filter(|_| configured.user.is_some()) {
        let folder = crate::hint::word(&folder.to_string_lossy());
        printer.hint(format!("--workspace {folder} uses the project's own servers"));
    }
    match (servers.is_empty(), unread.first()) {
        (true, Some(file)) => {
            let file = crate::hint::word(file);
            printer.hint(format!("use it with --config {file}, or move its servers to {path}"));
        }
        (true, None) => printer.hint("add a server with `codewhale mcp add NAME -- CMD ARGS…`"),
        _ => {}
    }
}
