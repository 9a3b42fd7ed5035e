//! Connecting to one server within one budget.

use std::time::{Duration, Instant};

use codewhale_mcp_client::{CallError, Client, Options, Tools};
use codewhale_mcp_transport::stdio::{Guard, Launch, StdioConnector};

use crate::{Failure, is_package_runner};

/// How long the probe of a server may go unanswered whose program may have to be downloaded first.
const RUNNER_PROBE: Duration = Duration::from_secs(15);

/// A server that is ready.
#[derive(Debug)]
pub struct Connected {
    /// The connection.
    pub client: Client,
    /// Its tools; none where it does not offer any.
    pub tools: Tools,
    /// From the start to the last page of its tools.
    pub elapsed: Duration,
}

/// Starts a server, shakes hands and reads its list of tools, all within `options.connect_timeout`.
///
/// # Errors
/// [`Failure`]; the server has been stopped by then.
pub async fn connect(launch: Launch, guard: Guard, mut options: Options) -> Result<Connected, Failure> {
    let start = Instant::now();
    if is_package_runner(&launch.program, &launch.args) {
        options.probe_timeout = options.probe_timeout.max(RUNNER_PROBE);
    }
    let budget = options.connect_timeout;
    let connector = StdioConnector::new(launch, guard);
    let client = Client::connect(&connector, options)
        .await
        .map_err(|error| Failure::of_connect(error, start.elapsed()))?;
    if client.server().capabilities.tools.is_none() {
        return Ok(Connected { client, tools: Tools::default(), elapsed: start.elapsed() });
    }
    let left = budget.saturating_sub(start.elapsed());
    let listed = match tokio::time::timeout(left, client.list_tools()).await {
        Ok(listed) => listed,
        Err(_) => Err(CallError::ServerTimedOut { method: "tools/list", after: budget }),
    };
    match listed {
        Ok(tools) => Ok(Connected { client, tools, elapsed: start.elapsed() }),
        Err(error) => {
            let elapsed = start.elapsed();
            client.close().await;
            Err(Failure::of_list(&error, client.last_words(), elapsed))
        }
    }
}
