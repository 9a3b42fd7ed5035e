//! A world that a test owns: folders, environment, streams, answers, signals.

use std::ffi::OsString;
use std::io::{self, Cursor, Read, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use codewhale_cli::{
    Dialer, Exit, NetworkParts, Opener, Output, Person, Resolver, Signal, Signals, Streams, Terminal, Vault,
    VaultError, World, run,
};
use codewhale_testkit::{HttpFake, Secrets, Traffic};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::login::Browser;
use crate::seen::Closed;
pub(crate) use crate::seen::Seen;

/// A machine of its own. Nothing that was secret on its way to a server may be seen on it when it is dropped.
pub(crate) struct Machine {
    folder: tempfile::TempDir,
    /// All output of all runs.
    said: Mutex<String>,
    heard: Mutex<Vec<Traffic>>,
}

/// What one run left.
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// One run that is being put together.
pub(crate) struct Trial<'m> {
    machine: &'m Machine,
    environment: Vec<(OsString, OsString)>,
    stdin: Vec<u8>,
    answers: Option<Vec<String>>,
    terminal: Terminal,
    stdout: Seen,
    stderr: Seen,
    closed: bool,
    network: NetworkParts,
    keyring: Option<Arc<dyn Vault>>,
    browser: Arc<dyn Opener>,
    clock: fn() -> SystemTime,
    fed: Option<Box<dyn Read + Send>>,
    signals: Option<mpsc::Receiver<Signal>>,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["home", "work", "temp"] {
            std::fs::create_dir(folder.path().join(name)).expect("a new folder");
        }
        Self { folder, said: Mutex::default(), heard: Mutex::default() }
    }

    /// What comes to this server is looked for.
    pub(crate) fn hears(&self, fake: &HttpFake) {
        self.heard.lock().expect("no holder panics").push(fake.traffic());
    }

    /// The user's home folder.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The working directory.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn temp(&self) -> PathBuf {
        self.folder.path().join("temp")
    }

    /// The user's mcp.json.
    pub(crate) fn config(&self) -> PathBuf {
        self.home().join(".codewhale/mcp.json")
    }

    /// The workspace's own mcp.json.
    pub(crate) fn project(&self) -> PathBuf {
        self.work().join(".codewhale/mcp.json")
    }

    /// Writes a file and its folder.
    pub(crate) fn write(&self, path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().expect("the file has a folder")).expect("the folder");
        std::fs::write(path, text).expect("the file");
    }

    /// Writes the user's mcp.json with these servers, each a fake in some mode.
    pub(crate) fn with_fakes(&self, servers: &[(&str, &[&str])]) {
        let servers: serde_json::Map<String, Value> = servers
            .iter()
            .map(|(name, args)| ((*name).to_owned(), serde_json::json!({"command": fake(), "args": args})))
            .collect();
        self.write(&self.config(), &serde_json::json!({"servers": servers}).to_string());
    }

    /// A server that answers as written, whatever it is asked: for each line that comes, these lines.
    #[cfg(unix)]
    pub(crate) fn with_canned(&self, name: &str, answers: &[&[Value]]) {
        let mut script = String::new();
        for lines in answers {
            script += "read -r line; ";
            lines.iter().for_each(|line| script += &format!("echo '{line}'; "));
        }
        let servers = serde_json::json!({ name: {"command": "sh", "args": ["-c", script]} });
        self.write(&self.config(), &serde_json::json!({"servers": servers}).to_string());
    }

    pub(crate) fn trial(&self) -> Trial<'_> {
        Trial {
            machine: self,
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            stdin: Vec::new(),
            answers: None,
            terminal: Terminal::No,
            stdout: Seen::default(),
            stderr: Seen::default(),
            closed: false,
            network: NetworkParts::default(),
            keyring: None,
            browser: Arc::new(Browser::default()),
            clock: || SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
            fed: None,
            signals: None,
        }
    }

    /// A run that needs nothing special.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.trial().run(arguments)
    }

    /// What a run with `--json` prints.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[&["--json"], arguments].concat());
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // What the user wrote there stays there.
        let fine = [self.home().join(".codewhale/credentials/credentials.json"), self.config()];
        for traffic in self.heard.get_mut().expect("no holder panics").iter() {
            let secrets = Secrets::of(&traffic.requests());
            assert_eq!(secrets.seen_in(&*self.said.get_mut().expect("no holder panics")), [""; 0]);
            let files = secrets.files_below(self.folder.path());
            assert!(files.iter().all(|file| fine.contains(file)), "secrets are in {files:?}");
        }
    }
}

