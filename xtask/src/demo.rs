//! `cargo xtask demo`: the main job, end to end, on the fake server.

use std::path::Path;

use crate::run::{cargo, output, root, succeed};

/// Builds the binary and the fake server, then adds the fake to a fresh configuration, checks it, lists its tools
/// and calls one, printing each command before what it prints.
pub(crate) fn demo() -> Result<(), String> {
    succeed(cargo(&["build", "--package", "codewhale", "--package", "codewhale-testkit"]))?;
    let metadata = output(cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let target = metadata["target_directory"].as_str().ok_or("cargo names no target directory")?;
    let binary =
        |name: &str| Path::new(target).join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
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
