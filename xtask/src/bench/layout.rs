//! `cargo xtask bench layout`: which functions run, written for the linker, which puts them side by side.
//!
//! The system maps a program sixteen pages at a time. Functions that run are a tenth of the program; spread over all of
//! it, they bring nearly all of it into memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::programs::{self, Through};
use super::server::{Server, Way};
use crate::run::{output, root};

/// What is run, the most usual first: what runs together then stands together.
const RUNS: &[(Through, Option<Way>, &str)] = &[
    (Through::Client, None, "connect --servers 3"),
    (Through::Client, None, "list"),
    (Through::Client, None, "seq --n 50 --warmup 5"),
    (Through::Client, None, "pipe --n 2000 --inflight 64"),
    (Through::Client, None, "seq --n 3 --size 1048576 --kind esc"),
    (Through::Manager, None, "connect --servers 3"),
    (Through::Manager, None, "seq --n 50 --warmup 5"),
    (Through::Manager, None, "pipe --n 2000 --inflight 64"),
    (Through::Client, Some(Way::Json), "http-pipe --n 400 --inflight 16"),
    (Through::Client, Some(Way::Sse), "http-pipe --n 400 --inflight 16"),
];

/// A name stands for so many times as much code as runs, and it is better to name the functions themselves first.
const WIDE: u64 = 4;

/// Runs our clients and writes `crates/codewhale/layout.ld`.
pub(crate) fn layout() -> Result<(), String> {
    let ours = programs::ours_with_names()?;
    let mut names = Names::default();
    for through in [Through::Client, Through::Manager] {
        names.know(ours.through(through))?;
    }
    for (through, way, words) in RUNS {
        let server = way.map(|way| Server::start(&ours.server, way)).transpose()?;
        let to = match &server {
            Some(server) => ["--url".to_owned(), server.url()],
            None => ["--server".to_owned(), format!("{} --tools 300 --page 100", ours.server.display())],
        };
        let words: Vec<String> = words.split(' ').map(str::to_owned).chain(to).collect();
        names.ran(&functions(ours.through(*through), &words)?);
    }
    let file = root().join("crates/codewhale/layout.ld");
    fs::write(&file, names.script()).map_err(|fault| format!("cannot write {}: {fault}", file.display()))?;
    println!("{} names, in {}", names.order.len(), file.display());
    Ok(())
}

/// The functions of a program that a run of it executes, in callgrind's order.
fn functions(program: &Path, words: &[String]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|fault| fault.to_string())?;
    let file = folder.path().join("callgrind");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--demangle=no"]);
    command.args(["--compress-strings=no", "--compress-pos=no"]);
    command.arg(format!("--callgrind-out-file={}", file.display())).arg(program).args(words);
    output(command)?;
    let text = fs::read_to_string(&file).map_err(|fault| format!("callgrind's counts: {fault}"))?;
    Ok(of_object(&text, &program.display().to_string()))
}

/// The functions that callgrind names in an object.
fn of_object(text: &str, object: &str) -> Vec<String> {
    let (mut inside, mut found) = (false, Vec::new());
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("ob=") {
            inside = named == object;
        } else if let Some(function) = line.strip_prefix("fn=").filter(|_| inside) {
            // Behind the apostrophe stands how deep it calls itself.
            found.push(function.split('\'').next().unwrap_or(function).to_owned());
        }
    }
    found
}

/// The names of functions as they stay from build to build.
#[derive(Debug, Default)]
struct Names {
    /// How much code there is under each name, by the function.
    known: BTreeMap<String, BTreeMap<String, u64>>,
    /// The names that ran.
    order: Vec<String>,
    /// What ran under them.
    functions: BTreeMap<String, BTreeSet<String>>,
}

impl Names {
    /// All functions of a program.
    fn know(&mut self, program: &Path) -> Result<(), String> {
        let mut command = Command::new("nm");
        command.arg("--print-size").arg(program);
        for line in output(command)?.lines() {
            if let [_, size, "t" | "T" | "w" | "W", function] = line.split(' ').collect::<Vec<_>>()[..]
                && let (Ok(size), Some(name)) = (u64::from_str_radix(size, 16), lasting(function))
            {
                self.known.entry(name).or_default().insert(function.to_owned(), size);
            }
        }
        Ok(())
    }

