//! What is measured: built from this repository, or installed from its pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::installed;
use crate::run::{cargo, root, succeed, target};

/// With this in its environment our client goes through the manager.
pub(super) const MANAGER: &[(&str, &str)] = &[("BY", "manager")];

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

/// Our server.
pub(super) fn served() -> Result<PathBuf, String> {
    release(&["--package", "codewhale-bench-server"])?;
    Ok(target()?.join("release/bench-served"))
}

/// The client made with rmcp; cargo knows what to build again.
pub(super) fn rmcp() -> Result<PathBuf, String> {
    made_with_rmcp("bench-rmcp")
}

/// The server made with rmcp.
pub(super) fn rmcp_server() -> Result<PathBuf, String> {
    made_with_rmcp("bench-rmcp-server")
}

fn made_with_rmcp(name: &str) -> Result<PathBuf, String> {
    let folder = installed_folder()?.join("rmcp");
    let mut build = cargo(&["build", "--release", "--locked", "--manifest-path"]);
    build.arg(pinned("rmcp-client/Cargo.toml")).arg("--target-dir").arg(&folder);
    succeed(build)?;
    Ok(folder.join("release").join(name))
}

/// A script that uses the TypeScript SDK, beside the packages that it looks for.
pub(super) fn typescript(script: &str) -> Result<PathBuf, String> {
    installed::node_at_least(Path::new("node"), NODE)?;
    let folder = installed_folder()?.join("node");
    installed::node_modules(&folder, &pinned("ts"))?;
    let copy = folder.join(script);
    let source = pinned("ts").join(script);
    fs::copy(source, &copy).map_err(|fault| format!("cannot copy {script}: {fault}"))?;
    Ok(copy)
}

/// A Python that has the SDK, and a script that uses it.
pub(super) fn python(script: &str) -> Result<[PathBuf; 2], String> {
    let python = installed::python(&installed_folder()?.join("python"), &pinned("py/requirements.txt"))?;
    Ok([python, pinned("py").join(script)])
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
