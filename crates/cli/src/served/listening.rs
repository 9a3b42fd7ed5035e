//! Serving over HTTP: where, for whom, and until when.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use codewhale_mcp_server::Server;
use codewhale_mcp_server::http::{Authorization, Authorize, Denied, Hosts, Options, Principal, listen};
use tokio::net::TcpListener;

use crate::args::ServerArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

/// How long requests may go on after we were told to stop.
const DRAIN: Duration = Duration::from_millis(300);

/// Where and for whom is served.
pub(super) struct Listening {
    address: SocketAddr,
    options: Options,
}

impl Listening {
    /// What the arguments say, if it harms nobody: whoever can reach us can use our tools. So other machines have to be
    /// meant and named, and what changes something is served to those alone who bring a token.
    pub(super) fn new(
        run: &Run,
        address: SocketAddr,
        args: &ServerArgs,
        changes: bool,
    ) -> Result<Self, Failure> {
        let token = args.bearer_token_env_var.as_deref().map(|name| token(run, name)).transpose()?;
        let mut options = Options::default();
        options.times.drain = DRAIN;
        match (address.ip().is_loopback(), args.host.is_empty()) {
            (false, true) => {
                return Err(Failure::usage(format!(
                    "{address} can be reached from other machines; say with --host by which names, if that is meant"
                )));
            }
            (_, false) => options.hosts = Hosts::Listed(args.host.clone()),
            (true, true) => {}
        }
        if token.is_none() && (changes || !address.ip().is_loopback()) {
            let why = if changes { "tools that change something" } else { "other machines" };
            return Err(Failure::usage(format!(
                "{why} need a token over HTTP: name the variable that holds it with --bearer-token-env-var"
            )));
        }
        if token.is_none() {
            run.printer.note(
                "every user of this machine can read the workspace; --bearer-token-env-var asks for a token",
            );
        }
        options.authorize =
            token.map(|token| Authorization { judge: Arc::new(Bearer(token)), resource_metadata: None });
        Ok(Self { address, options })
    }

    /// Serves until it is told to stop.
    pub(super) async fn serve(
        self,
        run: &Run,
        server: Server,
        stop: impl Future<Output = Exit>,
    ) -> Result<Exit, Failure> {
        let bound =
            TcpListener::bind(self.address).await.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) =
            bound.map_err(|error| Failure::system(format!("listen on {}", self.address), error))?;
        run.printer.note(format!("serving at http://{address}{}", self.options.path));
        run.printer.flush_talk();
        let (told, exit) = tokio::sync::oneshot::channel();
        let stop = async {
            let _ = told.send(stop.await);
        };
        let served = listen(server, self.options, listener, stop).await;
        served.map_err(|error| Failure::system(format!("go on listening on {address}"), error))?;
        Ok(exit.await.unwrap_or(Exit::Ok))
    }
}

fn token(run: &Run, name: &str) -> Result<Secret<String>, Failure> {
    let value =
        run.world.variable(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty());
    let value =
        value.ok_or_else(|| Failure::usage(format!("--bearer-token-env-var: `{name}` is not set")))?;
    Ok(Secret::new(value))
}

/// Whoever brings the token may do everything.
struct Bearer(Secret<String>);

#[async_trait]
impl Authorize for Bearer {
    async fn authenticate(&self, token: Option<&Secret<String>>) -> Result<Principal, Denied> {
        match token.is_some_and(|token| same(token, &self.0)) {
            true => Ok(Principal("bearer".to_owned())),
            false => Err(Denied::Unauthorized { scope: None }),
        }
    }
}

/// Compares all bytes, so that the time it takes tells nobody how many of them were right.
fn same(one: &Secret<String>, other: &Secret<String>) -> bool {
    let (one, other) = (one.expose().as_bytes(), other.expose().as_bytes());
    let differing = one.iter().zip(other).fold(0, |differing, (one, other)| differing | (one ^ other));
    one.len() == other.len() && differing == 0
}
