//! What is known of servers from earlier runs: their last list of tools, and the era they belong to.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use codewhale_mcp_client::{EraReason, Established, Memory};
use codewhale_mcp_config::Server;
use codewhale_mcp_protocol::{Era, Tool};
use codewhale_mcp_store::{Mode, create_private_folder, read_bounded, replace};
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
    /// Its era and when it was found out.
    era: Option<(Era, SystemTime)>,
}

/// The tools that a server had.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownList {
    /// All of them, whatever the configuration offers.
    pub tools: Vec<Tool>,
    /// When they were listed.
    pub time: SystemTime,
}

/// An entry as it is written. Times are milliseconds since 1970; `written` is for people.
#[derive(Serialize, Deserialize)]
struct Entry {
    version: u32,
    server: String,
    written: String,
    era: Option<String>,
    era_time: Option<u64>,
    tools: Option<Vec<Tool>>,
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
        let bytes = read_bounded(&self.path(server, cwd), MAX_SIZE as u64).unwrap_or_default();
        match serde_json::from_slice::<Entry>(&bytes) {
            Ok(entry) if entry.version == VERSION => Known::from(entry),
            _ => Known::default(),
        }
    }

    /// Keeps what is known of a server.
    pub fn keep(&self, server: &Server, cwd: &Path, known: &Known, now: SystemTime) {
        let list = known.list.as_ref();
        let entry = Entry {
            version: VERSION,
            server: server.name.clone(),
            written: rfc3339(now),
            era: known.era.map(|(era, _)| era.to_string()),
            era_time: known.era.map(|(_, time)| millis(time)),
            tools: list.map(|list| list.tools.clone()),
            tools_time: list.map(|list| millis(list.time)),
        };
        let bytes = serde_json::to_vec(&entry).expect("tools have a JSON form");
        if bytes.len() > MAX_SIZE || create_private_folder(&self.folder).is_err() {
            return;
        }
        let path = self.path(server, cwd);
        let new = !path.exists();
        if replace(&path, &bytes, Mode::Private).is_ok() && new {
            self.prune();
        }
    }

    fn path(&self, server: &Server, cwd: &Path) -> PathBuf {
        let mut key = Sha256::new();
        for part in [server.fingerprint().as_bytes(), cwd.as_os_str().as_encoded_bytes()] {
            key.update((part.len() as u64).to_be_bytes());
            key.update(part);
        }
        let key: String = key.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{key}.json"))
    }

    fn prune(&self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        let modified =
            |entry: &DirEntry| entry.metadata().and_then(|found| found.modified()).unwrap_or(UNIX_EPOCH);
        let mut entries: Vec<(SystemTime, PathBuf)> =
            entries.flatten().map(|entry| (modified(&entry), entry.path())).collect();
        entries.sort();
        let surplus = entries.len().saturating_sub(MAX_ENTRIES);
        for (_, path) in entries.drain(..surplus) {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Known {
    /// What saves the next connection a probe that the server does not know, or a second start.
    #[must_use]
    pub fn memory(&self, now: SystemTime) -> Memory {
        let fresh = |time: &SystemTime| now.duration_since(*time).is_ok_and(|age| age < ERA_HINT);
        let era = self.era.as_ref().filter(|(_, time)| fresh(time)).map(|(era, _)| *era);
        Memory { era, ..Memory::default() }
    }

    /// With what a connection found out.
    pub(crate) fn learn(&mut self, established: &Established, now: SystemTime) {
        let still = |(era, time): &(Era, SystemTime)| {
            *era == established.era() && now.duration_since(*time).is_ok_and(|age| age < ERA_HINT / 2)
        };
        // A hint that was followed proves nothing: it would never be given up.
        if established.reason != EraReason::Remembered && !self.era.as_ref().is_some_and(still) {
            self.era = Some((established.era(), now));
        }
    }
}

impl From<Entry> for Known {
    fn from(entry: Entry) -> Self {
        let era = entry
            .era
            .and_then(|name| [Era::Legacy, Era::Modern].into_iter().find(|era| era.to_string() == name));
        let time = |millis: Option<u64>| {
            millis.and_then(|millis| UNIX_EPOCH.checked_add(Duration::from_millis(millis)))
        };
        let list = entry.tools.zip(time(entry.tools_time)).map(|(tools, time)| KnownList { tools, time });
        Self { list, era: era.zip(time(entry.era_time)) }
    }
}

fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
