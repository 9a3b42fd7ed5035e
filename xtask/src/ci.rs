//! `cargo xtask ci`: the gates beside the tests.

use std::time::Instant;

use crate::run::{cargo, output, succeed};
use crate::tidy;

/// What a crate's dependency tree must not hold, with its default features or with just the ones that are named.
const SMALL_TREES: &[(&str, Option<&str>, &[&str])] = &[
    ("codewhale-mcp-protocol", None, &["tokio", "codewhale-mcp-session"]),
    ("codewhale-mcp-session", None, &["tokio", "url", "rustix"]),
    ("codewhale-mcp-store", None, &["tokio", "serde"]),
    ("codewhale-mcp-redact", None, &["tokio", "serde"]),
    ("codewhale-mcp-net", Some(""), &["tokio", "hyper", "rustls"]),
    ("codewhale-mcp-auth", Some(""), &["hyper", "rustls"]),
    ("codewhale-mcp-transport", Some("stdio"), &["codewhale-mcp-net", "hyper"]),
    ("codewhale-mcp-transport", Some("http"), &["codewhale-mcp-process"]),
    ("codewhale-mcp-server", Some(""), &["hyper", "axum"]),
    ("codewhale-mcp-server", Some("http"), &["axum"]),
    ("codewhale-mcp-client", None, &["codewhale-mcp-process", "rustix", "hyper"]),
];

type Gate = fn() -> Result<(), String>;

/// Runs every gate and prints how long each took, also after one has failed.
pub(crate) fn ci() -> Result<(), String> {
    let gates: [(&str, Gate); 5] = [
        ("fmt", || succeed(cargo(&["fmt", "--all", "--", "--check"]))),
        ("clippy", || succeed(cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))),
        ("tidy", tidy::tidy),
        ("doc", doc),
        ("trees", trees),
    ];
    let mut failed = Vec::new();
    for (name, gate) in gates {
        let start = Instant::now();
        let done = gate();
        let word = if done.is_ok() { "ok" } else { "FAILED" };
        println!("gate {name}: {word} ({:.1} s)", start.elapsed().as_secs_f64());
        if let Err(why) = done {
            eprintln!("{why}");
            failed.push(name);
        }
    }
    println!("{} passed, {} failed", gates.len() - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("gates failed: {}", failed.join(", "))) }
}

fn doc() -> Result<(), String> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--lib"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    succeed(command)
}

fn trees() -> Result<(), String> {
    for (package, features, forbidden) in SMALL_TREES {
        let mut command = cargo(&["tree", "--package", package, "--edges", "normal", "--prefix", "none"]);
        if let Some(features) = features {
            command.args(["--no-default-features", "--features", features]);
        }
        let tree = output(command)?;
        for name in *forbidden {
            if tree.lines().any(|line| line.split_whitespace().next() == Some(name)) {
                return Err(format!("{package} must build without {name}"));
            }
        }
    }
    Ok(())
}
