//! Runs every check and says all that is wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::{layers, named_tests, sources, words};
use crate::run::{output, root};

/// Checks the whole tree.
pub(crate) fn tidy() -> Result<(), String> {
    let root = root();
    let text = fs::read_to_string(root.join("xtask/layers.toml")).map_err(|error| error.to_string())?;
    let rules: layers::Rules = toml::from_str(&text).map_err(|error| error.to_string())?;
    let metadata = output(crate::run::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let mut faults = layers::check(&rules, &metadata)?;
    for entry in fs::read_dir(&root).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        faults.extend(top_level(&name));
    }
    let mut files = BTreeMap::new();
    collect(&root, &root, &mut files)?;
    for (name, text) in &files {
        faults.extend(words::check(name, text));
        if name.ends_with(".rs") {
            faults.extend(sources::check(name, text, &rules.expose.allowed));
        }
    }
    let code = files.iter().filter(|(name, _)| name.ends_with(".rs")).map(|(_, text)| text.as_str());
    let functions = named_tests::functions(code);
    for name in named_tests::PAGES {
        match files.get(*name) {
            Some(page) => faults.extend(named_tests::check(name, page, &functions)),
            None => faults.push(format!("{name}: is not there")),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Top-level names beside dot files; `target` is what cargo builds.
const TOP: &[&str] = &[
    "ARCHITECTURE.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "crates",
    "docs",
    "target",
    "tests",
    "xtask",
];

fn top_level(name: &str) -> Option<String> {
    let known = name.starts_with('.') || TOP.contains(&name);
    (!known).then(|| format!("{name}: the top level holds nothing of this name"))
}

/// Every text file of the tree by its path, save what is built and lock files, which are made of registries.
fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, String>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.strip_prefix(root).expect("it lies below").to_string_lossy().replace('\\', "/");
        if path.is_symlink() || name.ends_with("Cargo.lock") || name == ".git" || name.ends_with("target") {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let bytes = fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
            // What is no text is a fixture.
            if let Ok(text) = String::from_utf8(bytes) {
                files.insert(name, text);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::top_level;

    #[test]
    fn the_top_level_holds_known_names_alone() {
        assert_eq!(top_level("crates"), None);
        assert_eq!(top_level(".github"), None);
        assert!(top_level("src").is_some_and(|fault| fault.starts_with("src: ")));
    }
}
