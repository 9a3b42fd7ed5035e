//! A network in this process: names with any addresses, and addresses that all lead to one server.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_net::client::{Dialer, Egress, Engine, Parts, Resolver, Stream, TcpDialer};
use codewhale_mcp_net::{Call, Fetch, Fetched, NetError, Purpose, Redirects};
use url::Url;

use crate::server::soon;
use crate::world::guard;

/// Answers each look-up with the next set of addresses, the last one again and again.
#[derive(Debug)]
pub(crate) struct Names {
    answers: Mutex<VecDeque<Vec<IpAddr>>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    pub(crate) fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |set: &&[&str]| set.iter().map(|address| address.parse().unwrap()).collect();
        Arc::new(Self { answers: Mutex::new(answers.iter().map(parse).collect()), asked: Mutex::default() })
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.lock().unwrap().push(host.to_owned());
        let mut answers = self.answers.lock().unwrap();
        let next = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        next.ok_or_else(|| io::Error::other("no such name"))
    }
}

/// Leads every address to one, and keeps which were asked for.
#[derive(Debug)]
pub(crate) struct Roads {
    to: SocketAddr,
    dialled: Mutex<Vec<SocketAddr>>,
}

impl Roads {
    pub(crate) fn to(to: SocketAddr) -> Arc<Self> {
        Arc::new(Self { to, dialled: Mutex::default() })
    }

    pub(crate) fn dialled(&self) -> Vec<String> {
        self.dialled.lock().unwrap().iter().map(ToString::to_string).collect()
    }
}

#[async_trait]
impl Dialer for Roads {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Stream>> {
        self.dialled.lock().unwrap().push(address);
        TcpDialer.dial(self.to).await
    }
}

/// A way out to the real network of this machine.
pub(crate) fn egress(url: &str) -> Egress {
    Engine::new(Parts::default()).egress(guard(url), Purpose::Message)
}

/// A way out with names and roads of a test.
pub(crate) fn made(url: &str, names: &Arc<Names>, roads: &Arc<Roads>) -> Egress {
    parts(names, roads).egress(guard(url), Purpose::Message)
}

pub(crate) fn parts(names: &Arc<Names>, roads: &Arc<Roads>) -> Engine {
    let (resolver, dialer): (Arc<dyn Resolver>, Arc<dyn Dialer>) = (names.clone(), roads.clone());
    Engine::new(Parts { resolver, dialer, ..Parts::default() })
}

/// A message, as the transport sends it.
pub(crate) fn message(url: &str) -> Call {
    let url: Url = url.parse().unwrap();
    Call { redirects: Redirects::Same, ..Call::post(url, Bytes::from_static(b"{\"m\":1}")) }
}

pub(crate) async fn whole(egress: &Egress, call: Call) -> Result<Fetched, NetError> {
    soon(egress.fetch(call, 1 << 20)).await
}
