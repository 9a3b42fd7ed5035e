//! A connector to a server of this machine, and what is said over it.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_net::client::{Dialer, Engine, Parts, Stream};
use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};
use codewhale_mcp_transport::{Answer, Exchange, Exchanges, Header, Link, Verb, whole};

use crate::server::{Server, soon};

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

/// A connector that reaches the server without a network: it costs no files, and a test's clock can run ahead.
pub(crate) fn inside(server: &Server, endpoint: Endpoint) -> HttpConnector {
    let parts = Parts { dialer: Arc::new(Inside(server.clone())), ..Parts::default() };
    HttpConnector::new(Engine::new(parts), endpoint).unwrap()
}

pub(crate) fn exchanges(link: Link) -> Exchanges {
    let Link::Exchanges(exchanges) = link else { panic!("a link of exchanges") };
    exchanges
}

pub(crate) fn post(message: &'static str) -> Exchange {
    Exchange { verb: Verb::Post(Bytes::from_static(message.as_bytes())), headers: Vec::new() }
}

pub(crate) fn header(name: &'static str, value: &str) -> Header {
    Header { name: name.into(), value: Secret::new(value.to_owned().into()) }
}

pub(crate) async fn body(mut answer: Answer) -> Bytes {
    soon(whole(&mut *answer.body, 1 << 20)).await.unwrap()
}

struct Inside(Server);

impl fmt::Debug for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inside")
    }
}

#[async_trait]
impl Dialer for Inside {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Stream>> {
        let (ours, theirs) = tokio::io::duplex(4096);
        tokio::spawn(self.0.clone().serve(theirs));
        Ok(Box::new(ours))
    }
}
