//! `trust` and `untrust`: whether a workspace's own servers count.

use codewhale_mcp_config::{Entry, FileError, McpFile, Scope, ServerEntry, enclosing_project, project_file};
use codewhale_mcp_manager::{Standing, steers_programs};
use serde::Serialize;

use crate::args::{TrustArgs, UntrustArgs};
use crate::configured::{Place, workspace};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Line, Paint};
use crate::run::Run;
use crate::shown::Reached;

#[derive(Serialize)]
struct Answered {
    workspace: String,
    path: String,
    servers: Vec<Server>,
}

#[derive(Serialize)]
struct Server {
    name: String,
    #[serde(flatten)]
    reached: Reached,
    /// Names only.
    env: Vec<String>,
    trusted: bool,
    refused: bool,
}

#[derive(Serialize)]
struct Withdrawn {
    workspace: String,
    withdrawn: usize,
}

pub(super) fn trust(run: &mut Run, args: &TrustArgs) -> Result<Exit, Failure> {
    let mut place = Place::find(run)?;
    if let Some(dir) = &args.dir {
        place.workspace = workspace(run, Some(dir))?;
    }
    let path = project_file(&place.workspace);
    let file = McpFile::read(&path, Scope::Project).map_err(|error| unusable(&place, error))?;
    let store = place.trust_store();
    let consents = store.load()?;
    let (mut servers, mut unanswered) = (Vec::new(), false);
    for entry in &file.entries {
        let standing = consents.standing(&place.workspace, &entry.name, &entry.hash);
        let Ok(definition) = &entry.definition else {
            refused(run, entry);
            servers.push(server(entry, None, Standing::New));
            continue;
        };
        let mut standing = standing;
        if standing != Standing::Trusted {
            show(run, entry, definition, standing);
            let answer = if args.yes { Answer::Yes } else { ask(run, &entry.name)? };
            unanswered |= answer == Answer::Nobody;
            if answer == Answer::Yes {
                let now = (run.world.clock)();
                store.trust(&place.workspace, &[(entry.name.as_str(), &entry.hash)], now)?;
                standing = Standing::Trusted;
            }
        }
        servers.push(server(entry, Some(definition), standing));
    }
    let all = servers.iter().all(|server| server.trusted || server.refused);
    if run.global.json {
        let (workspace, path) = (text(&place.workspace), text(&path));
        run.printer.json(&Answered { workspace, path, servers })?;
    } else {
        summary(run, &servers)?;
    }
    match (all, unanswered) {
        (true, _) => Ok(Exit::Ok),
        (false, true) => Err(Failure::NoAnswer),
        (false, false) => Ok(Exit::Blocked),
    }
}

/// A folder within a project is easily taken for the project.
fn unusable(place: &Place, error: FileError) -> Failure {
    let exists = std::path::Path::is_file;
    let enclosing = enclosing_project(&place.workspace, &place.home, &exists).filter(|_| error.is_missing());
    Failure::ProjectFile { error: Box::new(error), enclosing }
}

pub(super) fn untrust(run: &Run, args: &UntrustArgs) -> Result<Exit, Failure> {
    let place = Place::find(run)?;
    let workspace = match &args.dir {
        // A folder that is gone can still lose what it was given.
        Some(dir) => run.world.cwd.join(dir),
        None => place.workspace.clone(),
    };
    let withdrawn = place.trust_store().untrust(&workspace)?;
    if run.global.json {
        run.printer.json(&Withdrawn { workspace: text(&workspace), withdrawn })?;
        return Ok(Exit::Ok);
    }
    let what = match withdrawn {
        0 => "nothing of it was trusted".to_owned(),
        1 => "1 server is no longer trusted".to_owned(),
        many => format!("{many} servers are no longer trusted"),
    };
    run.printer.line(format!("{}: {what}", workspace.display()))?;
    Ok(Exit::Ok)
}

/// What somebody who was asked said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Nobody,
}

fn ask(run: &mut Run, name: &str) -> Result<Answer, Failure> {
    let Some(person) = &mut run.world.person else { return Ok(Answer::Nobody) };
    run.printer.question(Line::new().plain("trust ").bold(name).plain("? [y/N]"));
    let answer = person.answer().map_err(|error| Failure::system("read the answer", error))?;
    Ok(match answer.map(|answer| answer.to_ascii_lowercase()).as_deref() {
        Some("y" | "yes") => Answer::Yes,
        _ => Answer::No,
    })
}

fn show(run: &Run, entry: &Entry, definition: &ServerEntry, standing: Standing) {
    let label = |label: &str| Line::new().dim(format!("  {label:<8} "));
    let state = match standing {
        Standing::Changed => Line::new().add(Paint::Odd, " (changed since it was trusted)"),
        _ => Line::new(),
    };
    run.printer.talk(Line::new().bold(&entry.name).join(state).dim(format!("  {}", entry.place)));
    let reached = Reached::whole(definition);
    run.printer.talk(label(if reached.url.is_some() { "url" } else { "runs" }).plain(reached.line()));
    let names: Vec<&str> = definition.env.iter().map(|pair| pair.name.as_str()).collect();
    if !names.is_empty() {
        run.printer.talk(label("env").plain(names.join(", ")));
    }
    for pair in definition.env.iter().filter(|pair| steers_programs(&pair.name)) {
        let told = format!("`{}` may change what runs: {}", pair.name, pair.value.value.expose());
        run.printer.talk(Line::new().plain("  ").add(Paint::Odd, "warning:").plain(" ").plain(told));
    }
    if let Some(cwd) = &definition.cwd {
        run.printer.talk(label("cwd").plain(&cwd.value));
    }
    let headers: Vec<&str> = definition.headers.iter().map(|pair| pair.name.as_str()).collect();
    if !headers.is_empty() {
        run.printer.talk(label("headers").plain(headers.join(", ")));
    }
    for (key, variable) in definition.sent_variables() {
        run.printer.talk(label("sends").plain(format!("the value of {variable} ({key})")));
    }
    if definition.allow_private_network.as_ref().is_some_and(|allow| allow.value) {
        run.printer.talk(label("reaches").plain("private addresses behind that name"));
    }
}

fn refused(run: &Run, entry: &Entry) {
    for problem in entry.definition.as_ref().err().into_iter().flatten() {
        run.printer.warn(problem.to_string());
    }
}

/// Names of variables: those that a program gets, or those whose values a remote server is sent.
fn environment(definition: &ServerEntry) -> Vec<String> {
    let sent = definition.sent_variables().into_iter().map(|(_, variable)| variable);
    definition.env.iter().map(|pair| pair.name.clone()).chain(sent).collect()
}

fn server(entry: &Entry, definition: Option<&ServerEntry>, standing: Standing) -> Server {
    Server {
        name: entry.name.clone(),
        reached: definition.map(Reached::of).unwrap_or_default(),
        env: definition.map(environment).unwrap_or_default(),
        trusted: standing == Standing::Trusted,
        refused: definition.is_none(),
    }
}

fn summary(run: &Run, servers: &[Server]) -> Result<(), Failure> {
    if servers.is_empty() {
        run.printer.note("the workspace's own file has no server");
    }
    for server in servers {
        let state = match server {
            Server { refused: true, .. } => Line::new().add(Paint::Bad, "refused"),
            Server { trusted: true, .. } => Line::new().add(Paint::Good, "trusted"),
            _ => Line::new().add(Paint::Odd, "not trusted"),
        };
        run.printer.line(Line::new().bold(&server.name).plain(": ").join(state))?;
    }
    Ok(())
}

fn text(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}