impl Trial<'_> {
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.as_bytes().to_vec();
        self
    }

    /// Somebody sits there and says this.
    pub(crate) fn answers(mut self, answers: &[&str]) -> Self {
        self.answers = Some(answers.iter().rev().map(|answer| (*answer).to_owned()).collect());
        self
    }

    pub(crate) fn terminal(mut self) -> Self {
        self.terminal = Terminal::Columns(80);
        self
    }

    /// Nobody reads standard output any more.
    pub(crate) fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Every name stands for this address.
    pub(crate) fn names_are(mut self, address: IpAddr) -> Self {
        self.network.resolver = Arc::new(Everywhere(address));
        self
    }

    /// Names and roads of the test's own.
    pub(crate) fn roads(mut self, resolver: Arc<dyn Resolver>, dialer: Arc<dyn Dialer>) -> Self {
        self.network.resolver = resolver;
        self.network.dialer = dialer;
        self
    }

    /// There is a keyring.
    pub(crate) fn keyring(mut self, keyring: Arc<dyn Vault>) -> Self {
        self.keyring = Some(keyring);
        self
    }

    /// A browser of the test.
    pub(crate) fn browser(mut self, browser: Arc<dyn Opener>) -> Self {
        self.browser = browser;
        self
    }

    /// What time it is.
    pub(crate) fn at(mut self, clock: fn() -> SystemTime) -> Self {
        self.clock = clock;
        self
    }

    /// Standard input is fed while the run goes on.
    pub(crate) fn fed(mut self, stdin: impl Read + Send + 'static) -> Self {
        self.fed = Some(Box::new(stdin));
        self
    }

    pub(crate) fn signals(mut self, signals: mpsc::Receiver<Signal>) -> Self {
        self.signals = Some(signals);
        self
    }

    /// Standard output and error as they grow.
    pub(crate) fn streams(&self) -> (Seen, Seen) {
        (self.stdout.clone(), self.stderr.clone())
    }

    pub(crate) fn run(self, arguments: &[&str]) -> Ran {
        let machine = self.machine;
        let writer: Box<dyn Write + Send> =
            if self.closed { Box::new(Closed) } else { Box::new(self.stdout.clone()) };
        let world = World {
            environment: self.environment,
            cwd: machine.work(),
            home: Some(machine.home()),
            temp: machine.temp(),
            program: None,
            stdin: self.fed.unwrap_or_else(|| Box::new(Cursor::new(self.stdin))),
            streams: Streams::Given,
            stdout: Output { writer, terminal: self.terminal },
            stderr: Output { writer: Box::new(self.stderr.clone()), terminal: self.terminal },
            network: self.network,
            person: self.answers.map(|answers| Box::new(Somebody(answers)) as Box<dyn Person>),
            keyring: Arc::new(move || match &self.keyring {
                Some(keyring) => Ok(keyring.clone()),
                None => Err(VaultError::Absent { reason: "this machine has none".to_owned() }),
            }),
            browser: self.browser,
            clock: self.clock,
            signals: Signals::From(self.signals.unwrap_or_else(|| mpsc::channel(1).1)),
        };
        let exit = run(std::iter::once(&"codewhale").chain(arguments).map(OsString::from), world);
        let ran = Ran { exit, stdout: self.stdout.text(), stderr: self.stderr.text() };
        *machine.said.lock().expect("no holder panics") += &ran.to_string();
        ran
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}\n--- stdout\n{}--- stderr\n{}", self.exit, self.stdout, self.stderr)
    }
}

impl Ran {
    /// The run ended so.
    #[track_caller]
    pub(crate) fn ends(self, exit: Exit) -> Self {
        assert_eq!(self.exit, exit, "{self}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "{text:?} is not said: {self}");
        self
    }

    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "{text:?} is not printed: {self}");
        self
    }

    /// Neither stream holds this.
    #[track_caller]
    pub(crate) fn hides(self, text: &str) -> Self {
        assert!(!self.stdout.contains(text) && !self.stderr.contains(text), "{text:?} is seen: {self}");
        self
    }
}

/// The fake server.
pub(crate) fn fake() -> String {
    codewhale_testkit::fake().to_string_lossy().into_owned()
}

/// The answer of a modern server with these capabilities to its first request.
#[cfg(unix)]
pub(crate) fn discovered(capabilities: Value) -> Value {
    let result = serde_json::json!({"supportedVersions": ["2026-07-28"], "capabilities": capabilities});
    answer(1, result)
}

/// The id of the second request.
#[cfg(unix)]
pub(crate) const SECOND: u64 = 8193;

/// An answer to the request with this id.
#[cfg(unix)]
pub(crate) fn answer(id: u64, result: Value) -> Value {
    serde_json::json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// An error in answer to the request with this id.
#[cfg(unix)]
pub(crate) fn error(id: u64, code: i64) -> Value {
    serde_json::json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}})
}

/// Finds one address for every name.
#[derive(Debug)]
struct Everywhere(IpAddr);

#[async_trait]
impl Resolver for Everywhere {
    async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![self.0])
    }
}

/// Gives answers from the last to the first.
struct Somebody(Vec<String>);

impl Person for Somebody {
    fn answer(&mut self) -> io::Result<Option<String>> {
        Ok(self.0.pop())
    }
}
