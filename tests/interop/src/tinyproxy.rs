//! tinyproxy, the proxy that the environment names.

use std::path::{Path, PathBuf};

use crate::endpoint::NAME;
use crate::running::Running;
use crate::shared::Shared;
use crate::world::World;

/// Starts one. It alone knows that the name of servers leads to this machine.
pub(crate) async fn start(world: &World, shared: &Shared) -> Result<Running, String> {
    start_in(world, shared).await.map(|(running, _)| running)
}

/// The same, with the log that [`requests`] reads.
pub(crate) async fn start_in(world: &World, shared: &Shared) -> Result<(Running, PathBuf), String> {
    let port = shared.port()?;
    let folder =
        shared.folder_for(&format!("tinyproxy-{port}"), &[("hosts", &format!("127.0.0.1 {NAME}\n"))])?;
    let place = folder.display();
    // The rest is as Debian has it.
    let text = format!(
        "Port {port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 600\nMaxClients 100\nLogLevel Connect\n\
         LogFile \"{place}/log\"\nPidFile \"{place}/pid\"\n"
    );
    let configuration = folder.join("tinyproxy.conf");
    std::fs::write(&configuration, text).map_err(|error| error.to_string())?;
    let mut launch = world.tinyproxy(vec!["-d".into(), "-c".into(), configuration.into()]);
    launch.env.push(("LD_PRELOAD".into(), "libnss_wrapper.so".into()));
    launch.env.push(("NSS_WRAPPER_HOSTS".into(), folder.join("hosts").into()));
    launch.cwd = Some(folder.clone());
    let running = Running::start(launch, port, world.guard.clone()).await?;
    Ok((running, folder.join("log")))
}

/// How many requests it was asked to pass on to this address.
pub(crate) fn requests(log: &Path, address: &str) -> Result<usize, String> {
    let text =
        std::fs::read_to_string(log).map_err(|error| format!("cannot read the proxy's log: {error}"))?;
    let wanted = [format!(" http://{address}/"), format!(" CONNECT {address} ")];
    Ok(text.lines().filter(|line| wanted.iter().any(|wanted| line.contains(wanted))).count())
}
