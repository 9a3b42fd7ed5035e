//! The scripted model as a process of its own.

use std::io::{self, Read, Write};

use super::fake::ModelFake;
use crate::mode::Run;

/// Reads `SCRIPT`, a file or JSON. The program prints its base URL, serves until its standard input ends, and prints
/// then what it was asked, a body a line.
pub(crate) fn select(arguments: &[String]) -> Result<Run, String> {
    let [script] = arguments else { return Err("--model takes one script: a file, or JSON".to_owned()) };
    let script = match script.trim_start().starts_with(['[', '{']) {
        true => script.clone(),
        false => std::fs::read_to_string(script).map_err(|error| format!("cannot read {script}: {error}"))?,
    };
    let fake = ModelFake::listen(&script, 0)?;
    Ok(Box::new(move || match serve(&fake) {
        Ok(()) => 0,
        Err(fault) => {
            crate::complain(&fault.to_string());
            1
        }
    }))
}

fn serve(fake: &ModelFake) -> io::Result<()> {
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", fake.base_url())?;
    stdout.flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    for body in fake.asked() {
        writeln!(stdout, "{body}")?;
    }
    stdout.flush()
}
