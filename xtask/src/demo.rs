//! `cargo xtask demo`: the main job, end to end, on the fake server.

use std::path::Path;

use crate::run::{build, root, succeed, target};

/// Builds the binary and the fake server, then adds the fake to a fresh configuration, checks it, lists its tools
/// and calls one, printing each command before what it prints.
pub(crate) fn demo() -> Result<(), String> {
    build()?;
    let folder = target()?.join("debug");
    let binary = |name: &str| folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let fake = binary("codewhale-fake").display().to_string();
    let home = std::env::temp_dir().join(format!("codewhale-demo-{}", std::process::id()));
    let shown = steps(&fake).iter().try_for_each(|words| step(&binary("codewhale"), words, &home));
    // What a demonstration leaves behind harms nobody.
    let _ = std::fs::remove_dir_all(home);
    shown
}

/// The main job in five commands.
fn steps(fake: &str) -> [Vec<&str>; 5] {
    [
        vec!["add", "demo", "--", fake, "plain"],
        vec!["list"],
        vec!["validate"],
        vec!["tools", "demo"],
        vec!["call", "demo", "echo", "text=hello"],
    ]
}

fn step(codewhale: &Path, words: &[&str], home: &Path) -> Result<(), String> {
    println!("\n$ codewhale mcp {}", words.join(" "));
    let mut command = std::process::Command::new(codewhale);
    command.arg("mcp").args(words).env("CODEWHALE_HOME", home).current_dir(root());
    succeed(command)
}
