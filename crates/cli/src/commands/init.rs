//! `mcp init`: a starter file.

use codewhale_mcp_config::edit::{OnExisting, init_file};
use codewhale_mcp_config::{Rule, Scope};
use serde::Serialize;

use crate::args::InitArgs;
use crate::configured::Place;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::Line;
use crate::run::Run;

#[derive(Serialize)]
struct Written<'a> {
    path: String,
    backup: Option<String>,
    /// A file of an older place that no longer counts.
    superseded: Option<&'a str>,
}

pub(super) fn init(run: &Run, args: &InitArgs) -> Result<Exit, Failure> {
    let place = Place::find(run)?;
    let path = &place.config.init_path;
    let on_existing = if args.force { OnExisting::Replace } else { OnExisting::Refuse };
    let backup = init_file(path, Scope::User, on_existing)?;
    let legacy = match place.config.rule {
        Rule::Legacy => Some(&place.config.path),
        _ => place.config.unused_legacy.as_ref(),
    };
    let text = |path: &std::path::PathBuf| path.to_string_lossy().into_owned();
    let superseded = legacy.map(text);
    if run.global.json {
        let written = Written {
            path: text(path),
            backup: backup.as_ref().map(text),
            superseded: superseded.as_deref(),
        };
        run.printer.json(&written)?;
        return Ok(Exit::Ok);
    }
    run.printer.line(Line::new().plain("wrote ").bold(text(path)))?;
    if let Some(backup) = &backup {
        run.printer.note(format!("the old file is now {}", backup.display()));
    }
    if let Some(legacy) = superseded {
        run.printer.warn(format!("{legacy} is no longer read; add its servers to the new file"));
    }
    run.printer.hint("add a server with `codewhale mcp add NAME -- CMD ARGS…`");
    Ok(Exit::Ok)
}
