//! A connector to a server of this machine, and what is said over it.

use std::sync::Arc;

use bytes::Bytes;
use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};
use codewhale_mcp_transport::{Answer, Exchange, Exchanges, Header, Link, Verb, whole};

use crate::server::soon;

/// An endpoint as an operator configures it.
pub(crate) fn endpoint(url: &str) -> Endpoint {
    let url = url.parse().unwrap();
    let definition = Definition {
        origin: Origin::of(&url).unwrap(),
        author: Author::Operator,
        private_network: PrivateNetwork::Refused,
    };
    let guard = Guard { definition, lists: Arc::default(), proxies: Arc::default() };
    let (headers, ways, authorizer) = (Vec::new(), Ways::Any, None);
    Endpoint { url, headers, ways, guard, authorizer, message_limit: 1 << 20 }
}

pub(crate) fn connector(endpoint: Endpoint) -> HttpConnector {
    HttpConnector::new(Engine::new(Parts::default()), endpoint).unwrap()
}

pub(crate) fn exchanges(link: Link) -> Exchanges {
    let Link::Exchanges(exchanges) = link else { panic!("a link of exchanges") };
    exchanges
}

pub(crate) fn post(message: &'static str) -> Exchange {
    Exchange { verb: Verb::Post(Bytes::from_static(message.as_bytes())), headers: Vec::new() }
}

pub(crate) fn header(name: &'static str, value: &str) -> Header {
    Header { name: name.into(), value: Secret::new(value.to_owned()) }
}

pub(crate) async fn body(mut answer: Answer) -> Bytes {
    soon(whole(&mut *answer.body, 1 << 20)).await.unwrap()
}
