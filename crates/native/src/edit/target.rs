//! Where may be written, and how.

use crate::Fault;
use crate::workspace::{Kind, Place, Refused, Replaced, Seen, Workspace};

/// The most bytes of a file that is written or edited.
pub(super) const LONGEST: u64 = 8 << 20;

/// A place where a file may be written.
pub(super) fn writable(workspace: &Workspace, path: &str) -> Result<Place, Fault> {
    let place = workspace.place(path)?;
    if workspace.is_protected(&place.path) {
        return Err(Refused::Protected { path: path.to_owned() }.into());
    }
    match place.kind {
        None | Some(Kind::File) => Ok(place),
        Some(kind) => Err(Refused::NotFile { path: path.to_owned(), is: kind.named() }.into()),
    }
}

/// Puts a text in the place of what was seen there.
pub(super) fn put(place: &Place, path: &str, seen: Option<&Seen>, text: &str) -> Result<(), Fault> {
    match place.replace(seen, text.as_bytes()).map_err(Fault::system("write", path))? {
        Replaced::Done => Ok(()),
        Replaced::Changed => Err(Fault::Changed { path: path.to_owned() }),
    }
}
