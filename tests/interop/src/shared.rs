//! What several checks share: servers that are reached over HTTP, and what stands before them. Each is started when
//! it is needed first, and stopped at the end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::net::TcpListener;
use std::path::PathBuf;
use std::rc::Rc;

use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::by::{By, Route};
use crate::endpoint::To;
use crate::made_by::Maker;
use crate::running::Running;
use crate::world::World;
use crate::{nginx, tinyproxy};

/// A server that is reached over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Which {
    EverythingHttp,
    EverythingEvents,
    Made(Maker),
}

/// A process of [`Shared`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Server(Which),
    Nginx(Which, nginx::Buffering),
    Tinyproxy,
}

type Started = Rc<OnceCell<Result<Running, String>>>;

/// What several checks share.
pub(crate) struct Shared {
    started: RefCell<HashMap<Key, Started>>,
    /// A folder for each that needs one, and the folder that all of them run in.
    pub(crate) folder: TempDir,
    next_port: Cell<u16>,
    telling: Mutex<()>,
}

impl Shared {
    pub(crate) fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
        // Below those that the system gives to connections, and not where another run begins.
        let first = 20_000 + u16::try_from(std::process::id() % 1000).expect("it is small") * 10;
        Ok(Self { started: RefCell::default(), folder, next_port: Cell::new(first), telling: Mutex::new(()) })
    }

    /// The way to a server, which is there now, as everything on that way.
    pub(crate) async fn way(&self, world: &World, which: Which, route: Route) -> Result<To, String> {
        let server = self.server(world, which).await?;
        let path = which.path();
        let buffering = match route {
            Route::Direct => return Ok(To::direct(server, path)),
            Route::Tinyproxy => {
                let proxy = self.get(Key::Tinyproxy, tinyproxy::start(world, self)).await?;
                return Ok(To::through(proxy, server, path));
            }
            Route::Nginx => nginx::Buffering::On,
            Route::UnbufferedNginx => nginx::Buffering::Off,
        };
        let start = nginx::start(world, self, server, buffering);
        Ok(To::direct(self.get(Key::Nginx(which, buffering), start).await?, path))
    }

    /// The port of a server, which is there now.
    pub(crate) async fn server(&self, world: &World, which: Which) -> Result<u16, String> {
        let start = async {
            let port = self.port()?;
            let mut launch = world.on_port(which, port)?;
            launch.cwd = Some(self.folder.path().to_owned());
            Running::start(launch, port, world.guard.clone()).await
        };
        self.get(Key::Server(which), start).await
    }

    async fn get(
        &self,
        key: Key,
        start: impl Future<Output = Result<Running, String>>,
    ) -> Result<u16, String> {
        let cell = self.started.borrow_mut().entry(key).or_default().clone();
        let running = cell.get_or_init(|| start).await.as_ref();
        running.map(|running| running.port).map_err(|why| format!("{key:?} does not start: {why}"))
    }

    /// Waits for the other checks that make a server tell something, since it tells that to all that listen.
    pub(crate) async fn telling(&self, by: By) -> Option<MutexGuard<'_, ()>> {
        if by == By::Pipes { None } else { Some(self.telling.lock().await) }
    }

    /// A port that nobody has, and that is given once.
    pub(crate) fn port(&self) -> Result<u16, String> {
        for _ in 0..1000 {
            let port = self.next_port.replace(self.next_port.get() + 1);
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                return Ok(port);
            }
        }
        Err("there is no free port".into())
    }

    /// A folder for a process, with these files.
    pub(crate) fn folder_for(&self, name: &str, files: &[(&str, &str)]) -> Result<PathBuf, String> {
        let folder = self.folder.path().join(name);
        let made = std::fs::create_dir(&folder)
            .and_then(|()| files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text)));
        made.map_err(|error| format!("cannot fill {}: {error}", folder.display()))?;
        Ok(folder)
    }

    /// Stops everything. Says which had not lasted until now.
    pub(crate) async fn stop(&self) -> Result<(), String> {
        let started: Vec<_> = self.started.borrow_mut().drain().collect();
        let mut gone = Vec::new();
        for (key, cell) in started {
            if let Some(Ok(running)) = cell.get()
                && let Err(why) = running.stop().await
            {
                gone.push(format!("{key:?}: {why}"));
            }
        }
        if gone.is_empty() { Ok(()) } else { Err(gone.join("\n        ")) }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EverythingHttp => f.write_str("everything (http)"),
            Self::EverythingEvents => f.write_str("everything (sse)"),
            Self::Made(maker) => write!(f, "{maker} (http)"),
        }
    }
}

impl Which {
    /// Where its endpoint is.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::EverythingEvents => "sse",
            Self::EverythingHttp | Self::Made(_) => "mcp",
        }
    }
}
