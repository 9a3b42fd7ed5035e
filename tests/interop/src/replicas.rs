//! The binary as it is shipped, as three servers of one workspace behind one name: modern requests need none of them in particular, and one that is
//! killed costs no more than what it was at.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use codewhale_mcp_client::Client;
use codewhale_mcp_protocol::Era;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Child;
use tokio::time::timeout;

use crate::check::{Check, Outcome, checks};
use crate::endpoint::{self, To};
use crate::expect::{holds, same, text};
use crate::nginx;
use crate::peer::in_era;
use crate::running::Running;
use crate::world::World;

const REPLICAS: usize = 3;
const CLIENTS: usize = 100;
/// Of each client, one after the other.
const CALLS: usize = 100;
/// It is far more than any needs.
const LONGEST: Duration = Duration::from_secs(300);
/// A file of the workspace, which each call reads.
const FILE: (&str, &str) = ("whale.txt", "a whale");
/// What stands before the address where it says that it listens.
const SERVING: &str = "serving at http://127.0.0.1:";

pub(crate) fn checks() -> Vec<Check> {
    checks!["codewhale serve, three behind nginx";
        answers_many_clients_in_turns,
        loses_no_more_than_what_a_killed_one_was_at,
    ]
}

async fn answers_many_clients_in_turns(world: &World) -> Outcome {
    let replicas = Replicas::start(world).await?;
    let calls = replicas.called_by_all(async |_| Ok(())).await?;
    let turns = replicas.turns(world)?;
    replicas.nginx.stop().await?;
    same("calls", calls.begun.get(), CLIENTS * CALLS)?;
    calls.lost.take().into_iter().try_for_each(|lost| Err(lost.why))?;
    same("replicas that were asked", turns.len(), REPLICAS)?;
    holds(
        &format!("they took turns: {turns:?}"),
        turns.iter().all(|turns| *turns >= CLIENTS * CALLS / REPLICAS / 2),
    )
}

async fn loses_no_more_than_what_a_killed_one_was_at(world: &World) -> Outcome {
    let mut replicas = Replicas::start(world).await?;
    let mut first = replicas.processes.remove(0);
    let killed = Rc::new(Cell::new(None));
    let when = killed.clone();
    let calls = replicas
        .called_by_all(async move |calls: &Calls| {
            calls.third.notified().await;
            first.kill().await.map_err(|error| format!("cannot kill it: {error}"))?;
            when.set(Some(Instant::now()));
            Ok(())
        })
        .await?;
    replicas.nginx.stop().await?;
    let killed = killed.get().ok_or("it was not killed")?;
    let lost = calls.lost.take();
    same("calls", calls.begun.get(), CLIENTS * CALLS)?;
    holds(&format!("no more calls are lost than there are clients: {}", lost.len()), lost.len() <= CLIENTS)?;
    let later = lost.iter().find(|lost| lost.begun > killed);
    later.map_or(Ok(()), |lost| Err(format!("a call was lost that began after the kill: {}", lost.why)))
}

/// Processes of our server behind one nginx.
struct Replicas {
    processes: Vec<Child>,
    nginx: Running,
    _workspace: TempDir,
}

/// What all clients did.
#[derive(Default)]
struct Calls {
    begun: Cell<usize>,
    lost: Cell<Vec<Lost>>,
    /// A third of them has begun.
    third: tokio::sync::Notify,
}

/// A call without an answer.
struct Lost {
    begun: Instant,
    why: String,
}

impl Replicas {
    async fn start(world: &World) -> Result<Self, String> {
        let workspace = world.folder()?;
        std::fs::write(workspace.path().join(FILE.0), FILE.1).map_err(|error| error.to_string())?;
        let (mut processes, mut ports) = (Vec::new(), Vec::new());
        for _ in 0..REPLICAS {
            let mut process = world.replica(workspace.path());
            let mut process = process.spawn().map_err(|error| format!("it does not start: {error}"))?;
            ports.push(listens(&mut process).await?);
            processes.push(process);
        }
        let nginx = nginx::start_before_all(world, &world.shared, &ports).await?;
        Ok(Self { processes, nginx, _workspace: workspace })
    }

    /// Has every client make its calls, and does something meanwhile.
    async fn called_by_all(
        &self,
        meanwhile: impl AsyncFnOnce(&Calls) -> Outcome,
    ) -> Result<Rc<Calls>, String> {
        let calls = Rc::new(Calls::default());
        let to = To::direct(self.nginx.port, "mcp");
        let clients: Vec<_> =
            (0..CLIENTS).map(|_| tokio::task::spawn_local(client(to.clone(), calls.clone()))).collect();
        let all = async {
            let meanwhile = meanwhile(&calls);
            let clients = async {
                for client in clients {
                    client.await.map_err(|error| error.to_string())??;
                }
                Ok::<_, String>(())
            };
            tokio::try_join!(clients, meanwhile)
        };
        let done = timeout(LONGEST, all).await;
        done.map_err(|_| format!("did not come to their end within {} s", LONGEST.as_secs()))??;
        Ok(calls)
    }

    /// How many requests each replica got that was asked.
    fn turns(&self, world: &World) -> Result<Vec<usize>, String> {
        let log = world.shared.folder.path().join(format!("nginx-{}", self.nginx.port)).join(nginx::TURNS);
        let log = std::fs::read_to_string(log).map_err(|error| error.to_string())?;
        let mut turns = std::collections::BTreeMap::new();
        log.lines().for_each(|replica| *turns.entry(replica).or_default() += 1);
        Ok(turns.into_values().collect())
    }
}

/// Waits until a server says where it listens, and says the port.
async fn listens(process: &mut Child) -> Result<u16, String> {
    let mut lines = BufReader::new(process.stderr.take().expect("it is piped")).lines();
    let mut said = String::new();
    while let Some(line) = lines.next_line().await.map_err(|error| error.to_string())? {
        if let Some((_, rest)) = line.split_once(SERVING) {
            // It must never wait for somebody to read what it says.
            tokio::task::spawn_local(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            let port = rest.split('/').next().and_then(|port| port.parse().ok());
            return port.ok_or(format!("it listens at no port: {line}"));
        }
        said.push_str(&line);
    }
    Err(format!("it does not say where it listens: {said}"))
}

async fn client(to: To, calls: Rc<Calls>) -> Outcome {
    let connector = endpoint::connector(&to)?;
    let client = Client::connect(&connector, in_era(Era::Modern)).await.map_err(|error| error.to_string())?;
    for _ in 0..CALLS {
        let begun = Instant::now();
        calls.begun.set(calls.begun.get() + 1);
        if calls.begun.get() == CLIENTS * CALLS / 3 {
            calls.third.notify_one();
        }
        let answer = client.call_tool("read_file", &json!({ "path": FILE.0 })).send().await;
        let why = match answer {
            Ok(result) if text(&result).contains(FILE.1) => continue,
            Ok(result) => format!("another answer: {result:?}"),
            Err(error) => error.to_string(),
        };
        let mut lost = calls.lost.take();
        lost.push(Lost { begun, why });
        calls.lost.set(lost);
    }
    client.close().await;
    Ok(())
}
