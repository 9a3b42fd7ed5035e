//! Which servers of a workspace count.

use codewhale_mcp_config::{Entry, McpFile};
use codewhale_mcp_manager::{Consents, Standing};
use std::path::Path;

/// A server of a workspace that does not count, because nobody agreed to it.
#[derive(Debug, Clone)]
pub(crate) struct Skipped {
    pub(crate) entry: Entry,
    pub(crate) standing: Standing,
}

/// Takes out of a workspace's file what nobody agreed to.
pub(crate) fn sift(file: &mut McpFile, consents: &Consents, workspace: &Path) -> Vec<Skipped> {
    let mut skipped = Vec::new();
    for entry in std::mem::take(&mut file.entries) {
        match consents.standing(workspace, &entry.name, &entry.hash) {
            Standing::Trusted => file.entries.push(entry),
            standing => skipped.push(Skipped { entry, standing }),
        }
    }
    skipped
}
