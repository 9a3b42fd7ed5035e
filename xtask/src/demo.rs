//! `cargo xtask demo`: the main job, end to end, with this program as its own server.

use std::path::Path;

use crate::run::{build, root, succeed, target};

/// Builds the binary, then adds it to a fresh configuration as a server, checks it, lists its tools and calls one, printing
/// each command before what it prints.
pub(crate) fn demo() -> Result<(), String> {
    build()?;
    let folder = target()?.join("debug");
    let codewhale = folder.join(format!("codewhale{}", std::env::consts::EXE_SUFFIX));
    let home = std::env::temp_dir().join(format!("codewhale-demo-{}", std::process::id()));
    let shown = STEPS.iter().try_for_each(|words| step(&codewhale, words, &home));
    // What a demonstration leaves behind harms nobody.
    let _ = std::fs::remove_dir_all(home);
    shown
}

/// The main job in five commands.
const STEPS: [&[&str]; 5] = [
    &["add-self", "--workspace", "."],
    &["list"],
    &["validate"],
    &["tools", "codewhale"],
    &["call", "codewhale", "search_text", "pattern=agents", "path=README.md"],
];

fn step(codewhale: &Path, words: &[&str], home: &Path) -> Result<(), String> {
    println!("\n$ codewhale mcp {}", words.join(" "));
    let mut command = std::process::Command::new(codewhale);
    command.arg("mcp").args(words).env("CODEWHALE_HOME", home).current_dir(root());
    succeed(command)
}
