//! Making the directories above a file.

use std::ffi::OsString;
use std::io;

use super::asked::{Step, steps};
use super::resolve::Found;
use super::{Refused, Workspace};

impl Workspace {
    /// Makes the directories above the last name of a path that are missing. `..` has no meaning in what is not there
    /// yet, so there must be none behind it.
    pub(crate) fn create_above(&self, path: &str) -> Result<(), Refused> {
        let mut names = steps(path, &[&self.named, &self.real])?;
        names.pop();
        let mut there = String::from(".");
        for step in names {
            let name = match step {
                Step::Name(name) => name,
                Step::Up => OsString::from(".."),
            };
            there = format!("{there}/{}", name.to_str().ok_or(Refused::Nul)?);
            let Found::Place(place) = self.find(&there)? else { continue };
            if self.is_protected(&place.path) {
                return Err(Refused::Protected { path: path.to_owned() });
            }
            match place.kind {
                None => match place.dir.create_dir(&place.name) {
                    Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                        return Err(Refused::system(path, error));
                    }
                    _ => {}
                },
                Some(kind) => return Err(Refused::NotDirectory { path: there, is: kind.named() }),
            }
        }
        Ok(())
    }
}