    fn ran(&mut self, functions: &[String]) {
        for function in functions {
            let Some(name) = lasting(function).filter(|name| self.known.contains_key(name)) else { continue };
            if !self.functions.contains_key(&name) {
                self.order.push(name.clone());
            }
            self.functions.entry(name).or_default().insert(function.clone());
        }
    }

    /// Whether a name stands for much more than what ran: functions for any type are called alike.
    fn is_wide(&self, name: &str) -> bool {
        let (all, ran) = (&self.known[name], &self.functions[name]);
        let ran: u64 = ran.iter().filter_map(|function| all.get(function)).sum();
        all.values().sum::<u64>() > (1 + WIDE) * ran
    }

    /// Those functions of wide names first that ran in this very build, then all names, the wide ones last.
    fn script(&self) -> String {
        let (wide, other): (Vec<_>, Vec<_>) = self.order.iter().partition(|name| self.is_wide(name));
        let exact = wide.iter().flat_map(|name| &self.functions[*name]);
        let mut script = String::from(HEAD);
        for section in exact.chain(other).chain(wide.iter().copied()) {
            let _ = writeln!(script, "    *(.text.{section})");
        }
        script + FOOT
    }
}

const HEAD: &str = "\
/* The functions that run in almost every run, for the linker to put side by side: by `cargo xtask bench layout`. A name
   that no longer exists does no harm. */
SECTIONS
{
  .text :
  {
";

const FOOT: &str = "  }\n}\nINSERT BEFORE .fini;\n";

/// A function's name without what changes with the compiler and the versions of crates: a pattern for the linker.
fn lasting(function: &str) -> Option<String> {
    if function.starts_with("_ZN") {
        // Its end is `17h`, sixteen digits and `E`.
        let (name, _) = function.rsplit_once("17h")?;
        return Some(format!("{name}17h*"));
    }
    if function.starts_with("_R") {
        return Some(without_crate_numbers(function));
    }
    let is_plain = function.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    is_plain.then(|| function.to_owned())
}

/// `Cs8fBn_4core` is `core` in one build; its number is another in the next.
fn without_crate_numbers(function: &str) -> String {
    let mut parts = function.split("Cs");
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('_') {
            Some((number, rest)) if number.chars().all(|char| char.is_ascii_alphanumeric()) => {
                let _ = write!(name, "Cs*_{rest}");
            }
            _ => {
                let _ = write!(name, "Cs{part}");
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_lasts_beyond_a_build() {
        let rows = [
            ("_ZN4core3fmt5write17h0123456789abcdefE", Some("_ZN4core3fmt5write17h*")),
            ("_ZN4core3fmt5write17h0123456789abcdefE.llvm.42", Some("_ZN4core3fmt5write17h*")),
            ("_RNvNtCsgEmfK2I1SDS_4core3fmt5write", Some("_RNvNtCs*_4core3fmt5write")),
            ("main", Some("main")),
            ("(below main)", None),
        ];
        for (function, name) in rows {
            assert_eq!(lasting(function).as_deref(), name, "{function}");
        }
    }

    #[test]
    fn functions_of_other_objects_are_left_out() {
        let text = "ob=/p\nfn=a\n1 2\nob=/libc\nfn=malloc\nob=/p\nfn=b'2\n";
        assert_eq!(of_object(text, "/p"), ["a", "b"]);
    }

    #[test]
    fn of_a_wide_name_what_ran_stands_first() {
        let function = |name: &str, number| format!("_ZN{name}17h{number:016x}E");
        let mut names = Names::default();
        for (name, number, size) in [("4wide", 1, 10), ("4wide", 2, 1000), ("6narrow", 3, 10)] {
            let function = function(name, number);
            names.known.entry(lasting(&function).unwrap()).or_default().insert(function, size);
        }
        names.ran(&[function("4wide", 1), function("6narrow", 3), function("7unknown", 4)]);
        let script = names.script();
        let lines: Vec<_> = script.lines().filter_map(|line| line.trim().strip_prefix("*(.text.")).collect();
        let exact = format!("{})", function("4wide", 1));
        assert_eq!(lines, [exact.as_str(), "_ZN6narrow17h*)", "_ZN4wide17h*)"]);
        assert!(script.ends_with("INSERT BEFORE .fini;\n"));
    }
}
