//! The suite's server, reached as one that an operator wrote down.

use std::fmt::Display;
use std::sync::Arc;

use codewhale_mcp_client::{Client, HandlerHandle, Options};
use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{Author, Authorizer, Definition, Guard, Origin, PrivateNetwork, Purpose};
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};
use url::Url;

use crate::given::Given;
use crate::login;
use crate::person::{Person, capabilities};

/// Fine, or what went wrong.
pub(crate) type Outcome = Result<(), String>;

/// Connects, does something, and closes whatever came of that.
pub(crate) async fn with_server(given: &Given, act: impl AsyncFnOnce(&Client) -> Outcome) -> Outcome {
    let mut options = Options::default();
    options.capabilities = capabilities();
    options.handler = Some(HandlerHandle::new(Person));
    let connector = connector(given, options.message_limit)?;
    let client = Client::connect(&connector, options).await.map_err(failed)?;
    let outcome = act(&client).await;
    client.close().await;
    outcome
}

/// What an error comes to here.
pub(crate) fn failed(error: impl Display) -> String {
    error.to_string()
}

fn connector(given: &Given, message_limit: usize) -> Result<HttpConnector, String> {
    let url: Url = given.url.parse().map_err(failed)?;
    let definition = Definition {
        origin: Origin::of(&url).map_err(failed)?,
        author: Author::Operator,
        private_network: PrivateNetwork::Refused,
    };
    let guard = Guard { definition, lists: Arc::default(), proxies: Arc::default() };
    let engine = Engine::new(Parts::default());
    let authorizer: Option<Arc<dyn Authorizer>> = match given.scenario.starts_with("auth/") {
        false => None,
        true => {
            let fetch = Arc::new(engine.egress(guard.clone(), Purpose::Login));
            Some(login::authorizer(&given.scenario, &given.context.credentials, url.clone(), fetch)?)
        }
    };
    let endpoint = Endpoint { url, headers: Vec::new(), ways: Ways::Any, guard, authorizer, message_limit };
    HttpConnector::new(engine, endpoint).map_err(failed)
}
