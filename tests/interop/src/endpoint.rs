//! The client's way to a URL.

use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_net::client::{Engine, Parts, Resolver};
use codewhale_mcp_net::{Author, Definition, Guard, Origin, PrivateNetwork, Proxies};
use codewhale_mcp_transport::http::{Endpoint, HttpConnector, Ways};

/// The name that servers have behind a proxy.
pub(crate) const NAME: &str = "mcp.interop.test";

/// A server's URL, and what else decides how it is reached.
#[derive(Debug, Clone)]
pub(crate) struct To {
    pub(crate) url: String,
    pub(crate) ways: Ways,
    /// `HTTP_PROXY` and `NO_PROXY`.
    pub(crate) environment: Vec<(&'static str, String)>,
    /// Whether the client itself can find the name, which then stands for a private address.
    pub(crate) names: Names,
}

/// What the client knows of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// None: a look-up fails.
    Unknown,
    /// All of them are this machine.
    Here,
}

impl To {
    /// By address.
    pub(crate) fn direct(port: u16, path: &str) -> Self {
        Self::at(format!("http://127.0.0.1:{port}/{path}"))
    }

    /// By name, through a proxy that knows it.
    pub(crate) fn through(proxy: u16, port: u16, path: &str) -> Self {
        let environment = vec![("HTTP_PROXY", format!("http://127.0.0.1:{proxy}"))];
        Self { environment, ..Self::at(format!("http://{NAME}:{port}/{path}")) }
    }

    fn at(url: String) -> Self {
        Self { url, ways: Ways::Any, environment: Vec::new(), names: Names::Unknown }
    }
}

/// The product's connector.
pub(crate) fn connector(to: &To) -> Result<HttpConnector, String> {
    let url = to.url.parse().map_err(|error| format!("{}: {error}", to.url))?;
    let private_network = match to.names {
        Names::Unknown => PrivateNetwork::Refused,
        Names::Here => PrivateNetwork::Allowed,
    };
    let origin = Origin::of(&url).map_err(|error| error.to_string())?;
    let look_up = |name: &str| {
        let found = to.environment.iter().find(|(variable, _)| *variable == name)?;
        Some(OsString::from(&found.1))
    };
    let guard = Guard {
        definition: Definition { origin, author: Author::Operator, private_network },
        lists: Arc::default(),
        proxies: Arc::new(Proxies::from_environment(look_up)),
    };
    let engine = Engine::new(Parts { resolver: Arc::new(to.names), ..Parts::default() });
    let endpoint = Endpoint {
        url,
        headers: Vec::new(),
        ways: to.ways,
        guard,
        authorizer: None,
        message_limit: 64 << 20,
    };
    HttpConnector::new(engine, endpoint).map_err(|error| error.to_string())
}

#[async_trait]
impl Resolver for Names {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        match self {
            Self::Unknown => Err(io::Error::other(format!("the client looks {host} up itself"))),
            Self::Here => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
        }
    }
}
