//! What is measured: built from this repository, or installed from its pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::installed;
use crate::run::{cargo, root, succeed, target};

/// The oldest Node.js that the TypeScript SDK runs on.
const NODE: u32 = 20;

/// What of ours stands between a caller and a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    /// The client alone.
    Client,
    /// The manager.
    Manager,
}

/// The measuring server and our clients: the same build for whoever asks.
#[derive(Debug)]
pub(super) struct Ours {
    pub(super) server: PathBuf,
    pub(super) floor: PathBuf,
    pub(super) client: PathBuf,
    pub(super) managed: PathBuf,
}

impl Ours {
    pub(super) fn through(&self, through: Through) -> &Path {
        match through {
            Through::Client => &self.client,
            Through::Manager => &self.managed,
        }
    }
}

pub(super) fn ours() -> Result<Ours, String> {
    release(OURS)?;
    in_release()
}

/// The same, in which the names of functions are left.
pub(super) fn ours_with_names() -> Result<Ours, String> {
    release(&[OURS, &["--config", "profile.release.strip=false"]].concat())?;
    in_release()
}

const OURS: &[&str] = &["--package", "codewhale-bench", "--package", "codewhale-bench-bare"];

fn in_release() -> Result<Ours, String> {
    Ok(Ours {
        server: built("bench-server")?,
        floor: built("bench-floor")?,
        client: built("bench-client")?,
        managed: built("bench-managed")?,
    })
}

/// Our client with a thread for each processor, built apart: what it wants of tokio no other shall have.
pub(super) fn threads() -> Result<PathBuf, String> {
    release(&["--package", "codewhale-bench-threads"])?;
    built("bench-client-threads")
}

/// The binary as it is shipped.
pub(super) fn codewhale() -> Result<PathBuf, String> {
    release(&["--package", "codewhale"])?;
    built("codewhale")
}

/// Our server.
pub(super) fn served() -> Result<PathBuf, String> {
    release(&["--package", "codewhale-bench-server"])?;
    built("bench-served")
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

fn release(options: &[&str]) -> Result<(), String> {
    let mut build = cargo(&["build", "--release", "--bins"]);
    build.args(options);
    succeed(build)
}

fn built(name: &str) -> Result<PathBuf, String> {
    Ok(target()?.join("release").join(name))
}

fn installed_folder() -> Result<PathBuf, String> {
    Ok(target()?.join("bench"))
}

fn pinned(name: &str) -> PathBuf {
    root().join("tests/bench").join(name)
}
