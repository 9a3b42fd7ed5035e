//! Writing a file whole, or not at all.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_fs_ext::{FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
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
    /// owner stay, as far as the system lets us; other names of the same file keep the old text.
    pub(crate) fn replace(&self, seen: Option<&Seen>, bytes: &[u8]) -> io::Result<Replaced> {
        let before = seen.map(|_| self.writable()).transpose()?;
        let temporary = Temporary::create(&self.dir, before.as_ref())?;
        temporary.write(bytes, before.as_ref())?;
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

    /// What is there, if it may be written: what takes its place is not to be a way around that.
    fn writable(&self) -> io::Result<Metadata> {
        let mut options = OpenOptions::new();
        options.write(true).follow(FollowSymlinks::No).nonblock(true);
        let found = self.dir.open_with(&self.name, &options)?.metadata()?;
        match found.permissions().readonly() {
            true => Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")),
            false => Ok(found),
        }
    }
}

/// A file that goes unless it was moved.
struct Temporary<'a> {
    dir: &'a Dir,
    name: OsString,
    file: cap_std::fs::File,
}

impl<'a> Temporary<'a> {
    /// One that takes the place of another is for nobody else until it is like that one.
    fn create(dir: &'a Dir, before: Option<&Metadata>) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".codewhale-{}-{count}.tmp", std::process::id()));
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).follow(FollowSymlinks::No);
            #[cfg(unix)]
            if before.is_some() {
                cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
            }
            match dir.open_with(&name, &options) {
                Ok(file) => return Ok(Self { dir, name, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn write(&self, bytes: &[u8], before: Option<&Metadata>) -> io::Result<()> {
        let mut file = &self.file;
        file.write_all(bytes)?;
        if let Some(before) = before {
            self.become_like(before)?;
        }
        file.sync_all()
    }

    /// Owner and mode of what it takes the place of. Where the group cannot be kept, ours gets no more than everybody.
    #[cfg(unix)]
    fn become_like(&self, before: &Metadata) -> io::Result<()> {
        use cap_std::fs::{MetadataExt, Permissions, PermissionsExt};
        use rustix::fs::{Gid, Uid, fchown};

        let made = self.file.metadata()?;
        let (user, group) = (before.uid(), before.gid());
        let mut mode = before.mode() & 0o7777;
        let user = (made.uid() != user).then(|| Uid::from_raw(user));
        let group = (made.gid() != group).then(|| Gid::from_raw(group));
        if (user.is_some() || group.is_some()) && fchown(&self.file, user, group).is_err() {
            // Set-user and set-group would mean somebody else.
            mode &= 0o777;
            if group.is_some() && fchown(&self.file, None, group).is_err() {
                mode &= 0o707 | (mode & 0o007) << 3;
            }
        }
        self.file.set_permissions(Permissions::from_mode(mode))
    }

    #[cfg(not(unix))]
    fn become_like(&self, before: &Metadata) -> io::Result<()> {
        self.file.set_permissions(before.permissions())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // After a move there is nothing of that name.
        let _ = self.dir.remove_file(&self.name);
    }
}
