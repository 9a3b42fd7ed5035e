//! From steps to a place, one component after another, through descriptors.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::fs::Dir;

use super::asked::{PATH_LIMIT, Step, relative, steps};
use super::place::{Directory, Kind, Place, shown};
use super::refused::Refused;
use super::served::Workspace;

/// The most directories within each other. Each holds a descriptor while a path is resolved.
pub(crate) const DEPTH: usize = 128;
/// The most links on one way, as in Linux.
const LINKS: usize = 40;

/// What a path leads to.
pub(crate) enum Found {
    /// A directory.
    Directory(Directory),
    /// Anything else, or nothing yet.
    Place(Place),
}

/// One path on its way.
pub(super) struct Resolver<'a> {
    workspace: &'a Workspace,
    path: &'a str,
    /// What is left to do, the next step last.
    rest: Vec<Step>,
    /// The directories from the root to here, without links.
    opened: Vec<(OsString, Dir)>,
    links: usize,
    /// The last link that was followed.
    link: Option<PathBuf>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(workspace: &'a Workspace, path: &'a str) -> Result<Self, Refused> {
        let mut rest = steps(path, &[&workspace.named, &workspace.real])?;
        rest.reverse();
        Ok(Self { workspace, path, rest, opened: Vec::new(), links: 0, link: None })
    }

    pub(super) fn run(mut self) -> Result<Found, Refused> {
        while let Some(step) = self.rest.pop() {
            match step {
                Step::Up => {
                    if self.opened.pop().is_none() {
                        return Err(self.outside());
                    }
                }
                Step::Name(name) => {
                    if let Some(place) = self.enter(name)? {
                        return Ok(Found::Place(place));
                    }
                }
            }
        }
        let path = self.real();
        let dir = match self.opened.pop() {
            Some((_, dir)) => dir,
            None => self.workspace.dir.try_clone().map_err(|error| self.system(error))?,
        };
        Ok(Found::Directory(Directory { dir, path }))
    }

    /// Goes to what has this name; a place if that is the end of the way.
    fn enter(&mut self, name: OsString) -> Result<Option<Place>, Refused> {
        let path = self.real().join(&name);
        if self.workspace.is_away(&path) {
            return Err(Refused::Kept { path: self.path.to_owned() });
        }
        let last = self.rest.is_empty();
        let kind = match self.here().symlink_metadata(&name) {
            Ok(found) => Some(Kind::of(&found.file_type())),
            Err(error) if error.kind() == io::ErrorKind::NotFound && last => None,
            Err(error) => return Err(self.system(error)),
        };
        match kind {
            Some(Kind::Link) => self.follow(&name).map(|()| None),
            Some(Kind::Directory) => self.descend(name).map(|()| None),
            Some(kind) if !last => Err(Refused::NotDirectory { path: shown(&path), is: kind.named() }),
            kind => {
                let dir = self.here().try_clone().map_err(|error| self.system(error))?;
                Ok(Some(Place { dir, name, path, kind }))
            }
        }
    }

    fn descend(&mut self, name: OsString) -> Result<(), Refused> {
        if self.opened.len() == DEPTH {
            return Err(Refused::TooDeep { path: self.path.to_owned(), limit: DEPTH });
        }
        let dir = self.here().open_dir_nofollow(&name).map_err(|error| self.swapped(error))?;
        self.opened.push((name, dir));
        Ok(())
    }

    /// Puts a link's steps before those that are left.
    fn follow(&mut self, name: &OsStr) -> Result<(), Refused> {
        self.links += 1;
        if self.links > LINKS {
            return Err(Refused::TooManyLinks { path: self.path.to_owned(), limit: LINKS });
        }
        let target = self.here().read_link_contents(name).map_err(|error| self.swapped(error))?;
        // A link may say as little as a path.
        let short = target.as_os_str().len() <= PATH_LIMIT;
        let steps = relative(&target, &[&self.workspace.real, &self.workspace.named]).filter(|_| short);
        self.link = Some(self.real().join(name));
        let steps = steps.ok_or_else(|| self.outside())?;
        if target.has_root() {
            self.opened.clear();
        }
        self.rest.extend(steps.into_iter().rev());
        Ok(())
    }

    fn here(&self) -> &Dir {
        self.opened.last().map_or(&self.workspace.dir, |(_, dir)| dir)
    }

    /// Where we are, relative to the workspace, without links.
    fn real(&self) -> PathBuf {
        self.opened.iter().map(|(name, _)| Path::new(name)).collect()
    }

    fn outside(&self) -> Refused {
        let path = self.path.to_owned();
        match &self.link {
            Some(link) => Refused::LinkOutside { path, link: shown(link) },
            None => Refused::Outside { path, root: self.workspace.named.display().to_string() },
        }
    }

    fn system(&self, error: io::Error) -> Refused {
        Refused::system(self.path, error)
    }

    /// What was a directory or a link a moment ago is not any more, unless the system has another reason.
    fn swapped(&self, error: io::Error) -> Refused {
        match error.kind() {
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput => {
                Refused::Swapped { path: self.path.to_owned() }
            }
            _ => self.system(error),
        }
    }
}
