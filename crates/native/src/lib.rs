//! The tools behind `codewhale serve --mcp`: reading, looking around, searching, and, where the operator allows it,
//! writing files and running commands.
//!
//! A [`Workspace`] is the one way to files: nothing outside of it is read or written, whatever a path or a link says.
//! Each tool is a function of the workspace and its arguments ([`read_file`], [`list_directory`], [`find_files`],
//! [`search_text`], [`write_file`], [`edit_file`]), and [`Shell`] runs commands. All of them are bounded, and end when
//! nobody waits for them; a [`Fault`] tells a model what is wrong, and what works.
//!
//! It does not know how a call travels, and nothing of this program's own environment.
//!
//! ```
//! use codewhale_native::{Keep, ReadFile, Stop, Workspace, read_file};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("notes.md"), "one\ntwo\n")?;
//! let workspace = Workspace::open(folder.path(), &Keep::default())?;
//!
//! let read = |path: &str| read_file(&workspace, &ReadFile { path: path.into(), ..ReadFile::default() }, &Stop::default());
//! assert_eq!(read("notes.md")?.text.as_deref(), Some("one\ntwo\n"));
//! assert!(read("../etc/passwd").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edit;
mod fault;
mod look;
mod read;
mod serve;
mod shell;
mod stop;
mod workspace;

pub use edit::{Change, EditFile, FileEdited, FileWritten, WriteFile, edit_file, write_file};
pub use fault::Fault;
pub use look::{
    Case, Context, Entry, EntryKind, FilesFound, FindFiles, ListDirectory, Listed, Match, SearchText,
    TextFound, find_files, list_directory, search_text,
};
pub use read::{As, FileRead, ReadFile, read_file};
pub use serve::{Native, NoPermit, Options, Permit, server};
pub use shell::{Heard, Ran, RunCommand, Shell, environment};
pub use stop::Stop;
pub use workspace::{Keep, Refused, Workspace};
