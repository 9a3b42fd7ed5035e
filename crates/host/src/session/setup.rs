//! What a session is told.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_manager::Target;

use crate::flags::Asked;
use crate::model::{BACKOFF, Endpoint, NotConfigured, SILENCE, Way};

/// Reads a server's entry again, wherever it stands; `None` if it is there no more, an error if it cannot be read.
pub type Reread = dyn Fn(&str) -> Result<Option<Target>, String> + Send + Sync;

/// Who hears what is worth knowing and is no message.
pub type Talk = dyn Fn(&str) + Send + Sync;

/// How many bytes prompts may have unless a session says otherwise.
const ROOM: usize = 64 << 20;

/// What a session is told.
#[derive(Clone)]
#[non_exhaustive]
pub struct Setup {
    /// What the command line asks for.
    pub asked: Asked,
    /// The working directory, for those who are told of it.
    pub cwd: PathBuf,
    /// The servers, in the order of the configuration.
    pub targets: Vec<Target>,
    /// Reads a server's entry again.
    pub reread: Arc<Reread>,
    /// Hears what is worth knowing.
    pub talk: Arc<Talk>,
    /// How long the first prompt waits for servers.
    pub window: Duration,
    /// The model.
    pub model: Result<Endpoint, NotConfigured>,
    /// How the model is reached.
    pub way: Way,
    /// How long the model may say nothing.
    pub silence: Duration,
    /// How many bytes prompts that wait may have together, save that one may be longer, and how many a conversation may
    /// have with another prompt: all of it is kept, and sent with every question.
    pub room: usize,
    /// How long is waited before the model is asked again after a failure that may pass; twice as long each further time.
    pub backoff: Duration,
    /// What stands in the file of the system prompt that the command line names.
    pub system_prompt: Option<String>,
    /// Names of tools whose servers start at once (`[tools] always_load`).
    pub always_load: Vec<String>,
    /// Servers that nobody waits for are left until they are asked for (`[mcp] lazy`).
    pub lazy: bool,
    /// The user's rules on tools (`[mcp.approval]`).
    pub rules: Rules,
    /// A folder for results that are too long for the model, which need not be there. Each session has one of its own
    /// in it, which is gone when the session is over; what one that was killed left there goes after a week.
    pub results: PathBuf,
    /// Whether it is told when the session takes up work and rests.
    pub tells_state: bool,
}

/// The user's rules on tools, by name. A denial wins over a question, a question over a permission.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Run without a question.
    pub allow: Vec<String>,
    /// Always asked for.
    pub ask: Vec<String>,
    /// Not offered, and not run.
    pub deny: Vec<String>,
}

impl Setup {
    /// A session with a model and without servers, everything else as usual.
    #[must_use]
    pub fn new(asked: Asked, cwd: PathBuf, results: PathBuf, model: Result<Endpoint, NotConfigured>) -> Self {
        Self {
            asked,
            cwd,
            targets: Vec::new(),
            reread: Arc::new(|_| Ok(None)),
            talk: Arc::new(|_| {}),
            window: crate::window::DEFAULT_LENGTH,
            model,
            way: Way::default(),
            silence: SILENCE,
            room: ROOM,
            backoff: BACKOFF,
            system_prompt: None,
            always_load: Vec::new(),
            lazy: false,
            rules: Rules::default(),
            results,
            tells_state: false,
        }
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setup").field("asked", &self.asked).field("cwd", &self.cwd).finish_non_exhaustive()
    }
}
