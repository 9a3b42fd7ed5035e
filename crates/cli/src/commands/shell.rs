//! `completions` and `man`: what describes the command line to others.

use std::path::Path;

use clap_complete::Shell;

use crate::args::command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

pub(super) fn completions(run: &Run, shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "codewhale", &mut script);
    run.printer.script(&script)?;
    Ok(Exit::Ok)
}

/// One page a command into a folder, or the first of them onto standard output.
pub(super) fn man(run: &Run, dir: Option<&Path>) -> Result<Exit, Failure> {
    let Some(dir) = dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command())
            .render(&mut page)
            .map_err(|error| Failure::system("write a page", error))?;
        run.printer.script(&page)?;
        return Ok(Exit::Ok);
    };
    let dir = run.world.cwd.join(dir);
    let failed = |error| Failure::system(format!("write pages to `{}`", dir.display()), error);
    std::fs::create_dir_all(&dir).map_err(failed)?;
    clap_mangen::generate_to(command(), &dir).map_err(failed)?;
    run.printer.line(format!("wrote the pages to {}", dir.display()))?;
    Ok(Exit::Ok)
}
