//! The suite's server, reached as one that an operator wrote down.

use std::fmt::Display;
use std::sync::Arc;

use codewhale_mcp_client::{Client, HandlerHandle, Options};
use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork};
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};
use url::Url;

use crate::person::{Person, capabilities};

/// Fine, or what went wrong.
pub(crate) type Outcome = Result<(), String>;

/// Connects, does something, and closes whatever came of that.
pub(crate) async fn with_server(url: &str, act: impl AsyncFnOnce(&Client) -> Outcome) -> Outcome {
    let mut options = Options::default();
    options.capabilities = capabilities();
    options.handler = Some(HandlerHandle::new(Person));
    let connector = connector(url, options.message_limit)?;
    let client = Client::connect(&connector, options).await.map_err(failed)?;
    let outcome = act(&client).await;
    client.close().await;
    outcome
}

/// What an error comes to here.
pub(crate) fn failed(error: impl Display) -> String {
    error.to_string()
}

fn connector(url: &str, message_limit: usize) -> Result<HttpConnector, String> {
    let url: Url = url.parse().map_err(failed)?;
    let definition = Definition {
        origin: Origin::of(&url).map_err(failed)?,
        author: Author::Operator,
        private_network: PrivateNetwork::Refused,
    };
    let guard = Guard { definition, lists: Arc::default(), proxies: Arc::default() };
    let endpoint =
        Endpoint { url, headers: Vec::new(), ways: Ways::Any, guard, authorizer: None, message_limit };
    HttpConnector::new(Engine::new(Parts::default()), endpoint).map_err(failed)
}
