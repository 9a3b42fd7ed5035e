//! Which interpreter a script asks for.
//!
//! The system answers a missing interpreter with the same "no such file" as a missing script, and `env` reports
//! it only after the start, so both are looked at before.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

use crate::lookup::{Files, Kind, Rules, Search, find};

/// As much as the kernel reads of a script's first line.
const HEAD: usize = 256;

/// An interpreter that is not there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// What the script asks for.
    pub(crate) interpreter: OsString,
    /// The `PATH` that was searched, if it was.
    pub(crate) path: Option<OsString>,
}

/// The interpreter that `script` asks for and that is not there. A file that is no script, or cannot be read, or
/// asks in a way that is not understood, lacks nothing.
pub(crate) fn missing_interpreter(
    script: &Path,
    path: Option<&OsStr>,
    cwd: Option<&Path>,
    files: &impl Files,
) -> Option<Missing> {
    let mut head = [0; HEAD];
    // A file gives as much as it has at once.
    let length = open(script).ok()?.read(&mut head).ok()?;
    let line = first_line(&head[..length])?;
    let interpreter = Path::new(line.interpreter);
    let place = cwd.map_or_else(|| interpreter.to_path_buf(), |cwd| cwd.join(interpreter));
    if files.kind(&place) == Kind::Missing {
        return Some(Missing { interpreter: line.interpreter.into(), path: None });
    }
    let command = line.command_of_env()?;
    let search = Search { program: OsStr::new(command), path, cwd, rules: Rules::Unix };
    match find(&search, files) {
        Ok(_) => None,
        Err(crate::lookup::Miss::NotFound { path, .. }) => {
            Some(Missing { interpreter: command.into(), path })
        }
        Err(_) => None,
    }
}

/// Opens what may be anything: a pipe without a writer would be waited for.
fn open(place: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.read(true).open(place)
}

/// A `#!` line.
#[derive(Debug, PartialEq, Eq)]
struct FirstLine<'a> {
    interpreter: &'a str,
    /// All the rest, as the one argument that it becomes.
    argument: Option<&'a str>,
}

impl<'a> FirstLine<'a> {
    /// The command that `env` will look for on `PATH`.
    fn command_of_env(&self) -> Option<&'a str> {
        if Path::new(self.interpreter).file_name() != Some(OsStr::new("env")) {
            return None;
        }
        let argument = self.argument?;
        let command = match argument.strip_prefix("-S") {
            Some(rest) => rest.split_whitespace().next()?,
            None => argument,
        };
        // Options and assignments of `env` are its own affair.
        (!command.starts_with('-') && !command.contains('=')).then_some(command)
    }
}

fn first_line(head: &[u8]) -> Option<FirstLine<'_>> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    // The kernel trims blanks and tabs only: a carriage return belongs to the name, and is a common fault.
    let line = std::str::from_utf8(line).ok()?.trim_matches([' ', '\t']);
    let (interpreter, argument) = match line.split_once([' ', '\t']) {
        Some((interpreter, argument)) => (interpreter, Some(argument.trim_start_matches([' ', '\t']))),
        None => (line, None),
    };
    (!interpreter.is_empty()).then_some(FirstLine { interpreter, argument })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_names_the_interpreter_and_what_env_will_look_for() {
        let check = |line: &str, interpreter: &str, command: Option<&str>| {
            let read = first_line(line.as_bytes()).unwrap();
            assert_eq!((read.interpreter, read.command_of_env()), (interpreter, command), "{line:?}");
        };
        check("#!/bin/sh\nexit 0\n", "/bin/sh", None);
        check("#! /bin/sh -eu \n", "/bin/sh", None);
        check("#!/usr/bin/env node\n", "/usr/bin/env", Some("node"));
        check("#!/usr/bin/env\tnode", "/usr/bin/env", Some("node"));
        check("#!/usr/bin/env node --flag\n", "/usr/bin/env", Some("node --flag"));
        check("#!/usr/bin/env -S node --flag\n", "/usr/bin/env", Some("node"));
        check("#!/usr/bin/env -S A=b node\n", "/usr/bin/env", None);
        check("#!/usr/bin/env -i node\n", "/usr/bin/env", None);
        check("#!/bin/sh\r\n", "/bin/sh\r", None);
    }

    #[test]
    fn what_is_no_script_names_nothing() {
        for head in [&b"\x7fELF"[..], b"", b"#!", b"#! \n", b"# comment\n", b"#!\xff\n"] {
            assert_eq!(first_line(head), None, "{head:?}");
        }
    }
}
