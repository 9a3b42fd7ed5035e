//! A connection to a server, for one check.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, EraChoice, Options};
use codewhale_mcp_protocol::{
    ClientCapabilities, ElicitationCapability, Era, Json, Revision, RootsCapability, SamplingCapability,
};
use codewhale_mcp_transport::http::HttpConnector;
use codewhale_mcp_transport::stdio::{Guard, Ladder, Launch, StdioConnector};
use codewhale_mcp_transport::{Connector, End};
use tokio::time::timeout;

use crate::check::Outcome;
use crate::expect::same;
use crate::person::Person;

/// No check takes longer; it is far more than any needs.
const LONGEST: Duration = Duration::from_secs(60);

/// A server, however it is reached.
pub(crate) struct Server(Box<dyn Connector>);

impl From<Launch> for Server {
    fn from(launch: Launch) -> Self {
        Self(Box::new(StdioConnector::new(launch, Guard::none())))
    }
}

impl From<HttpConnector> for Server {
    fn from(connector: HttpConnector) -> Self {
        Self(Box::new(connector))
    }
}

/// Connects to a server, does something with it, and closes the connection whatever came of that.
pub(crate) async fn with(
    server: impl Into<Server>,
    options: Options,
    check: impl AsyncFnOnce(&Client) -> Outcome,
) -> Outcome {
    let client = Client::connect(&*server.into().0, options).await.map_err(|error| {
        format!("cannot connect: {error}; its last words: {}", error.last_words.join(" | "))
    })?;
    let late = || Err(format!("did not come to its end within {} s", LONGEST.as_secs()));
    let outcome = timeout(LONGEST, check(&client)).await.unwrap_or_else(|_| late());
    let words = client.last_words();
    client.close().await;
    outcome.map_err(|why| match words.is_empty() {
        true => why,
        false => format!("{why}\n        its last words: {}", words.join("\n            ")),
    })
}

/// Why a server cannot be connected to.
pub(crate) async fn refused_to_connect(server: Server, options: Options) -> Result<String, String> {
    match Client::connect(&*server.0, options).await {
        Ok(_) => Err("it can be connected to".into()),
        Err(error) => Ok(error.to_string()),
    }
}

/// How a server ends that is asked one thing and closed again.
pub(crate) async fn end_of(launch: Launch, options: Options) -> Result<End, String> {
    let ladder = Ladder { stdin_wait: LONGEST, term_wait: LONGEST };
    let connector = StdioConnector::new(launch, Guard::none()).ladder(ladder);
    let client = Client::connect(&connector, options).await.map_err(|error| error.to_string())?;
    client.list_tools().await.map_err(failed)?;
    Ok(client.close().await)
}

/// The product's defaults.
pub(crate) fn plain() -> Options {
    Options::default()
}

/// In one era, whatever the server would rather speak.
pub(crate) fn in_era(era: Era) -> Options {
    let mut options = Options::default();
    options.era = match era {
        Era::Modern => EraChoice::Modern,
        Era::Legacy => EraChoice::Legacy,
    };
    options
}

/// Everything a client can offer, answered by `person`.
pub(crate) fn answered_by(person: &Person, mut options: Options) -> Options {
    let nothing = || Json::from_text("{}").expect("it is an object");
    options.capabilities = ClientCapabilities {
        roots: Some(RootsCapability { list_changed: Some(true), ..RootsCapability::default() }),
        sampling: Some(SamplingCapability::default()),
        elicitation: Some(ElicitationCapability {
            form: Some(nothing()),
            url: Some(nothing()),
            ..ElicitationCapability::default()
        }),
        ..ClientCapabilities::default()
    };
    options.handler = Some(person.handler());
    options
}

/// Which era and revision the server ended up in.
pub(crate) fn speaks(client: &Client, revision: Revision) -> Outcome {
    same("the revision", client.server().revision, revision)
}

/// The newest revision of an era, which servers that speak it all reach here.
pub(crate) fn newest(era: Era) -> Revision {
    match era {
        Era::Modern => Revision::NEWEST_MODERN,
        Era::Legacy => Revision::NEWEST_LEGACY,
    }
}

/// What a failed request means for a check.
pub(crate) fn failed(error: CallError) -> String {
    format!("the request failed: {error}")
}
