//! Links to one endpoint.

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_net::Purpose;
use codewhale_mcp_net::client::Engine;
use http::header;
use tokio::sync::Semaphore;

use super::carrier::HttpCarrier;
use super::endpoint::{Endpoint, EndpointError, Ways};
use super::headers::OfVerbs;
use super::peer::HttpPeer;
use super::{event_stream, headers};
use crate::{Connector, Exchanges, Link, OpenError, Way};

/// The most exchanges of one connector at one time; the others wait. An event stream counts until it begins.
const EXCHANGES: usize = 256;

/// Opens links to one endpoint, each with connections of its own.
///
/// [`Way::First`] of an endpoint with [`Ways::Any`] or [`Ways::Streamable`] causes no traffic. The other way gets the
/// event stream and waits at most ten seconds until it names where messages are posted.
#[derive(Debug)]
pub struct HttpConnector {
    engine: Engine,
    endpoint: Endpoint,
    headers: Arc<OfVerbs>,
    room: Arc<Semaphore>,
}

impl HttpConnector {
    /// A connector that goes through `engine`.
    ///
    /// # Errors
    /// [`EndpointError`] for a header that cannot be sent.
    pub fn new(engine: Engine, mut endpoint: Endpoint) -> Result<Self, EndpointError> {
        let headers = headers::of_endpoint(&endpoint)?;
        if headers.contains_key(header::AUTHORIZATION) {
            endpoint.authorizer = None;
        }
        endpoint.url.set_fragment(None);
        // They stand in the headers now. A URL that has a host can do without.
        let _ = endpoint.url.set_username("");
        let _ = endpoint.url.set_password(None);
        let headers = Arc::new(OfVerbs::new(&headers));
        Ok(Self { engine, endpoint, headers, room: Arc::new(Semaphore::new(EXCHANGES)) })
    }

    fn carrier(&self) -> HttpCarrier {
        HttpCarrier {
            egress: self.engine.egress(self.endpoint.guard.clone(), Purpose::Message),
            url: Arc::new(self.endpoint.url.clone()),
            headers: Arc::clone(&self.headers),
            authorizer: self.endpoint.authorizer.clone(),
            room: Arc::clone(&self.room),
        }
    }
}

#[async_trait]
impl Connector for HttpConnector {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        let mut carrier = self.carrier();
        let peer = Arc::new(HttpPeer(carrier.egress.clone()));
        let first = match self.endpoint.ways {
            Ways::Any => way == Way::First,
            Ways::Streamable => true,
            Ways::EventStream => false,
        };
        let stream = if first {
            None
        } else {
            let Endpoint { url, message_limit, .. } = &self.endpoint;
            let (stream, target) = event_stream::open(&carrier, url, *message_limit).await?;
            carrier.url = Arc::new(target);
            Some(stream)
        };
        let has_other_way = first && self.endpoint.ways == Ways::Any;
        Ok(Link::Exchanges(Exchanges { carrier: Arc::new(carrier), stream, has_other_way, peer }))
    }
}
