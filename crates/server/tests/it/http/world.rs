//! The server that is asked: tools that a test can hold up, and that leave notes of what became of them.
#![expect(clippy::unwrap_used, reason = "whatever fails here fails the test")]

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_protocol::{ElicitParams, Json};
use codewhale_mcp_server::http::{Options, Release, listen};
use codewhale_mcp_server::{Context, Failure, NoArguments, Server, prompt, resource, tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// It is far more than anything takes.
const LONGEST: Duration = Duration::from_secs(30);

/// A server that listens until this is dropped.
pub(crate) struct World {
    pub(crate) address: SocketAddr,
    pub(crate) server: Server,
    pub(crate) gate: Arc<Gate>,
    pub(crate) shutdown: Option<oneshot::Sender<()>>,
    pub(crate) listening: JoinHandle<std::io::Result<()>>,
}

/// What holds tools up, and what they noted.
#[derive(Default)]
pub(crate) struct Gate {
    open: Notify,
    notes: Mutex<Vec<&'static str>>,
    noted: Notify,
}

impl Gate {
    /// Lets one tool go on that waits, or the next one that will.
    pub(crate) fn open(&self) {
        self.open.notify_one();
    }

    fn note(&self, note: &'static str) {
        self.notes.lock().unwrap().push(note);
        self.noted.notify_waiters();
    }

    pub(crate) fn count(&self, note: &str) -> usize {
        self.notes.lock().unwrap().iter().filter(|noted| **noted == note).count()
    }

    /// Waits until something was noted so many times.
    pub(crate) async fn noted(&self, note: &str, times: usize) {
        let all = async {
            loop {
                let mut noted = std::pin::pin!(self.noted.notified());
                noted.as_mut().enable();
                if self.count(note) >= times {
                    return;
                }
                noted.await;
            }
        };
        timeout(LONGEST, all).await.unwrap_or_else(|_| panic!("{note:?} is noted in time"));
    }
}

/// Notes that a tool was dropped before its end.
struct Running {
    gate: Arc<Gate>,
    over: bool,
}

impl Running {
    fn new(gate: &Arc<Gate>) -> Self {
        gate.note("begun");
        Self { gate: gate.clone(), over: false }
    }

    fn over(mut self) {
        self.over = true;
        self.gate.note("over");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.over {
            self.gate.note("dropped");
        }
    }
}

#[derive(Deserialize, JsonSchema)]
struct Echoed {
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct Somewhere {
    region: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Steps {
    count: u32,
    /// How long each message is.
    size: usize,
}

impl World {
    pub(crate) async fn start(options: Options) -> Self {
        let gate = Arc::new(Gate::default());
        let server = server(&gate);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (shutdown, asked) = oneshot::channel::<()>();
        let stop = async move {
            let _ = asked.await;
        };
        let listening = tokio::spawn(listen(server.clone(), options, listener, stop));
        Self { address, server, gate, shutdown: Some(shutdown), listening }
    }
}

/// The server, whose tools are held up at the gate.
pub(crate) fn server(gate: &Arc<Gate>) -> Server {
    let (waiting, stepping, leaving) = (gate.clone(), gate.clone(), gate.clone());
    Server::builder("test", "1.0.0")
        .announces_changes()
        .logs()
        .prompt(prompt("say", async |_: NoArguments, _| Ok("say it".to_owned())))
        .resource(resource("test://it", "it", async |_| Ok("this is it".to_owned())))
        .tool(tool("echo", async |arguments: Echoed, _| Ok(arguments.text)))
        .tool(
            tool("regional", async |arguments: Somewhere, _| Ok(arguments.region.unwrap_or_default()))
                .input_schema(Json::from(json!({
                    "type": "object",
                    "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
                }))),
        )
        .tool(tool("whoami", async |_: NoArguments, context: Context| {
            Ok(context.facts().principal().unwrap_or("nobody").to_owned())
        }))
        .tool(tool("wait", move |_: NoArguments, _| {
            let gate = waiting.clone();
            async move {
                let running = Running::new(&gate);
                gate.open.notified().await;
                running.over();
                Ok("the gate was open")
            }
        }))
        .tool(tool("steps", move |steps: Steps, context: Context| {
            let gate = stepping.clone();
            async move {
                let running = Running::new(&gate);
                let message = "x".repeat(steps.size);
                for step in 0..steps.count {
                    context.progress(f64::from(step), None, Some(&message)).await;
                    gate.note("step");
                }
                running.over();
                Ok("every step is done")
            }
        }))
        .tool(tool("leave", move |_: NoArguments, context: Context| {
            let gate = leaving.clone();
            async move {
                let running = Running::new(&gate);
                context.progress(1.0, None, None).await;
                gate.open.notified().await;
                if let Some(connection) = context.facts().value::<Release>() {
                    connection.release();
                }
                gate.note("released");
                gate.open.notified().await;
                running.over();
                Ok("it came back")
            }
        }))
        .tool(tool("ask", ask))
        .tool(tool("ask_later", ask).as_task(Duration::from_secs(600), Duration::from_secs(1)))
        .build()
        .unwrap()
}

/// Asks for a name, and says it.
async fn ask(_: NoArguments, context: Context) -> Result<String, Failure> {
    let params = json!({
        "message": "name?",
        "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } },
    });
    let form: ElicitParams = serde_json::from_value(params)?;
    let answer = context.elicit("name", form).await?;
    let name = answer.content.and_then(|content| content.member("name")?.decode::<String>().ok());
    name.ok_or_else(|| Failure::told("nobody"))
}
