//! A session in this process: its servers are in memory, its output is kept.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use codewhale_host::flags::Asked;
use codewhale_host::{Endpoint, Host, Line, NotConfigured, Setup, Talk};
use codewhale_mcp_config::{McpFile, Merged, Model, Scope, Source};
use codewhale_mcp_manager::{Fleet, FleetRules, InProcess, Manager, Setup as ManagerSetup, Target};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::{Connector, Link, OpenError, Way, memory};
use codewhale_testkit::ModelFake;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::{Notify, mpsc};

use crate::skills;

/// How a server in memory behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// It answers at once.
    Fast,
    /// It answers after this time.
    Slow(Duration),
    /// It cannot be reached.
    Failing,
    /// It never answers.
    Hung,
    /// It wants a login.
    NeedsLogin,
    /// It has a skill.
    Skilled,
    /// It has skills, and never lists them.
    Mute,
    /// It has everything, and quotes [`SECRET`] whenever it is asked for something.
    Quoting,
}

/// What nobody is to see.
pub(crate) const SECRET: &str = "whale-4711-secret-of-a-server";

/// What a session has said so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said(Arc<Heard>);

#[derive(Debug, Default)]
struct Heard {
    bytes: Mutex<Vec<u8>>,
    more: Notify,
}

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.bytes.lock().unwrap().extend_from_slice(bytes);
        self.0.more.notify_waiters();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Said {
    /// Every message.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let bytes = self.0.bytes.lock().unwrap().clone();
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    /// Messages of a type.
    pub(crate) fn of(&self, kind: &str) -> Vec<Value> {
        self.messages().into_iter().filter(|message| message["type"] == kind).collect()
    }

    /// Waits until a message is there.
    pub(crate) async fn until(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let look = async {
            loop {
                let more = self.0.more.notified();
                tokio::pin!(more);
                // Before the look, so that nothing that comes after it is missed.
                more.as_mut().enable();
                if let Some(message) = self.messages().into_iter().find(|message| is_it(message)) {
                    return message;
                }
                more.await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), look).await;
        found.unwrap_or_else(|_| panic!("it was not said: {:#?}", self.messages()))
    }
}

/// A session that runs, and the way in.
pub(crate) struct Trial {
    pub(crate) said: Said,
    input: Option<mpsc::Sender<Line>>,
    session: tokio::task::JoinHandle<codewhale_host::Ended>,
    fleet: Fleet,
    kept: PathBuf,
    _home: tempfile::TempDir,
}

/// What a session is started with.
pub(crate) struct Plan {
    pub(crate) flags: &'static str,
    /// `mcpServers`; those of type `sdk` are in memory and do as `behaves` says. Without any they live with the caller.
    pub(crate) servers: Value,
    pub(crate) behaves: fn(&str) -> Option<Behaviour>,
    pub(crate) window: Duration,
    pub(crate) model: Result<Endpoint, NotConfigured>,
    pub(crate) silence: Duration,
    pub(crate) backoff: Duration,
    pub(crate) room: usize,
    /// Hears what is worth knowing.
    pub(crate) talk: Arc<Talk>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            flags: "",
            servers: json!({}),
            behaves: |_| None,
            window: Duration::from_secs(2),
            model: Endpoint::new(&Model::default(), |_| None),
            silence: Duration::from_secs(60),
            backoff: Duration::from_millis(1),
            room: 64 << 20,
            talk: Arc::new(|_| {}),
        }
    }
}

impl Plan {
    /// With a scripted model.
    pub(crate) fn asking(model: &ModelFake) -> Self {
        Self { model: Ok(endpoint(model, None)), ..Self::default() }
    }
}

/// A scripted model as the settings would name it.
pub(crate) fn endpoint(model: &ModelFake, key: Option<&str>) -> Endpoint {
    let key_line = if key.is_some() { "\napi_key_env = \"KEY\"" } else { "" };
    let text = format!("[model]\nbase_url = \"{}\"\nmodel = \"scripted\"{key_line}\n", model.base_url());
    let source = Source::label("test", Scope::User);
    let settings = codewhale_mcp_config::Settings::parse(&text, &source).unwrap();
    Endpoint::new(&settings.model, |_| key.map(str::to_owned)).unwrap()
}

