//! Which crate may use which.

use std::collections::BTreeMap;

use serde::Deserialize;

/// `layers.toml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Rules {
    base: Vec<String>,
    dev: Vec<String>,
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
            let in_base = rules.base.contains(&dependency.name) && !rules.base.contains(&package.name);
            let in_tests = dependency.kind.as_deref() == Some("dev") && rules.dev.contains(&dependency.name);
            if !in_base && !in_tests && !edges.contains(&dependency.name) {
                faults.push(format!("{} must not use {}", package.name, dependency.name));
            }
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_that_is_not_named_is_a_fault() {
        let rules: Rules = toml::from_str(
            "base = ['low']\ndev = ['kit']\n[edges]\nlow = []\nmid = []\nhigh = ['mid']\nkit = []\n[expose]\nallowed = []",
        )
        .unwrap();
        let faults = |name: &str, on: &str, kind: &str| {
            let text = format!(
                r#"{{"packages":[{{"name":"{name}","dependencies":[{{"name":"{on}","kind":{kind},"path":"p"}},{{"name":"serde","kind":null,"path":null}}]}}]}}"#
            );
            check(&rules, &text).unwrap()
        };
        assert!(faults("high", "mid", "null").is_empty());
        assert!(faults("high", "low", "null").is_empty());
        assert!(faults("mid", "kit", "\"dev\"").is_empty());
        assert_eq!(faults("mid", "high", "null"), ["mid must not use high"]);
        assert_eq!(faults("mid", "kit", "null"), ["mid must not use kit"]);
        assert_eq!(faults("low", "low", "null"), ["low must not use low"]);
        assert_eq!(faults("new", "low", "null"), ["new: not in xtask/layers.toml"]);
    }
}
