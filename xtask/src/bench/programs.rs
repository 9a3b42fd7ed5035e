//! What is measured: built from this repository, or installed from its pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::installed;
use crate::run::{cargo, root, succeed, target};

/// The oldest Node.js that the TypeScript SDK runs on.
const NODE: u32 = 20;

/// The measuring server and our client: the same build for whoever asks.
#[derive(Debug)]
pub(super) struct Ours {
    pub(super) server: PathBuf,
    pub(super) floor: PathBuf,
    pub(super) client: PathBuf,
}

pub(super) fn ours() -> Result<Ours, String> {
    release(&["--package", "codewhale-bench", "--package", "codewhale-bench-bare"])?;
    let built = |name| Ok::<_, String>(target()?.join("release").join(name));
    Ok(Ours { server: built("bench-server")?, floor: built("bench-floor")?, client: built("bench-client")? })
}

/// The binary as it is shipped.
pub(super) fn codewhale() -> Result<PathBuf, String> {
    release(&["--package", "codewhale"])?;
    Ok(target()?.join("release/codewhale"))
}

/// The client made with rmcp; cargo knows what to build again.
pub(super) fn rmcp() -> Result<PathBuf, String> {
    let folder = installed_folder()?.join("rmcp");
    let mut build = cargo(&["build", "--release", "--locked", "--manifest-path"]);
    build.arg(pinned("rmcp-client/Cargo.toml")).arg("--target-dir").arg(&folder);
    succeed(build)?;
    Ok(folder.join("release/bench-rmcp"))
}

/// The client made with the TypeScript SDK, beside the packages that it looks for.
pub(super) fn typescript() -> Result<PathBuf, String> {
    installed::node_at_least(Path::new("node"), NODE)?;
    let folder = installed_folder()?.join("node");
    installed::node_modules(&folder, &pinned("ts"))?;
    let client = folder.join("client.mjs");
    fs::copy(pinned("ts/client.mjs"), &client).map_err(|fault| format!("cannot copy the client: {fault}"))?;
    Ok(client)
}

/// A Python that has the SDK, and the client made with it.
pub(super) fn python() -> Result<[PathBuf; 2], String> {
    let python = installed::python(&installed_folder()?.join("python"), &pinned("py/requirements.txt"))?;
    Ok([python, pinned("py/client.py")])
}

fn release(packages: &[&str]) -> Result<(), String> {
    let mut build = cargo(&["build", "--release", "--bins"]);
    build.args(packages);
    succeed(build)
}

fn installed_folder() -> Result<PathBuf, String> {
    Ok(target()?.join("bench"))
}

fn pinned(name: &str) -> PathBuf {
    root().join("tests/bench").join(name)
}
