//! From a connector to a client: open, shake hands, and open again where that is the way.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_session::{HandshakeError, Session, Step, Verdict};
use codewhale_mcp_transport::{Connector, End, Lines, Link, OpenError, Way};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use crate::client::{Client, Inner, OpenLink};
use crate::error::LimitFault;
use crate::options::Options;
use crate::shared::Shared;
use crate::{keeper, reader, writer};

/// How long a server that is of no use may take to leave before that is told: enough for one that leaves when its
/// input closes, so that its last words are whole.
const LEAVE: Duration = Duration::from_millis(250);

/// A server could not be connected to. What is left of it is being stopped.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct ConnectError {
    /// Why.
    #[source]
    pub cause: ConnectCause,
    /// How the server ended, if it had started and ended by itself.
    pub end: Option<End>,
    /// The last lines that it wrote beside the protocol, oldest first. They may hold anything.
    pub last_words: Vec<String>,
}

/// Why a server could not be connected to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectCause {
    /// No link could be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The handshake failed.
    #[error(transparent)]
    Handshake(HandshakeError),
    /// The server broke a limit.
    #[error("the server was cut off: {0}")]
    Limit(LimitFault),
    /// It took too long altogether.
    #[error("the server was not ready within {} s{}", after.as_secs_f64(), not_answered(unanswered))]
    TimedOut {
        /// The budget.
        after: Duration,
        /// What it had been asked and had not answered.
        unanswered: &'static [Step],
    },
    /// The connector opened a kind of link that this client does not know.
    #[error("the link is of an unknown kind")]
    UnknownLink,
}

impl From<ConnectCause> for ConnectError {
    fn from(cause: ConnectCause) -> Self {
        Self { cause, end: None, last_words: Vec::new() }
    }
}

impl Client {
    /// Opens a link and shakes hands. Dropping the future closes what was opened.
    ///
    /// # Errors
    /// [`ConnectError`] says why, how the server ended and what it said last. It does not wait for a server that
    /// takes its time to leave: that one is stopped in the background.
    pub async fn connect(connector: &dyn Connector, options: Options) -> Result<Self, ConnectError> {
        let deadline = Instant::now() + options.connect_timeout;
        let mut session = Session::new(options.settings());
        loop {
            let opened = timeout_at(deadline, connector.open(Way::First)).await;
            let link = match opened {
                Ok(link) => link.map_err(ConnectCause::from)?,
                Err(_) => {
                    return Err(
                        ConnectCause::TimedOut { after: options.connect_timeout, unanswered: &[] }.into()
                    );
                }
            };
            let Link::Lines(lines) = link else { return Err(ConnectCause::UnknownLink.into()) };
            let (link, verdict) = start(lines, session, &options);
            match timeout_at(deadline, verdict).await {
                Ok(Ok(Verdict::Ready(established))) => {
                    return Ok(Self(Arc::new(Inner { link, established: *established, options })));
                }
                Ok(Ok(Verdict::Reopen)) => {
                    let (fault, next) = {
                        let mut state = link.shared.lock();
                        let fault = state.gone.as_ref().and_then(|gone| gone.fault.clone());
                        let over = Session::new(options.settings());
                        (fault, std::mem::replace(&mut state.session, over))
                    };
                    if let Some(fault) = fault {
                        return Err(failed(&link, ConnectCause::Limit(fault)).await);
                    }
                    // What does not leave in time is stopped in the background.
                    let _ = timeout_at(deadline, link.close()).await;
                    session = next;
                }
                Ok(Ok(Verdict::Failed(error))) => {
                    return Err(failed(&link, ConnectCause::Handshake(*error)).await);
                }
                Ok(Err(_)) | Err(_) => {
                    let unanswered = link.shared.lock().session.unanswered();
                    let cause = ConnectCause::TimedOut { after: options.connect_timeout, unanswered };
                    return Err(failed(&link, cause).await);
                }
            }
        }
    }
}

/// Ends a link that is of no use and keeps what it said.
async fn failed(link: &OpenLink, cause: ConnectCause) -> ConnectError {
    let gone = link.shared.lock().gone.clone();
    let _ = timeout(LEAVE, link.close()).await;
    let cause = match gone.as_ref().and_then(|gone| gone.fault.clone()) {
        Some(fault) => ConnectCause::Limit(fault),
        None => cause,
    };
    ConnectError { cause, end: gone.map(|gone| gone.end.clone()), last_words: link.peer.last_words() }
}

fn not_answered(steps: &[Step]) -> String {
    let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
    if steps.is_empty() { String::new() } else { format!(": it did not answer {}", steps.join(" and ")) }
}

fn start(lines: Lines, session: Session, options: &Options) -> (OpenLink, oneshot::Receiver<Verdict>) {
    let Lines { outlet, inlet, peer } = lines;
    let (sender, verdict) = oneshot::channel();
    let shared = Arc::new(Shared::new(session, sender, options));
    let now = shared.now();
    {
        let mut state = shared.lock();
        let state = &mut *state;
        state.session.opened(now, &mut state.out);
    }
    tokio::spawn(writer::write(shared.clone(), outlet, peer.clone()));
    tokio::spawn(reader::read(shared.clone(), inlet, peer.clone(), options.message_limit));
    tokio::spawn(keeper::keep(shared.clone(), peer.clone()));
    (OpenLink { shared, peer }, verdict)
}
