//! A login's visit to the browser, with a listener for its return.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet, yield_now};
use tokio::time::{sleep, timeout};

use super::bind::{Bound, bind};
use super::callback::Callback;
use super::connection::{Waiting, serve};
use super::judge::Awaited;
use super::page::ended;
use super::person::{Opened, Person, Visit};
use crate::browse::{Browse, BrowseError, Ending, Landing, Redirected};
use crate::browser::{BrowserUrl, CannotOpen, Opener};
use crate::paste;

/// How long a person may take.
const LIMIT: Duration = Duration::from_secs(600);

/// The most connections at a time; for another one the oldest goes. Browsers open some in advance and say nothing on them,
/// and nobody who does so may keep out the one that is waited for.
const CONNECTIONS: usize = 64;

/// How long nothing is accepted after the system refused to.
const PAUSE: Duration = Duration::from_millis(100);

/// Sends people to a browser and listens on this machine for its return.
#[derive(Debug)]
pub struct Loopback {
    callback: Callback,
    person: Arc<dyn Person>,
    opener: Option<Arc<dyn Opener>>,
    limit: Duration,
}

impl Loopback {
    /// Listens as `callback` says and leaves it to the person to open the URL.
    #[must_use]
    pub fn new(callback: Callback, person: Arc<dyn Person>) -> Self {
        Self { callback, person, opener: None, limit: LIMIT }
    }

    /// Opens the URL too.
    #[must_use]
    pub fn with_browser(self, opener: Arc<dyn Opener>) -> Self {
        Self { opener: Some(opener), ..self }
    }

    /// Gives a person so long; ten minutes otherwise.
    #[must_use]
    pub fn with_patience(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }
}

#[async_trait]
impl Browse for Loopback {
    async fn land(&self, registered: Option<&str>) -> Result<Box<dyn Landing>, BrowseError> {
        let Bound { listeners, port } = bind(&self.callback, registered).await?;
        Ok(Box::new(Landed {
            listeners,
            uri: self.callback.uri(port),
            path: self.callback.path.clone(),
            hosts: self.callback.hosts(port),
            person: Arc::clone(&self.person),
            opener: self.opener.clone(),
            limit: self.limit,
            waiting: Mutex::new(None),
        }))
    }
}

/// A listener that is up.
struct Landed {
    listeners: Vec<TcpListener>,
    uri: String,
    path: String,
    hosts: Vec<String>,
    person: Arc<dyn Person>,
    opener: Option<Arc<dyn Opener>>,
    limit: Duration,
    waiting: Mutex<Option<Waiting>>,
}

impl fmt::Debug for Landed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Landed").field("uri", &self.uri).finish_non_exhaustive()
    }
}

#[async_trait]
impl Landing for Landed {
    fn redirect_uri(&self) -> &str {
        &self.uri
    }

    async fn visit(&self, url: &str, state: &Secret<String>) -> Result<Redirected, BrowseError> {
        let url =
            BrowserUrl::parse(url).map_err(|error| BrowseError::GivenUp { reason: error.to_string() })?;
        let opened = self.open(&url).await;
        self.person.told(&Visit { url: url.as_str(), redirect_uri: &self.uri, opened });
        let returned = async {
            tokio::select! {
                redirected = self.listen(state) => redirected,
                redirected = self.read_pasted(state) => redirected,
            }
        };
        timeout(self.limit, returned).await.map_err(|_| BrowseError::TimedOut { limit: self.limit })
    }

    async fn show(&self, ending: Ending) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waiting) = waiting {
            waiting.show(&ended(&ending)).await;
        }
    }
}

impl Landed {
    async fn open(&self, url: &BrowserUrl) -> Opened {
        let Some(opener) = self.opener.clone() else { return Opened::NotAsked };
        let url = url.clone();
        match tokio::task::spawn_blocking(move || opener.open(&url)).await {
            Ok(Ok(())) => Opened::Yes,
            Ok(Err(error)) => Opened::Failed(error),
            Err(error) => Opened::Failed(CannotOpen { reason: error.to_string() }),
        }
    }

    /// Answers requests until the one comes that is waited for.
    async fn listen(&self, state: &Secret<String>) -> Redirected {
        let awaited = Awaited { path: self.path.clone(), hosts: self.hosts.clone(), state: state.clone() };
        let awaited = Arc::new(awaited);
        let mut connections = JoinSet::new();
        let mut by_age = VecDeque::new();
        loop {
            tokio::select! {
                biased;
                Some(served) = connections.join_next(), if !connections.is_empty() => {
                    if let Ok(Some((query, waiting))) = served {
                        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(waiting);
                        return Redirected(query);
                    }
                }
                accepted = self.accept() => match accepted {
                    Ok(stream) => {
                        by_age.retain(|connection: &AbortHandle| !connection.is_finished());
                        if by_age.len() == CONNECTIONS {
                            by_age.pop_front().expect("there are some").abort();
                        }
                        let awaited = Arc::clone(&awaited);
                        by_age.push_back(connections.spawn(async move { serve(stream, &awaited).await }));
                        // What it has said already is heard before another one is let in.
                        yield_now().await;
                    }
                    Err(_) => sleep(PAUSE).await,
                },
            }
        }
    }

    async fn accept(&self) -> std::io::Result<TcpStream> {
        poll_fn(|context| {
            for listener in &self.listeners {
                if let Poll::Ready(accepted) = listener.poll_accept(context) {
                    return Poll::Ready(accepted.map(|(stream, _)| stream));
                }
            }
            Poll::Pending
        })
        .await
    }

    /// Reads what is pasted until it is what is waited for.
    async fn read_pasted(&self, state: &Secret<String>) -> Redirected {
        while let Some(pasted) = self.person.pasted().await {
            match paste::read(&pasted, &self.uri, state) {
                Ok(redirected) => return redirected,
                Err(why) => self.person.refused(&why),
            }
        }
        std::future::pending().await
    }
}
