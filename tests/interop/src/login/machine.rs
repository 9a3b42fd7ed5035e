//! A home of its own, in which the binary runs as it is shipped.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use codewhale_testkit::{CommandLines, Secrets};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;
use url::Url;

use super::plain::{Answer, ask};
use crate::check::Outcome;
use crate::expect::{contains, holds, same};
use crate::world::{MARK, World};

/// Far more than a run takes.
const LONGEST: Duration = Duration::from_secs(60);

/// A home, and everything that was said in it.
pub(super) struct Machine {
    folder: TempDir,
    binary: PathBuf,
    mark: String,
    variables: RefCell<Vec<(&'static str, OsString)>>,
    said: RefCell<String>,
    url: String,
    command_lines: CommandLines,
}

/// What a run left.
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Ran {
    /// It ended with this code.
    pub(super) fn ends(self, code: i32) -> Result<Self, String> {
        match self.code == Some(code) {
            true => Ok(self),
            false => {
                Err(format!("it ended with {:?} and not {code}: {}{}", self.code, self.stdout, self.stderr))
            }
        }
    }

    /// It ended well and printed this.
    pub(super) fn prints(self, text: &str) -> Result<Self, String> {
        let this = self.ends(0)?;
        contains(&this.stdout, text)?;
        Ok(this)
    }

    /// It said this.
    pub(super) fn says(self, text: &str) -> Result<Self, String> {
        contains(&self.stderr, text)?;
        Ok(self)
    }
}

impl Machine {
    /// A machine on which the server at `url` is configured as `s`.
    pub(super) fn new(world: &World, url: &str) -> Result<Self, String> {
        let folder = world.folder()?;
        let machine = Self {
            folder,
            binary: world.codewhale.clone(),
            mark: world.mark.clone(),
            variables: RefCell::default(),
            said: RefCell::default(),
            url: url.to_owned(),
            command_lines: CommandLines::watch(&format!("{MARK}={}", world.mark)),
        };
        let text = json!({ "servers": { "s": { "url": url } } }).to_string();
        let written = std::fs::create_dir_all(machine.home().join(".codewhale"))
            .and_then(|()| std::fs::write(machine.home().join(".codewhale/mcp.json"), text));
        written.map_err(|error| error.to_string())?;
        Ok(machine)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Where credentials are when there is no keyring.
    pub(super) fn file(&self) -> PathBuf {
        self.home().join(".codewhale/credentials/credentials.json")
    }

    /// One more variable, from now on.
    pub(super) fn has(&self, name: &'static str, value: impl Into<OsString>) {
        self.variables.borrow_mut().push((name, value.into()));
    }

    /// Runs the binary to its end.
    pub(super) async fn run(&self, arguments: &[&str]) -> Result<Ran, String> {
        let child = self.command(arguments).stdin(Stdio::null()).spawn();
        self.end(child.map_err(|error| format!("cannot run codewhale: {error}"))?, String::new()).await
    }

    /// Begins a login, until it waits for a browser.
    pub(super) async fn begin(&self, arguments: &[&str]) -> Result<Waiting<'_>, String> {
        let arguments = [&["mcp", "login", "s"], arguments].concat();
        let child = self.command(&arguments).stdin(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("cannot run codewhale: {error}"))?;
        let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
        let (mut said, mut url) = (String::new(), None);
        while !said.contains("waiting for") {
            let start = said.len();
            let read = timeout(LONGEST, stderr.read_line(&mut said))
                .await
                .map_err(|_| format!("it says no more: {said}"))?;
            if read.map_err(|error| error.to_string())? == 0 {
                *self.said.borrow_mut() += &said;
                return Err(format!("it did not wait: {said}"));
            }
            url = said[start..].strip_prefix("  http").map(|rest| format!("http{}", rest.trim())).or(url);
        }
        let url = url.ok_or_else(|| format!("it names no address: {said}"))?;
        let url = url.parse().map_err(|error| format!("{url}: {error}"))?;
        Ok(Waiting { machine: self, child, stderr, said, url })
    }

