//! `cargo xtask demo`: the main job, end to end, on the fake server.

use std::path::Path;

use crate::run::{cargo, output, root};

/// Builds the binary and the fake server, then connects, lists tools and calls one, printing each command.
pub(crate) fn demo() -> Result<(), String> {
    crate::run::succeed(cargo(&["build", "--package", "codewhale", "--package", "codewhale-testkit"]))?;
    let metadata = output(cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let target = metadata["target_directory"].as_str().ok_or("cargo names no target directory")?;
    let binary =
        |name: &str| Path::new(target).join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let server = format!("'{}' plain", binary("codewhale-fake").display());
    for words in [&["connect"][..], &["tools"], &["call", "echo", "text=hello"]] {
        let (verb, rest) = words.split_first().expect("each step has a verb");
        println!("\n$ codewhale mcp {verb} --stdio \"{server}\" {}", rest.join(" "));
        let mut command = std::process::Command::new(binary("codewhale"));
        command.args(["mcp", verb, "--stdio", &server]).args(rest).current_dir(root());
        crate::run::succeed(command)?;
    }
    Ok(())
}
