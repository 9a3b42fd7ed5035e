//! Which crate may use which.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `layers.toml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Rules {
    base: Vec<String>,
    dev: Vec<String>,
    apart: Vec<String>,
    edges: BTreeMap<String, Vec<String>>,
    pub(crate) expose: Expose,
}

/// Where secrets are taken out.
#[derive(Debug, Deserialize)]
pub(crate) struct Expose {
    /// Beginnings of paths.
    pub(crate) allowed: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    kind: Option<String>,
    path: Option<String>,
}

/// Every edge between our crates that the rules do not allow, from `cargo metadata --no-deps`.
pub(crate) fn check(rules: &Rules, metadata: &str) -> Result<Vec<String>, String> {
    let metadata: Metadata = serde_json::from_str(metadata).map_err(|error| error.to_string())?;
    let mut faults = Vec::new();
    for package in &metadata.packages {
        let Some(edges) = rules.edges.get(&package.name) else {
            faults.push(format!("{}: not in xtask/layers.toml", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| dependency.path.is_some()) {
            let in_base = rules.base.contains(&dependency.name)
                && !rules.base.contains(&package.name)
                && !rules.apart.contains(&package.name);
            let in_tests = dependency.kind.as_deref() == Some("dev") && rules.dev.contains(&dependency.name);
            if !in_base && !in_tests && !edges.contains(&dependency.name) {
                faults.push(format!("{} must not use {}", package.name, dependency.name));
            }
        }
    }
    let is_there = |name: &str| metadata.packages.iter().any(|package| package.name == name);
    let gone = rules.edges.keys().filter(|name| !is_there(name));
    faults.extend(gone.map(|name| format!("{name}: in xtask/layers.toml but not in the workspace")));
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is wrong when `name` alone uses `on`, in a workspace of five crates.
    fn faults(name: &str, on: &str, kind: &str) -> Vec<String> {
        let rules: Rules = toml::from_str(
            "base = ['low']\ndev = ['kit']\napart = ['kit', 'tool']\n[edges]\nlow = []\nmid = []\nhigh = ['mid']\nkit = []\ntool = []\n[expose]\nallowed = []",
        )
        .unwrap();
        let package = |other: &str| {
            let edge = format!(
                r#"{{"name":"{on}","kind":{kind},"path":"p"}},{{"name":"serde","kind":null,"path":null}}"#
            );
            let edges = if other == name { edge.as_str() } else { "" };
            format!(r#"{{"name":"{other}","dependencies":[{edges}]}}"#)
        };
        let mut names = vec!["low", "mid", "high", "kit", "tool"];
        if !names.contains(&name) {
            names.push(name);
        }
        let packages: Vec<String> = names.into_iter().map(package).collect();
        check(&rules, &format!(r#"{{"packages":[{}]}}"#, packages.join(","))).unwrap()
    }

    #[test]
    fn an_edge_that_is_not_named_is_a_fault() {
        for (name, on, kind) in [
            ("high", "mid", "null"),
            ("high", "low", "null"),
            ("mid", "low", "\"build\""),
            ("mid", "kit", "\"dev\""),
        ] {
            assert!(faults(name, on, kind).is_empty(), "{name} may use {on}");
        }
        for (name, on, kind) in [
            ("mid", "high", "null"),
            ("mid", "high", "\"dev\""),
            ("mid", "kit", "null"),
            ("low", "low", "null"),
            ("kit", "low", "null"),
            ("tool", "low", "null"),
        ] {
            assert_eq!(faults(name, on, kind), [format!("{name} must not use {on}")]);
        }
    }

    #[test]
    fn the_list_of_crates_is_complete_and_has_no_more() {
        assert_eq!(faults("new", "low", "null"), ["new: not in xtask/layers.toml"]);
        let rules: Rules =
            toml::from_str("base = []\ndev = []\napart = []\n[edges]\ngone = []\n[expose]\nallowed = []")
                .unwrap();
        let faults = check(&rules, r#"{"packages":[]}"#).unwrap();
        assert_eq!(faults, ["gone: in xtask/layers.toml but not in the workspace"]);
    }
}