impl Trial {
    pub(crate) fn start(plan: Plan) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut words = vec!["--input-format=stream-json", "--output-format=stream-json"];
        words.extend(plan.flags.split_whitespace());
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let said = Said::default();
        let host =
            Host::new(Box::new(said.clone()), Some("the-session".to_owned()), SystemTime::now).unwrap();
        let mut manager =
            ManagerSetup::new(Vec::new(), home.path().into(), home.path().into(), SystemTime::now);
        manager.in_process = match plan.servers.as_object().unwrap().is_empty() {
            true => host.in_process(),
            false => in_process(plan.behaves),
        };
        let targets = targets(&plan.servers);
        let fleet = Fleet::new(Manager::new(manager), targets.clone(), FleetRules::default()).unwrap();
        let asked = Asked::read(&words).unwrap();
        let kept = home.path().join("results");
        let mut setup = Setup::new(asked, home.path().into(), kept.clone(), plan.model);
        setup.targets = targets;
        setup.window = plan.window;
        setup.silence = plan.silence;
        setup.backoff = plan.backoff;
        setup.room = plan.room;
        setup.talk = plan.talk;
        let (input, lines) = mpsc::channel(64);
        let session = tokio::spawn(host.run_lines(setup, fleet.clone(), lines));
        Self { said, input: Some(input), session, fleet, kept, _home: home }
    }

    /// The folder of results that are too long.
    pub(crate) fn kept(&self) -> &Path {
        &self.kept
    }

    /// Says something to the session.
    pub(crate) async fn say(&self, message: Value) {
        self.say_raw(message.to_string()).await;
    }

    pub(crate) async fn say_raw(&self, line: impl Into<Vec<u8>>) {
        self.input.as_ref().unwrap().send(Line::Whole(line.into())).await.unwrap();
    }

    pub(crate) async fn prompt(&self, text: &str) {
        self.say(json!({"type": "user", "message": {"role": "user", "content": text}})).await;
    }

    /// Another way in.
    pub(crate) fn input(&self) -> mpsc::Sender<Line> {
        self.input.clone().unwrap()
    }

    /// Wants something, and waits for the answer.
    pub(crate) async fn want(&self, request: Value) -> Value {
        let id = format!("want-{}", self.said.messages().len());
        self.say(json!({"type": "control_request", "request_id": id, "request": request})).await;
        let answer = self.said.until(|message| message["response"]["request_id"] == *id).await;
        answer["response"].clone()
    }

    /// Waits for so many results.
    pub(crate) async fn results(&self, count: usize) -> Vec<Value> {
        self.said.until(|_| self.said.of("result").len() >= count).await;
        self.said.of("result")
    }

    /// Ends the input and waits for the end of the session: everything that was said.
    pub(crate) async fn end(self) -> Vec<Value> {
        self.end_and_look(|_| {}).await
    }

    /// The same with a look at what is left in the folder of results.
    pub(crate) async fn end_and_look(mut self, look: impl FnOnce(&Path)) -> Vec<Value> {
        self.input = None;
        self.session.await.unwrap();
        self.fleet.shutdown().await;
        look(&self.kept);
        self.said.messages()
    }
}

fn targets(servers: &Value) -> Vec<Target> {
    let text = json!({"mcpServers": servers}).to_string();
    let file = McpFile::parse(&text, &Source::label("test", Scope::Flag)).unwrap();
    let merged = Merged::new(vec![file]);
    let order: Vec<&str> = servers.as_object().unwrap().keys().map(String::as_str).collect();
    let server = |name: &&str| {
        let mut server = merged.server(name).unwrap().resolve(&|_: &str| None, "/".as_ref()).unwrap();
        server.secrets.push(Secret::new(SECRET.to_owned()));
        server
    };
    order.iter().map(server).map(Target::from).collect()
}

/// Servers in memory.
fn in_process(behaves: fn(&str) -> Option<Behaviour>) -> InProcess {
    InProcess::new(move |name| Some(Box::new(InMemory(behaves(name)?)) as Box<dyn Connector>))
}

#[derive(Debug)]
struct InMemory(Behaviour);

#[async_trait]
impl Connector for InMemory {
    async fn open(&self, way: Way) -> Result<Link, OpenError> {
        match self.0 {
            Behaviour::Failing => {
                Err(OpenError::Io { action: "do anything", source: std::io::Error::other("it is broken") })
            }
            Behaviour::NeedsLogin => {
                Err(OpenError::NoEventStream { status: 401, reason: "who are you".to_owned() })
            }
            behaviour => {
                let (connector, stream) = memory::pair(64 * 1024);
                tokio::spawn(serve(stream, behaviour));
                connector.open(way).await
            }
        }
    }
}

async fn serve(stream: DuplexStream, behaviour: Behaviour) {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut lines = BufReader::new(reader).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).unwrap();
        let result = match request["method"].as_str() {
            _ if behaviour == Behaviour::Hung => continue,
            Some("skills/list") if behaviour == Behaviour::Mute => continue,
            Some("server/discover") => {
                if let Behaviour::Slow(time) = behaviour {
                    tokio::time::sleep_until(tokio::time::Instant::now() + time).await;
                }
                json!({"supportedVersions": ["2026-07-28"], "capabilities": capabilities(behaviour)})
            }
            Some(skill @ ("skills/list" | "skills/get" | "resources/read")) => {
                skills::answer(skill, request["params"]["uri"].as_str())
            }
            Some("tools/list") => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
            _ => json!({"content": [{"type": "text", "text": request["params"]["arguments"].to_string()}]}),
        };
        let mut reply = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        if let Some((place, value)) = quoted(behaviour, &request) {
            reply.as_object_mut().unwrap().remove("result");
            reply[place] = value;
        }
        if writer.write_all(format!("{reply}\n").as_bytes()).await.is_err() {
            return;
        }
    }
}

/// What a server that quotes answers instead: an error, or a result that is one.
fn quoted(behaviour: Behaviour, request: &Value) -> Option<(&'static str, Value)> {
    let method = request["method"].as_str()?;
    let words = format!("{method}: who would take {SECRET}?");
    match method {
        _ if behaviour != Behaviour::Quoting => None,
        "server/discover" | "tools/list" => None,
        "tools/call" if request["params"]["arguments"]["as"] == "result" => {
            Some(("result", json!({"content": [{"type": "text", "text": words}], "isError": true})))
        }
        _ => Some(("error", json!({"code": -32602, "message": words}))),
    }
}

fn capabilities(behaviour: Behaviour) -> Value {
    match behaviour {
        Behaviour::Skilled | Behaviour::Mute => {
            json!({"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}})
        }
        Behaviour::Quoting => json!({
            "tools": {}, "resources": {}, "prompts": {}, "extensions": {"io.modelcontextprotocol/skills": {}},
        }),
        _ => json!({"tools": {}}),
    }
}
