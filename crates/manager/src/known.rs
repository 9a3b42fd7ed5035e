//! What is known of servers from earlier runs: their last list of tools, and how they are spoken to.

use std::borrow::Cow;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use codewhale_mcp_client::{EraReason, Established, Memory};
use codewhale_mcp_config::{Server, Transport};
use codewhale_mcp_protocol::{Revision, Tool};
use codewhale_mcp_store::{Mode, create_private_folder, read_bounded, replace_unsynced};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::instant::rfc3339;

/// The largest entry that is written and read, in bytes.
const MAX_SIZE: usize = 16 << 20;
/// The most entries that are kept; the oldest go.
const MAX_ENTRIES: usize = 256;
/// How long the era is taken from memory: an update may bring a server into the next one.
const ERA_HINT: Duration = Duration::from_secs(24 * 60 * 60);
/// The form of the entries that we write and read.
const VERSION: u32 = 1;

/// A folder of entries, one for each way a server was started. It is a cache: what cannot be read counts as absent,
/// what cannot be written is not kept. All calls block on the disk.
#[derive(Debug, Clone)]
pub struct KnownServers {
    folder: PathBuf,
}

/// What is known of a server.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Known {
    /// Its tools and when they were listed.
    pub list: Option<KnownList>,
    spoken: Option<Spoken>,
}

/// How a server was spoken to.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spoken {
    revision: Revision,
    /// By the deprecated HTTP+SSE transport.
    event_stream: bool,
    /// When it was found out.
    time: SystemTime,
}

/// The tools that a server had.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownList {
    /// All of them, whatever the configuration offers.
    pub tools: Vec<Tool>,
    /// When they were listed.
    pub time: SystemTime,
}

/// The place of what is known of one server.
pub(crate) struct Entry {
    path: PathBuf,
    folder: PathBuf,
    server: String,
}

/// An entry as it is written. Times are milliseconds since 1970; `written` is for people.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    version: u32,
    server: Cow<'a, str>,
    written: String,
    revision: Option<String>,
    #[serde(default)]
    event_stream: bool,
    revision_time: Option<u64>,
    tools: Option<Cow<'a, [Tool]>>,
    tools_time: Option<u64>,
}

impl KnownServers {
    /// The entries in `folder`, which is made when the first one is written.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// What is known of a server that runs in `cwd`: nothing unless everything that decides what it is, expanded values
    /// included, is as it was.
    #[must_use]
    pub fn known(&self, server: &Server, cwd: &Path) -> Known {
        self.entry(server, cwd).read()
    }

    /// Keeps what is known of a server.
    pub fn keep(&self, server: &Server, cwd: &Path, known: &Known, now: SystemTime) {
        self.entry(server, cwd).write(known, now);
    }

    /// The place of what is known of a server, for those who must not block.
    pub(crate) fn entry(&self, server: &Server, cwd: &Path) -> Entry {
        let mut key = Sha256::new();
        // An endpoint is the same wherever it is asked from.
        let cwd = match &server.transport {
            Transport::Http(_) | Transport::Sse(_) => Path::new(""),
            _ => cwd,
        };
        for part in [server.fingerprint().as_bytes(), cwd.as_os_str().as_encoded_bytes()] {
            key.update((part.len() as u64).to_be_bytes());
            key.update(part);
        }
        let key: String = key.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.folder.join(format!("{key}.json"));
        Entry { path, folder: self.folder.clone(), server: server.name.clone() }
    }
}

impl Entry {
    pub(crate) fn read(&self) -> Known {
        let bytes = read_bounded(&self.path, MAX_SIZE as u64).unwrap_or_default();
        match serde_json::from_slice::<Written<'_>>(&bytes) {
            Ok(written) if written.version == VERSION => Known::from(written),
            _ => Known::default(),
        }
    }

    pub(crate) fn write(&self, known: &Known, now: SystemTime) {
        let list = known.list.as_ref();
        let written = Written {
            version: VERSION,
            server: Cow::Borrowed(&self.server),
            written: rfc3339(now),
            revision: known.spoken.map(|spoken| spoken.revision.to_string()),
            event_stream: known.spoken.is_some_and(|spoken| spoken.event_stream),
            revision_time: known.spoken.map(|spoken| millis(spoken.time)),
            tools: list.map(|list| Cow::Borrowed(&*list.tools)),
            tools_time: list.map(|list| millis(list.time)),
        };
        let bytes = serde_json::to_vec(&written).expect("tools have a JSON form");
        if bytes.len() > MAX_SIZE || create_private_folder(&self.folder).is_err() {
            return;
        }
        let new = !self.path.exists();
        // A server says it all again: nobody waits for the disk to keep it.
        if replace_unsynced(&self.path, &bytes, Mode::Private).is_ok() && new {
            self.prune();
        }
    }

    fn prune(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let entries: Vec<DirEntry> = entries.flatten().collect();
        let surplus = entries.len().saturating_sub(MAX_ENTRIES);
        if surplus == 0 {
            return;
        }
        let modified =
            |entry: &DirEntry| entry.metadata().and_then(|found| found.modified()).unwrap_or(UNIX_EPOCH);
        let mut by_age: Vec<(SystemTime, PathBuf)> =
            entries.iter().map(|entry| (modified(entry), entry.path())).collect();
        by_age.sort();
        for (_, path) in by_age.drain(..surplus) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Known {
    /// What saves the next connection a probe that the server does not know, or a second start.
    #[must_use]
    pub fn memory(&self, now: SystemTime) -> Memory {
        let fresh = |spoken: &Spoken| now.duration_since(spoken.time).is_ok_and(|age| age < ERA_HINT);
        self.spoken.filter(fresh).map(Spoken::hint).unwrap_or_default()
    }

    /// With what a connection found out.
    pub(crate) fn learn(&mut self, established: &Established, memory: Memory, now: SystemTime) {
        let found = Spoken { revision: established.revision, event_stream: memory.event_stream, time: now };
        let still = |known: &Spoken| {
            known.hint() == found.hint() && now.duration_since(known.time).is_ok_and(|age| age < ERA_HINT / 2)
        };
        // A hint that was followed proves nothing: it would never be given up.
        let followed = established.reason == EraReason::Remembered
            || found.event_stream && self.memory(now) == found.hint();
        if !followed && !self.spoken.as_ref().is_some_and(still) {
            self.spoken = Some(found);
        }
    }
}

impl Spoken {
    fn hint(self) -> Memory {
        Memory { era: Some(self.revision.era()), event_stream: self.event_stream }
    }
}

impl From<Written<'_>> for Known {
    fn from(entry: Written<'_>) -> Self {
        let time = |millis: Option<u64>| {
            millis.and_then(|millis| UNIX_EPOCH.checked_add(Duration::from_millis(millis)))
        };
        let list = entry.tools.zip(time(entry.tools_time));
        let list = list.map(|(tools, time)| KnownList { tools: tools.into_owned(), time });
        let revision = entry.revision.as_deref().and_then(Revision::parse);
        let spoken = revision.zip(time(entry.revision_time));
        let event_stream = entry.event_stream;
        Self { list, spoken: spoken.map(|(revision, time)| Spoken { revision, event_stream, time }) }
    }
}

fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
