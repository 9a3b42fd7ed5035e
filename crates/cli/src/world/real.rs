//! The outside as it is.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use codewhale_mcp_auth::browser::SystemBrowser;
use codewhale_mcp_auth::store::keyring::open_system;
use codewhale_mcp_manager::NetworkParts;

use super::person::AtTheTerminal;
use super::{Output, Person, Signals, Streams, Terminal, World};

/// The columns of a terminal that does not say how many it has.
const COLUMNS: u16 = 80;

impl World {
    /// The outside of this process.
    ///
    /// # Errors
    /// When there is no working directory.
    #[expect(clippy::disallowed_methods, reason = "the one place where the real environment is read")]
    pub fn real() -> io::Result<Self> {
        let environment: Vec<_> = std::env::vars_os().collect();
        let person = (io::stdin().is_terminal() && io::stderr().is_terminal())
            .then(|| Box::new(AtTheTerminal) as Box<dyn Person>);
        Ok(Self {
            cwd: std::env::current_dir()?,
            home: std::env::home_dir().filter(|home| home.is_absolute()),
            temp: temporary(std::env::temp_dir()),
            program: std::env::current_exe().ok(),
            stdin: Box::new(io::stdin()),
            streams: Streams::Process,
            stdout: output(io::stdout()),
            stderr: output(io::stderr()),
            person,
            network: NetworkParts::default(),
            keyring: Arc::new(open_system),
            browser: Arc::new(SystemBrowser),
            clock: SystemTime::now,
            signals: Signals::System,
            environment,
        })
    }
}

fn output(stream: impl Write + IsTerminal + Send + 'static) -> Output {
    let terminal = if stream.is_terminal() { Terminal::Columns(columns()) } else { Terminal::No };
    Output { writer: Box::new(BufWriter::with_capacity(64 * 1024, stream)), terminal }
}

fn columns() -> u16 {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| width.0)
}

/// Where temporary files go. An empty `TMPDIR` would mean the working directory.
fn temporary(folder: PathBuf) -> PathBuf {
    if folder.as_os_str().is_empty() { PathBuf::from("/tmp") } else { folder }
}
