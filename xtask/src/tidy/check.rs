//! Runs every check and says all that is wrong.

use std::fs;
use std::path::Path;

use super::{layers, sources};
use crate::run::{output, root};

/// Top-level names beside dot files.
const TOP: &[&str] = &[
    "ARCHITECTURE.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "crates",
    "docs",
    "target",
    "tests",
    "xtask",
];

/// Checks the whole tree.
pub(crate) fn tidy() -> Result<(), String> {
    let root = root();
    let text = fs::read_to_string(root.join("xtask/layers.toml")).map_err(|error| error.to_string())?;
    let rules: layers::Rules = toml::from_str(&text).map_err(|error| error.to_string())?;
    let metadata = output(crate::run::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let mut faults = layers::check(&rules, &metadata)?;
    for entry in fs::read_dir(&root).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !TOP.contains(&name.as_str()) {
            faults.push(format!("{name}: the top level holds nothing of this name"));
        }
    }
    for folder in ["crates", "tests", "xtask"] {
        visit(&root, &root.join(folder), &rules, &mut faults)?;
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn visit(root: &Path, folder: &Path, rules: &layers::Rules, faults: &mut Vec<String>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            visit(root, &path, rules, faults)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root).expect("it lies below").to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            faults.extend(sources::check(&name, &text, &rules.expose.allowed));
        }
    }
    Ok(())
}
