//! Where the servers are and how each is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use codewhale_mcp_protocol::Era;
use codewhale_mcp_transport::stdio::Launch;
use tempfile::TempDir;

/// The variable that every server of this run has in its environment.
pub(crate) const MARK: &str = "CODEWHALE_INTEROP";

/// A server that is made twice, and the era it is spoken to in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    pub(crate) with: Maker,
    pub(crate) era: Era,
}

/// What a server is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    FastMcp,
    Rmcp,
}

impl Made {
    pub(crate) fn name(self) -> &'static str {
        match (self.with, self.era) {
            (Maker::FastMcp, Era::Modern) => "fastmcp (modern)",
            (Maker::FastMcp, Era::Legacy) => "fastmcp (legacy)",
            (Maker::Rmcp, Era::Modern) => "rmcp (modern)",
            (Maker::Rmcp, Era::Legacy) => "rmcp (legacy)",
        }
    }
}

/// Everything that checks need from outside.
pub(crate) struct World {
    node_modules: PathBuf,
    python: PathBuf,
    scripts: PathBuf,
    pub(crate) rmcp: Option<PathBuf>,
    /// Run checks with this word in their names alone.
    pub(crate) only: Option<String>,
    /// What tells the servers of this run from others.
    pub(crate) mark: String,
}

impl World {
    /// Reads the program's arguments.
    pub(crate) fn read(arguments: &[String]) -> Result<Self, String> {
        let value = |name: &str| {
            let at = arguments.iter().position(|argument| argument == name)?;
            arguments.get(at + 1).cloned()
        };
        let needed = |name: &str| value(name).ok_or(format!("{name} is missing")).map(PathBuf::from);
        Ok(Self {
            node_modules: needed("--node-modules")?,
            python: needed("--python")?,
            scripts: needed("--scripts")?,
            rmcp: value("--rmcp").map(PathBuf::from),
            only: value("--only"),
            mark: std::process::id().to_string(),
        })
    }

    /// A folder that goes away with its owner.
    pub(crate) fn folder(&self) -> Result<TempDir, String> {
        tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))
    }

    pub(crate) fn everything(&self) -> Launch {
        self.node("server-everything", &[])
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

    /// A cancelled call writes to the file `trace` in the folder.
    pub(crate) fn made(&self, made: Made, folder: &TempDir) -> Result<Launch, String> {
        let trace = folder.path().join("trace").into();
        match made.with {
            Maker::FastMcp => Ok(self.python([self.scripts.join("fast.py").into(), trace])),
            Maker::Rmcp => {
                let program = self.rmcp.clone().ok_or("--rmcp is missing")?;
                Ok(self.launch(program.into(), vec![trace]))
            }
        }
    }

    pub(crate) fn sdk(&self) -> Launch {
        self.python([self.scripts.join("sdk.py").into()])
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
