//! The servers of others: installed below the target folder from what `tests/interop` pins, and kept until that
//! changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{cargo, output, root, succeed};

/// The oldest Node.js that the servers run on.
const NODE: u32 = 20;

/// The packages for Node.js.
pub(crate) fn node_modules(folder: &Path) -> Result<PathBuf, String> {
    let pins = ["package.json", "package-lock.json"];
    let version = version("node")?;
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < NODE) {
        return Err(format!("node is {version}, and the servers need {NODE}"));
    }
    kept(folder, &version, &pins, || {
        for pin in pins {
            fs::copy(pinned(pin), folder.join(pin)).map_err(|error| format!("cannot copy {pin}: {error}"))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
        succeed(npm)
    })?;
    Ok(folder.join("node_modules"))
}

/// A Python that has the packages.
pub(crate) fn python(folder: &Path) -> Result<PathBuf, String> {
    let program = folder.join("bin/python");
    kept(folder, &version("python3")?, &["requirements.txt"], || {
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

/// Installs unless this folder holds just that already.
fn kept(
    folder: &Path,
    runtime: &str,
    pins: &[&str],
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    // What was installed holds the folder's own path.
    let mut wanted = format!("{runtime}\n{}\n", folder.display());
    for pin in pins {
        let text = fs::read_to_string(pinned(pin)).map_err(|error| format!("cannot read {pin}: {error}"))?;
        wanted.push_str(&text);
    }
    let stamp = folder.join("installed");
    if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let cannot = |error: std::io::Error| format!("cannot make {}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(cannot)?;
    }
    fs::create_dir_all(folder).map_err(cannot)?;
    install()?;
    fs::write(stamp, wanted).map_err(cannot)
}

fn pinned(name: &str) -> PathBuf {
    root().join("tests/interop").join(name)
}

fn version(program: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    command.arg("--version");
    Ok(output(command)?.trim().to_owned())
}
