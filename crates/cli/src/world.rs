//! Everything outside that a run touches.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// Everything outside that a run touches.
pub struct World<'a> {
    /// Where data goes.
    pub stdout: &'a mut dyn Write,
    /// Where talk goes.
    pub stderr: &'a mut dyn Write,
    /// The environment that servers get.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory that servers get; `None` is that of this process.
    pub cwd: Option<PathBuf>,
    /// This program, which also serves as the guard of the processes it starts; without it there is no guard.
    pub program: Option<PathBuf>,
}

impl<'a> World<'a> {
    /// A world in which there is nothing but two streams.
    pub fn closed(stdout: &'a mut dyn Write, stderr: &'a mut dyn Write) -> Self {
        Self { stdout, stderr, environment: Vec::new(), cwd: None, program: None }
    }
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("cwd", &self.cwd)
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}
