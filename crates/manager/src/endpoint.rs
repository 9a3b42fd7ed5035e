//! From a server's definition to the endpoint that requests go to.

use std::sync::Arc;

use codewhale_mcp_config::{Remote, Scope, Server, Transport};
use codewhale_mcp_net::{Author, Definition, Guard, HostLists, Origin, PrivateNetwork, Proxies};
use codewhale_mcp_transport::http::{Endpoint, Ways};
use url::Url;

use crate::{Failure, FailureClass, Phase};

/// The endpoint of a server, behind a guard that knows what its definition permits.
pub(crate) fn endpoint(
    server: &Server,
    remote: &Remote,
    lists: Arc<HostLists>,
    proxies: Arc<Proxies>,
    message_limit: usize,
) -> Result<Endpoint, Failure> {
    let guard = guard(server, remote, lists, proxies)?;
    let ways = match (&server.transport, remote.is_said) {
        (Transport::Sse(_), _) => Ways::EventStream,
        (_, true) => Ways::Streamable,
        (_, false) => Ways::Any,
    };
    let mut headers = remote.headers.clone();
    if let Some(bearer) = &remote.bearer {
        headers.push(("Authorization".to_owned(), bearer.clone().map(|token| format!("Bearer {token}"))));
    }
    Ok(Endpoint { url: url(remote)?, headers, ways, guard, authorizer: None, message_limit })
}

/// The guard of a server's requests, which knows what its definition permits.
pub(crate) fn guard(
    server: &Server,
    remote: &Remote,
    lists: Arc<HostLists>,
    proxies: Arc<Proxies>,
) -> Result<Guard, Failure> {
    let origin = Origin::of(&url(remote)?).map_err(|refusal| refused(refusal.to_string()))?;
    let author = match server.scope {
        Scope::Plugin => Author::Plugin,
        // Of a workspace's own servers only those count that the user agreed to.
        _ => Author::Operator,
    };
    let private_network = match remote.allow_private_network {
        true => PrivateNetwork::Allowed,
        false => PrivateNetwork::Refused,
    };
    Ok(Guard { definition: Definition { origin, author, private_network }, lists, proxies })
}

/// The URL of a server.
pub(crate) fn url(remote: &Remote) -> Result<Url, Failure> {
    remote.url.parse().map_err(|error| refused(format!("`url` cannot be used: {error}")))
}

fn refused(cause: String) -> Failure {
    Failure::plain(FailureClass::Config, Phase::Config, cause)
}

/// Whether the definition itself says what authorizes requests, so that no login would be used.
pub(crate) fn has_credentials(remote: &Remote) -> bool {
    let is_authorization = |(name, _): &(String, _)| name.eq_ignore_ascii_case("authorization");
    let is_in_url =
        remote.url.parse().is_ok_and(|url: Url| !url.username().is_empty() || url.password().is_some());
    remote.bearer.is_some() || remote.headers.iter().any(is_authorization) || is_in_url
}
