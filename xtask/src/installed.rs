//! What others wrote: installed below the target folder from pins of this repository, and kept until those change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{output, succeed};

/// Installs unless this folder holds just that already, made from these pins with this version of what installs them.
pub(crate) fn kept(
    folder: &Path,
    runtime: &str,
    pins: &[PathBuf],
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    // What was installed holds the folder's own path.
    let mut wanted = format!("{runtime}\n{}\n", folder.display());
    for pin in pins {
        let text = fs::read_to_string(pin);
        wanted.push_str(&text.map_err(|error| format!("cannot read {}: {error}", pin.display()))?);
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

/// Packages for Node.js, from the `package.json` and `package-lock.json` of the folder `pinned`.
pub(crate) fn node_modules(folder: &Path, pinned: &Path) -> Result<PathBuf, String> {
    let pins = ["package.json", "package-lock.json"].map(|name| pinned.join(name));
    kept(folder, &version("npm")?, &pins, || {
        for pin in &pins {
            let copy = folder.join(pin.file_name().expect("it is a file"));
            fs::copy(pin, copy).map_err(|error| format!("cannot copy {}: {error}", pin.display()))?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder);
        succeed(npm)
    })?;
    Ok(folder.join("node_modules"))
}

/// A Python that has the packages of a file of requirements with hashes.
pub(crate) fn python(folder: &Path, requirements: &Path) -> Result<PathBuf, String> {
    let program = folder.join("bin/python");
    kept(folder, &version("python3")?, &[requirements.to_owned()], || {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder);
        succeed(venv)?;
        let mut pip = Command::new(&program);
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes"]);
        pip.arg("--requirement").arg(requirements);
        succeed(pip)
    })?;
    Ok(program)
}

/// Fails unless this Node.js is at least of this major version.
pub(crate) fn node_at_least(node: &Path, least: u32) -> Result<(), String> {
    let version = version(node)?;
    match major(&version) {
        Some(major) if major >= least => Ok(()),
        _ => Err(format!("{} is {version}, and at least {least} is needed", node.display())),
    }
}

/// What a program says of its version.
pub(crate) fn version(program: impl AsRef<Path>) -> Result<String, String> {
    let mut command = Command::new(program.as_ref());
    command.arg("--version");
    Ok(output(command)?.trim().to_owned())
}

fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_kept_until_a_pin_changes() {
        let place = tempfile::tempdir().unwrap();
        let (folder, pin) = (place.path().join("there"), place.path().join("pin"));
        let installs = |pinned: &str, runtime: &str| {
            fs::write(&pin, pinned).unwrap();
            let mut installed = false;
            let done = kept(&folder, runtime, std::slice::from_ref(&pin), || {
                assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing of an earlier one is left");
                installed = true;
                if pinned == "broken" { Err("broken".to_owned()) } else { Ok(()) }
            });
            (installed, done.is_ok())
        };
        assert_eq!(installs("1", "npm 1"), (true, true));
        assert_eq!(installs("1", "npm 1"), (false, true));
        assert_eq!(installs("2", "npm 1"), (true, true));
        assert_eq!(installs("2", "npm 2"), (true, true));
        assert_eq!(installs("broken", "npm 2"), (true, false));
        assert_eq!(installs("broken", "npm 2"), (true, false), "what has failed is not there");
    }

    #[test]
    fn a_version_begins_with_its_major_number() {
        assert_eq!(major("v22.23.3"), Some(22));
        assert_eq!(major("11.0.1"), Some(11));
        assert_eq!(major("nightly"), None);
    }
}
