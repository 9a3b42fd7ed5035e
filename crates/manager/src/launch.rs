//! From a server's definition to the process that is started and the budgets that hold.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use codewhale_mcp_client::Options;
use codewhale_mcp_config::{Server, Stdio, Timeouts};
use codewhale_mcp_transport::stdio::Launch;

use crate::is_package_runner;

/// How long a probe may go unanswered by a server that may have to be downloaded first.
const RUNNER_PROBE: Duration = Duration::from_secs(15);

/// The process of a server: the caller's environment with the server's own on top.
pub(crate) fn launch(stdio: &Stdio, environment: &[(OsString, OsString)], cwd: &Path) -> Launch {
    let mut launch = Launch::new(&stdio.command);
    launch.args = stdio.args.iter().map(OsString::from).collect();
    launch.env = environment.to_vec();
    launch.env.extend(stdio.env.iter().map(|(name, value)| (name.into(), value.expose().into())));
    launch.cwd = Some(stdio.cwd.clone().unwrap_or_else(|| cwd.to_owned()));
    launch
}

/// The budgets of a connection to a server.
pub(crate) fn budgets(server: &Server, launch: &Launch, mut options: Options) -> Options {
    let Timeouts { connect, execute, read, idle } = &server.timeouts;
    options.connect_timeout = connect.value;
    options.execute_timeout = execute.value;
    options.read_timeout = read.value;
    options.idle_timeout = idle.as_ref().map(|idle| idle.value);
    if is_package_runner(&launch.program, &launch.args) {
        options.probe_timeout = options.probe_timeout.max(RUNNER_PROBE);
    }
    // Behind an unanswered probe there must be time for the other handshake.
    options.probe_timeout = options.probe_timeout.min(connect.value / 2);
    options
}
