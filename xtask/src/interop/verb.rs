//! What `cargo xtask interop` does, in order.

use std::process::Command;
use std::time::Instant;

use super::{fuzz, install, rounds};
use crate::counted::{Counts, counted};
use crate::run::{build, root, target};

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What every submission has to pass.
    Usual,
    /// With a server and a client made with rmcp, clients that are command lines, gnome-keyring, Chromium, a hundred kills
    /// among processes that share a login, and the fuzz targets.
    Full,
}

/// Installs the servers, runs every check and prints `N passed, N failed`.
pub(crate) fn interop(extent: Extent) -> Result<(), String> {
    let target = target()?;
    let folder = target.join("interop");
    let start = Instant::now();
    let node_modules = install::node_modules(&folder.join("node"))?;
    let python = install::python(&folder.join("python"))?;
    let sdks = install::sdks(&folder.join("sdks"))?;
    let proxies = install::proxies()?;
    let more = match extent {
        Extent::Usual => None,
        Extent::Full => {
            install::keyring()?;
            let commands = install::commands(&folder.join("commands"))?;
            Some((install::rmcp(&folder.join("rmcp"))?, commands, install::chromium()?))
        }
    };
    println!("servers are there ({:.1} s)", start.elapsed().as_secs_f64());
    build()?;
    let mut checks = Command::new(target.join("debug").join("codewhale-interop"));
    checks.arg("--node-modules").arg(node_modules).arg("--python").arg(python);
    checks.arg("--scripts").arg(root().join("tests/interop/servers"));
    checks.arg("--codewhale").arg(target.join("debug").join("codewhale"));
    checks.arg("--fake").arg(target.join("debug").join("codewhale-fake"));
    checks.arg("--sdks").arg(sdks).arg("--hosts").arg(root().join("tests/interop/hosts"));
    checks.arg("--clients").arg(root().join("tests/interop/clients"));
    checks.arg("--local-time").arg(target.join("debug").join("local-time"));
    checks.arg("--nginx").arg(proxies.nginx).arg("--tinyproxy").arg(proxies.tinyproxy);
    if let Some((rmcp, commands, chromium)) = more {
        checks.arg("--rmcp").arg(rmcp.server).arg("--rmcp-client").arg(rmcp.client);
        checks.arg("--commands").arg(commands).arg("--chromium").arg(chromium).arg("--gnome-keyring");
    }
    let mut counts = counted(checks)?;
    if extent == Extent::Full {
        counts.add(rounds::every_round());
        counts.add(fuzz::every_target(&root().join("tests/fuzz"))?);
        println!("{counts}");
    }
    match counts {
        Counts { passed: 1.., failed: 0 } => Ok(()),
        Counts { passed: 0, failed: 0 } => Err("no check ran".into()),
        Counts { failed, .. } => Err(format!("{failed} checks failed")),
    }
}