    /// What is kept of the server where there is no keyring.
    pub(super) fn kept(&self) -> Result<Value, String> {
        let bytes = std::fs::read(self.file()).map_err(|error| error.to_string())?;
        let file: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
        let entries = file["entries"].as_object().ok_or("it has no entries")?;
        let entry =
            entries.iter().find(|(name, _)| name.starts_with("server s ")).ok_or("it has no login")?;
        serde_json::from_str(entry.1.as_str().ok_or("it is no text")?).map_err(|error| error.to_string())
    }

    /// How the server answers whoever shows a token that was kept.
    pub(super) async fn status_for(&self, kept: &Value) -> Result<u16, String> {
        Ok(self.answer_to(kept, "", r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await?.status)
    }

    /// What the server answers to a message with these header lines besides, of whoever shows a token that was kept.
    pub(super) async fn answer_to(
        &self,
        kept: &Value,
        headers: &str,
        message: &str,
    ) -> Result<Answer, String> {
        let url = self.url.parse().map_err(|error| format!("{}: {error}", self.url))?;
        let token = kept["access_token"].as_str().unwrap_or_default();
        let headers = format!(
            "Authorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{headers}"
        );
        ask("POST", &url, &headers, message).await
    }

    /// Nothing of what is secret is seen, but in the file that is made for it.
    pub(super) fn hides(&self, secrets: &Secrets) -> Outcome {
        holds("there were secrets", secrets.count() > 0)?;
        same("what is seen", secrets.seen_in(self.said()), [""; 0])?;
        let mut files = secrets.files_below(&self.home());
        files.retain(|file| *file != self.file());
        same("the number of files with secrets", files.len(), 0)
    }

    /// Everything that anybody could read of it: what was printed, and the command lines of its processes.
    pub(super) fn said(&self) -> String {
        format!("{}{}", self.said.borrow(), self.command_lines.seen())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).env_clear().current_dir(self.folder.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin")));
        command.env("HOME", self.folder.path()).env(MARK, &self.mark);
        command.envs(self.variables.borrow().iter().map(|(name, value)| (name, value)));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    async fn end(&self, child: Child, before: String) -> Result<Ran, String> {
        let output = timeout(LONGEST, child.wait_with_output()).await.map_err(|_| "it does not end")?;
        let output = output.map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let stderr = before + &text(&output.stderr);
        let ran = Ran { code: output.status.code(), stdout: text(&output.stdout), stderr };
        *self.said.borrow_mut() += &format!("{}{}", ran.stdout, ran.stderr);
        Ok(ran)
    }
}

/// A login that waits for a browser.
pub(super) struct Waiting<'m> {
    machine: &'m Machine,
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
    /// Where a browser is to go.
    pub(super) url: Url,
}

impl Waiting<'_> {
    /// A parameter of the address.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
    }

    /// Pastes a line.
    pub(super) async fn paste(&mut self, line: &str) -> Result<(), String> {
        let stdin = self.child.stdin.as_mut().expect("it is piped");
        stdin.write_all(format!("{line}\n").as_bytes()).await.map_err(|error| error.to_string())
    }

    /// Presses Ctrl-C.
    pub(super) fn interrupt(&self) -> Result<(), String> {
        let id = self.child.id().ok_or("it has gone")?;
        let sent = std::process::Command::new("kill").args(["-INT", &id.to_string()]).status();
        sent.map_err(|error| error.to_string())
            .and_then(|status| status.success().then_some(()).ok_or("cannot interrupt it".into()))
    }

    /// Waits for its end.
    pub(super) async fn end(mut self) -> Result<Ran, String> {
        let rest = timeout(LONGEST, self.stderr.read_to_string(&mut self.said)).await;
        rest.map_err(|_| format!("it does not end: {}", self.said))?.map_err(|error| error.to_string())?;
        self.machine.end(self.child, self.said).await
    }
}
