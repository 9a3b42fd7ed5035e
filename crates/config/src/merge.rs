//! Several files, one server a name.

use std::collections::HashMap;
use std::path::Path;

use crate::server::{Server, resolve};
use crate::timeouts::{TimeoutSettings, Timeouts};
use crate::{Entry, Environment, McpFile, Problem, Scope, Warning};

/// The servers of all files: of one name the one with the highest precedence counts, the others are kept to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Merged {
    /// One a name: those of the command line first, then the project's, the user's, the plugins'; within a file in its
    /// order.
    pub servers: Vec<MergedServer>,
    /// What the merge itself found odd.
    pub warnings: Vec<Warning>,
}

/// One server and what it hides.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergedServer {
    /// The entry that counts. A refused one counts too: nothing of lower precedence takes its place.
    pub entry: Entry,
    /// Whose it is.
    pub scope: Scope,
    /// Entries of the same name that do not count, the next in precedence first.
    pub overridden: Vec<Entry>,
    /// The budgets: the server's own, else those of its file, else the user's, else the defaults.
    pub timeouts: Timeouts,
}

impl Merged {
    /// Merges files, given in the order of the command line within a scope: a later one wins over an earlier one.
    ///
    /// What is not given does not count: leave out the file of a workspace that is not trusted (and from the file of
    /// one that is, the entries nobody consented to), and all but the command line's with `--strict-mcp-config`.
    pub fn new(mut files: Vec<McpFile>) -> Self {
        files.reverse();
        files.sort_by_key(|file| file.source.scope);
        let user =
            files.iter().find(|file| file.source.scope == Scope::User).map(|file| file.timeouts.clone());
        let user = user.unwrap_or_default();
        let mut merged = Self { servers: Vec::new(), warnings: Vec::new() };
        let mut taken = HashMap::new();
        for file in files {
            for entry in file.entries {
                match taken.get(&entry.name) {
                    Some(at) => merged.override_by(*at, entry),
                    None => {
                        taken.insert(entry.name.clone(), merged.servers.len());
                        merged.servers.push(MergedServer::new(entry, &[&file.timeouts, &user]));
                    }
                }
            }
        }
        merged
    }

    /// The server of that name.
    pub fn server(&self, name: &str) -> Option<&MergedServer> {
        self.servers.iter().find(|server| server.entry.name == name)
    }

    fn override_by(&mut self, at: usize, loser: Entry) {
        let winner = &mut self.servers[at];
        if (winner.scope, loser.place.scope) == (Scope::Flag, Scope::Flag) {
            self.warnings.push(Warning::LaterWins {
                name: loser.name.clone(),
                place: winner.entry.place.clone(),
                loser: loser.place.clone(),
            });
        }
        winner.overridden.push(loser);
    }
}

impl MergedServer {
    /// A server that stands in no file, such as one named by its URL on the command line.
    pub fn alone(entry: Entry) -> Self {
        Self::new(entry, &[])
    }

    fn new(entry: Entry, wider: &[&TimeoutSettings]) -> Self {
        let mut settings = wider.to_vec();
        if let Ok(own) = &entry.definition {
            settings.insert(0, &own.timeouts);
        }
        let timeouts = Timeouts::resolve(&settings);
        Self { scope: entry.place.scope, timeouts, entry, overridden: Vec::new() }
    }

    /// The same server without what its requests carry: for what is done here alone, and must not depend on a variable
    /// that is not set.
    #[must_use]
    pub fn without_headers(&self) -> Self {
        let mut server = self.clone();
        if let Ok(definition) = &mut server.entry.definition {
            definition.headers.clear();
            definition.env_headers.clear();
            definition.bearer_token_env_var = None;
        }
        server
    }

    /// The server ready to start: everything expanded and checked, from the environment and with the workspace as the
    /// base of a relative `cwd`. Expands nothing if the entry is refused.
    pub fn resolve(&self, environment: &dyn Environment, workspace: &Path) -> Result<Server, Vec<Problem>> {
        resolve(&self.entry, self.timeouts.clone(), environment, workspace)
    }
}
