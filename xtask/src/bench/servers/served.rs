//! Who is measured.

use std::path::Path;

use crate::bench::programs;

/// A server that is started by a command.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) name: &'static str,
    /// As the floor takes it: words with spaces between.
    pub(super) command: String,
    /// How many calls it answers while the fastest answers 100.
    pub(super) share: u32,
}

/// Builds or installs all: the one with nothing but std, ours, and those of the official SDKs.
pub(super) fn all(std: &Path) -> Result<Vec<Served>, String> {
    let served = |name, words: &[&Path], share| {
        let words: Vec<String> = words.iter().map(|word| word.display().to_string()).collect();
        // The floor parts the command at white space.
        match words.iter().find(|word| word.contains(char::is_whitespace)) {
            Some(word) => Err(format!("there is white space in {word}")),
            None => Ok(Served { name, command: words.join(" "), share }),
        }
    };
    let ours = programs::served()?;
    let rmcp = programs::rmcp_server()?;
    let typescript = programs::typescript("server.mjs")?;
    let [python, script] = programs::python("server.py")?;
    Ok(vec![
        served("std", &[std], 100)?,
        served("ours", &[&ours], 100)?,
        served("rmcp", &[&rmcp], 20)?,
        served("ts", &[Path::new("node"), &typescript], 10)?,
        served("py", &[&python, &script], 2)?,
    ])
}
