//! What to start: program, arguments, complete environment, working directory.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

/// One program to start. There is never a shell in between: `program` is one name, spaces included, and each
/// argument arrives as it stands here.
///
/// `Debug` prints neither argument nor environment values, because both may hold secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program. A name without a separator is looked up on the `PATH` of `env`; a relative path counts
    /// from `cwd`.
    pub program: OsString,
    /// The arguments after the program's own name.
    pub args: Vec<OsString>,
    /// The complete environment; nothing is inherited beside it. Of two entries with one name the last wins.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory; `None` is that of the calling process.
    pub cwd: Option<PathBuf>,
}

impl Launch {
    /// A program without arguments, with an empty environment, in the caller's working directory.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self { program: program.into(), args: Vec::new(), env: Vec::new(), cwd: None }
    }

    /// The value of one variable of the child's environment. Names ignore case on Windows, as they do there.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        let same = |key: &OsStr| {
            if cfg!(windows) { key.eq_ignore_ascii_case(name) } else { key == OsStr::new(name) }
        };
        self.env.iter().rev().find(|(key, _)| same(key)).map(|(_, value)| value.as_os_str())
    }
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("program", &self.program)
            .field("args", &format_args!("[{} hidden]", self.args.len()))
            .field("env", &self.env.iter().map(|(key, _)| key).collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .finish()
    }
}
