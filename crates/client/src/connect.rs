//! From a connector to a client: open, shake hands, and open again where that is the way.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::Era;
use codewhale_mcp_session::{Binding, Established, HandshakeError, Session, Step, Verdict};
use codewhale_mcp_transport::{Connector, End, ExchangeError, Exchanges, Lines, Link, OpenError, Way};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use crate::client::{Client, Inner, OpenLink};
use crate::error::LimitFault;
use crate::event::Event;
use crate::lane::{ExchangeFault, Lane, greeting, hear, hear_all, post};
use crate::options::Options;
use crate::shared::Shared;
use crate::state::Settled;
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
    /// A link took too long to open. An event stream does where something on the way keeps it back.
    #[error("{} did not open within {} s", way_in_words(*way), after.as_secs_f64())]
    NotOpen {
        /// The budget.
        after: Duration,
        /// Which way it was.
        way: Way,
    },
    /// An exchange of the handshake came to nothing.
    #[error(transparent)]
    Exchange(ExchangeFault),
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
    pub fn connect(
        connector: &dyn Connector,
        options: Options,
    ) -> impl Future<Output = Result<Self, ConnectError>> + Send {
        // Many connect at once, and each place in the future would be there as often.
        Self::connect_with(connector, Arc::new(options))
    }

    async fn connect_with(connector: &dyn Connector, options: Arc<Options>) -> Result<Self, ConnectError> {
        let deadline = Instant::now() + options.connect_timeout;
        let mut session = Box::new(Session::new(options.settings()));
        loop {
            let way = if session.memory().event_stream { Way::EventStream } else { Way::First };
            let link = match timeout_at(deadline, connector.open(way)).await {
                Ok(Ok(link)) => link,
                Ok(Err(error)) if way == Way::EventStream && !wants_login(&error) => {
                    match session.other_way_closed(error.to_string()) {
                        Some(all) => return Err(ConnectCause::Handshake(all).into()),
                        None => continue,
                    }
                }
                Ok(Err(error)) => return Err(ConnectCause::from(error).into()),
                Err(_) => {
                    return Err(ConnectCause::NotOpen { after: options.connect_timeout, way }.into());
                }
            };
            let (link, settled) = match link {
                Link::Lines(lines) => start(lines, *session, &options),
                Link::Exchanges(exchanges) => start_lane(exchanges, *session, &options),
                _ => return Err(ConnectCause::UnknownLink.into()),
            };
            let settled = match timeout_at(deadline, settled).await {
                Ok(Ok(Ok(Verdict::Ready(established)))) => timeout_at(deadline, greeted(&link, &established))
                    .await
                    .map(|greeted| Ok(greeted.map(|()| Verdict::Ready(established)))),
                settled => settled,
            };
            match settled {
                Ok(Ok(Ok(Verdict::Ready(established)))) => {
                    return Ok(Self(Arc::new(Inner { link, established: *established, options })));
                }
                Ok(Ok(Ok(Verdict::Reopen))) => {
                    let fault = link.shared.lock().gone.as_ref().and_then(|gone| gone.fault.clone());
                    if let Some(fault) = fault {
                        return Err(failed(&link, ConnectCause::Limit(fault)).await);
                    }
                    session = taken(&link, &options);
                    // What does not leave in time is stopped in the background.
                    let _ = timeout_at(deadline, link.close()).await;
                }
                Ok(Ok(Ok(Verdict::Failed(error)))) => {
                    return Err(failed(&link, ConnectCause::Handshake(*error)).await);
                }
                Ok(Ok(Err(fault))) => return Err(failed(&link, ConnectCause::Exchange(fault)).await),
                Ok(Err(_)) | Err(_) => {
                    let unanswered = link.shared.lock().session.unanswered();
                    let cause = ConnectCause::TimedOut { after: options.connect_timeout, unanswered };
                    return Err(failed(&link, cause).await);
                }
            }
        }
    }
}

/// The session of a link that is over, for the next one.
fn taken(link: &OpenLink, options: &Options) -> Box<Session> {
    let over = Session::new(options.settings());
    Box::new(std::mem::replace(&mut link.shared.lock().session, over))
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

/// Whether it is a login that is missing, and not the way.
fn wants_login(error: &OpenError) -> bool {
    matches!(error, OpenError::Exchange(ExchangeError::LoginNeeded { .. }))
}

fn way_in_words(way: Way) -> &'static str {
    match way {
        Way::First => "the way to the server",
        Way::EventStream => "the event stream of the server (HTTP+SSE)",
    }
}

fn not_answered(steps: &[Step]) -> String {
    let steps: Vec<String> = steps.iter().map(Step::to_string).collect();
    if steps.is_empty() { String::new() } else { format!(": it did not answer {}", steps.join(" and ")) }
}

/// A legacy server takes no requests before it was told that the session is open, and says things by itself from
/// then on. Where there is one stream both ways, the order of messages sees to that.
async fn greeted(link: &OpenLink, established: &Established) -> Result<(), ExchangeFault> {
    let Some(lane) = link.shared.lane_if_any().filter(|_| established.era() == Era::Legacy) else {
        return Ok(());
    };
    let mut posted = lane.greeted.subscribe();
    let posted = posted.wait_for(Option::is_some).await.map(|posted| posted.clone());
    if let Some(fault) = greeting(posted.ok().flatten().unwrap_or(Ok(())))? {
        link.shared.events.tell(&Event::NotDelivered { fault: Arc::new(fault) });
    }
    if !lane.event_stream {
        tokio::spawn(hear(link.shared.clone()));
    }
    Ok(())
}

fn start_lane(
    exchanges: Exchanges,
    session: Session,
    options: &Arc<Options>,
) -> (OpenLink, oneshot::Receiver<Settled>) {
    let Exchanges { carrier, stream, has_other_way, peer } = exchanges;
    let binding = match stream {
        Some(_) => Binding::EventStream,
        None => Binding::Streamable { has_other_way },
    };
    let lane = Lane::new(carrier, stream.is_some(), options.message_limit);
    let (sender, settled) = oneshot::channel();
    let shared = Arc::new(Shared::new(session, sender, Some(lane), options));
    let now = shared.now();
    {
        let mut state = shared.lock();
        let state = &mut *state;
        state.session.opened_by(binding, now, &mut state.out);
    }
    if let Some(stream) = stream {
        tokio::spawn(hear_all(shared.clone(), stream, peer.clone()));
    }
    tokio::spawn(post(shared.clone()));
    tokio::spawn(keeper::keep(shared.clone(), peer.clone()));
    (OpenLink { shared, peer }, settled)
}

fn start(lines: Lines, session: Session, options: &Arc<Options>) -> (OpenLink, oneshot::Receiver<Settled>) {
    let Lines { outlet, inlet, peer } = lines;
    let (sender, verdict) = oneshot::channel();
    let shared = Arc::new(Shared::new(session, sender, None, options));
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
