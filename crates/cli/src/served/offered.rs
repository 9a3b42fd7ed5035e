//! What is served, by the user's settings and the arguments.

use std::collections::BTreeSet;

use codewhale_mcp_config::{Located, McpServer};
use codewhale_native::{Keep, Options, Permit, Workspace, environment};

use crate::args::ServerArgs;
use crate::configured::Place;
use crate::failure::Failure;
use crate::guard::guard_of;
use crate::run::Run;

/// What is served. The user's settings count, those of a workspace do not.
pub(super) fn options(run: &Run, args: &ServerArgs) -> Result<Options, Failure> {
    let place = Place::find(run)?;
    place.settings.warnings.iter().for_each(|warning| run.printer.warn(warning.to_string()));
    let McpServer { allow, shell_env } = &place.settings.mcp_server;
    let workspace = Workspace::open(&place.workspace, &keep(run, &place)).map_err(|error| {
        Failure::usage(format!(
            "cannot serve {}: {error}; choose a folder with --workspace",
            place.workspace.display()
        ))
    })?;
    let variables: Vec<String> = shell_env.iter().map(|name| name.value.clone()).collect();
    Ok(Options {
        workspace,
        allow: permits(allow, &args.allow)?,
        environment: environment(&run.world.environment, &variables),
        guard: guard_of(run.world.program.as_deref()),
        version: crate::VERSION.to_owned(),
    })
}

/// What is read as the user's settings is not the tools' to write, whichever file counts now.
fn keep(run: &Run, place: &Place) -> Keep {
    let users = place.home.user.iter();
    let ours = users.flat_map(|user| [".codewhale", ".deepseek/mcp.json"].map(|name| user.join(name)));
    // Of this flag a value is a path or JSON.
    let given = run.global.mcp_config.iter().filter(|given| !given.trim_start().starts_with('{'));
    let given = given.map(|path| run.world.cwd.join(path));
    Keep {
        away: ours.chain([place.home.folder.clone()]).collect(),
        unwritten: place.candidates.iter().cloned().chain(given).collect(),
    }
}

/// What is allowed. A name that allows nothing is a mistake that nobody would notice otherwise.
fn permits(settings: &[Located<String>], args: &[String]) -> Result<BTreeSet<Permit>, Failure> {
    let set = settings.iter().map(|name| {
        let permit = name.value.parse::<Permit>();
        permit.map_err(|error| Failure::usage(format!("{}: mcp_server.allow: {error}", name.place)))
    });
    let given = allowed(args)?;
    set.chain(given.into_iter().map(Ok)).collect()
}

/// What `--allow` names.
pub(crate) fn allowed(args: &[String]) -> Result<BTreeSet<Permit>, Failure> {
    let permit = |name: &String| {
        name.trim().parse::<Permit>().map_err(|error| Failure::usage(format!("--allow: {error}")))
    };
    args.iter().map(permit).collect()
}
