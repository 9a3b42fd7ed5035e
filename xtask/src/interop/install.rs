//! The servers of others, from what `tests/interop` pins.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::installed::{self, kept, node_at_least, version};
use crate::run::{cargo, root, succeed};

/// The oldest Node.js that the servers run on.
const NODE: u32 = 20;

/// The packages for Node.js.
pub(crate) fn node_modules(folder: &Path) -> Result<PathBuf, String> {
    node_at_least(Path::new("node"), NODE)?;
    installed::node_modules(folder, &pinned(""))
}

/// A Python that has the packages.
pub(crate) fn python(folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("bin/python");
    kept(folder, &version("python3")?, &[pinned("requirements.txt")], || {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder);
        succeed(venv)?;
        let mut pip = Command::new(&program);
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes"]);
        pip.arg("--requirement").arg(pinned("requirements.txt"));
        succeed(pip)
    })?;
    Ok(program)
}

/// The server made with rmcp; cargo knows what to build again.
pub(crate) fn rmcp(folder: &Path) -> Result<PathBuf, String> {
    let mut build = cargo(&["build", "--locked", "--manifest-path"]);
    build.arg(pinned("rmcp-server/Cargo.toml")).arg("--target-dir").arg(folder);
    succeed(build)?;
    Ok(folder.join("debug/interop-rmcp-server"))
}

fn pinned(name: &str) -> PathBuf {
    root().join("tests/interop").join(name)
}
