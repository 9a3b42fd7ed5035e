//! A connection to the server that was named.

use std::sync::Arc;

use codewhale_bench_bare::Arguments;
use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork};
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};
use codewhale_mcp_transport::stdio::{self, Launch, StdioConnector};
use url::Url;

use crate::Done;

pub(crate) async fn open(arguments: &Arguments) -> Done<Client> {
    let mut options = Options::default();
    options.in_flight = options.in_flight.max(arguments.inflight);
    Ok(match &arguments.url {
        Some(url) => Client::connect(&over_http(url, options.message_limit)?, options).await?,
        None => Client::connect(&over_stdio(&arguments.server)?, options).await?,
    })
}

fn over_stdio(server: &[String]) -> Done<StdioConnector> {
    let (program, arguments) = server.split_first().ok_or("--server is empty")?;
    let mut launch = Launch::new(program);
    launch.args = arguments.iter().map(Into::into).collect();
    Ok(StdioConnector::new(launch, stdio::Guard::none()))
}

fn over_http(url: &str, message_limit: usize) -> Done<HttpConnector> {
    let url: Url = url.parse()?;
    let definition = Definition {
        origin: Origin::of(&url)?,
        author: Author::Operator,
        private_network: PrivateNetwork::Refused,
    };
    let guard = Guard { definition, lists: Arc::default(), proxies: Arc::default() };
    let endpoint =
        Endpoint { url, headers: Vec::new(), ways: Ways::Streamable, guard, authorizer: None, message_limit };
    Ok(HttpConnector::new(Engine::new(Parts::default()), endpoint)?)
}
