//! Writing a file whole, or not at all.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::Place;

/// What a file looked like when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    device: u64,
    number: u64,
    length: u64,
    modified: Option<std::time::SystemTime>,
}

impl Seen {
    pub(crate) fn of(found: &Metadata) -> Self {
        Self {
            device: found.dev(),
            number: found.ino(),
            length: found.len(),
            modified: found.modified().ok().map(cap_std::time::SystemTime::into_std),
        }
    }
}

/// How a replacement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replaced {
    /// The text stands there.
    Done,
    /// What is there is not what was seen; nothing was written.
    Changed,
}

impl Place {
    /// What is there now.
    pub(crate) fn seen(&self) -> io::Result<Option<Seen>> {
        match self.dir.symlink_metadata(&self.name) {
            Ok(found) => Ok(Some(Seen::of(&found))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a new file beside the place and moves it there, if what is there is still what was `seen`. Mode and
    /// place stay; other names of the same file keep the old text.
    pub(crate) fn replace(&self, seen: Option<&Seen>, bytes: &[u8]) -> io::Result<Replaced> {
        let temporary = Temporary::create(&self.dir)?;
        temporary.write(bytes, self.mode(seen)?)?;
        if self.seen()?.as_ref() != seen {
            return Ok(Replaced::Changed);
        }
        match seen {
            Some(_) => self.dir.rename(&temporary.name, &self.dir, &self.name)?,
            // A rename would take the place of what came there meanwhile.
            None => match self.dir.hard_link(&temporary.name, &self.dir, &self.name) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(Replaced::Changed),
                // Not every file system has hard links.
                Err(_) => self.dir.rename(&temporary.name, &self.dir, &self.name)?,
            },
        }
        // The text is there; whether the directory is on the disk already is not ours to insist on.
        let _ = self.dir.try_clone().and_then(|dir| dir.into_std_file().sync_all());
        Ok(Replaced::Done)
    }

    fn mode(&self, seen: Option<&Seen>) -> io::Result<Option<cap_std::fs::Permissions>> {
        seen.map(|_| self.dir.symlink_metadata(&self.name).map(|found| found.permissions())).transpose()
    }
}

/// A file that goes unless it was moved.
struct Temporary<'a> {
    dir: &'a Dir,
    name: OsString,
    file: cap_std::fs::File,
}

impl<'a> Temporary<'a> {
    fn create(dir: &'a Dir) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".codewhale-{}-{count}.tmp", std::process::id()));
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).follow(FollowSymlinks::No);
            match dir.open_with(&name, &options) {
                Ok(file) => return Ok(Self { dir, name, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&self, bytes: &[u8], mode: Option<cap_std::fs::Permissions>) -> io::Result<()> {
        let mut file = &self.file;
        file.write_all(bytes)?;
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        file.sync_all()
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // After a move there is nothing of that name.
        let _ = self.dir.remove_file(&self.name);
    }
}
