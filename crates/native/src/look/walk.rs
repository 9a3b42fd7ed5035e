//! Every file below a directory, in order, without those that are ignored.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

use super::ignored::Ignored;
use crate::workspace::{DEPTH, Directory, Kind, Place, Workspace};
use crate::{Fault, Stop};

/// The most entries that are looked at.
const ENTRIES: u64 = 2_000_000;

/// Whether what is ignored is looked at too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Kept,
    Everything,
}

/// A file or a link on the way.
pub(super) struct Visit<'a> {
    dir: &'a Dir,
    name: &'a OsString,
    /// Relative to the workspace.
    pub(super) path: &'a Path,
    pub(super) kind: Kind,
}

impl Visit<'_> {
    /// The place of the file, to open it.
    pub(super) fn place(&self) -> std::io::Result<Place> {
        Ok(Place {
            dir: self.dir.try_clone()?,
            name: self.name.clone(),
            path: self.path.to_path_buf(),
            kind: Some(self.kind),
        })
    }
}

/// How far a walk came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Walked {
    /// Whether the visitor had enough.
    pub(super) ended: bool,
    /// Whether there are more entries, or deeper ones, than are looked at.
    pub(super) cut: bool,
    /// Directories that could not be read.
    pub(super) unreadable: u64,
}

/// Visits the files and links below `from`, sorted by their paths, until the visitor has enough.
///
/// Links are not followed. A directory that was asked for by name is walked even if it is ignored itself.
pub(super) fn walk(
    workspace: &Workspace,
    from: Directory,
    scope: Scope,
    stop: &Stop,
    visit: &mut dyn FnMut(Visit<'_>) -> Result<ControlFlow<()>, Fault>,
) -> Result<Walked, Fault> {
    let mut ignored = Ignored::default();
    if scope == Scope::Kept {
        above(workspace, &from.path, &mut ignored);
    }
    let mut walk =
        Walk { workspace, scope, stop, ignored, path: from.path, entries: 0, walked: Walked::default() };
    walk.walked.ended = walk.below(&from.dir, 0, visit)?.is_break();
    Ok(walk.walked)
}

struct Walk<'a> {
    workspace: &'a Workspace,
    scope: Scope,
    stop: &'a Stop,
    ignored: Ignored,
    /// Where we are, relative to the workspace.
    path: PathBuf,
    entries: u64,
    walked: Walked,
}

impl Walk<'_> {
    fn below(
        &mut self,
        dir: &Dir,
        depth: usize,
        visit: &mut dyn FnMut(Visit<'_>) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<ControlFlow<()>, Fault> {
        if self.scope == Scope::Kept {
            self.ignored.enter(dir);
        }
        for (name, kind) in self.sorted(dir)? {
            self.stop.check()?;
            self.path.push(&name);
            let next = match kind {
                Kind::Directory if depth == DEPTH => {
                    self.walked.cut = true;
                    ControlFlow::Continue(())
                }
                Kind::Directory => match dir.open_dir_nofollow(&name) {
                    Ok(inner) => self.below(&inner, depth + 1, visit)?,
                    // It may have become a link; then it is not followed either.
                    Err(_) => {
                        self.walked.unreadable += 1;
                        ControlFlow::Continue(())
                    }
                },
                kind => visit(Visit { dir, name: &name, path: &self.path, kind })?,
            };
            self.path.pop();
            if next.is_break() || self.entries == ENTRIES {
                self.walked.cut |= next.is_continue();
                return Ok(ControlFlow::Break(()));
            }
        }
        if self.scope == Scope::Kept {
            self.ignored.leave();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What counts of a directory, in order.
    fn sorted(&mut self, dir: &Dir) -> Result<Vec<(OsString, Kind)>, Fault> {
        let Ok(entries) = dir.entries() else {
            self.walked.unreadable += 1;
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for entry in entries.flatten() {
            self.stop.check()?;
            if self.entries == ENTRIES {
                self.walked.cut = true;
                break;
            }
            self.entries += 1;
            let Ok(kind) = entry.file_type().map(|kind| Kind::of(&kind)) else { continue };
            let path = self.path.join(entry.file_name());
            let ignored = self.scope == Scope::Kept && self.ignored.covers(&path, kind);
            if !ignored && !self.workspace.is_away(&path) && !matches!(kind, Kind::Other(_)) {
                found.push((entry.file_name(), kind));
            }
        }
        found.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(found)
    }
}

/// Reads what is ignored in the directories above.
fn above(workspace: &Workspace, path: &Path, ignored: &mut Ignored) {
    let Ok(mut dir) = workspace.top() else { return };
    for name in path {
        ignored.enter(&dir);
        match dir.open_dir_nofollow(name) {
            Ok(inner) => dir = inner,
            Err(_) => return,
        }
    }
}
