//! Texts from files and standard input, bounded.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// The longest text that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// Everything that is there. `named` is what messages call it.
pub(crate) fn read(from: &mut dyn Read, named: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let read = from.take(LONGEST + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::system(format!("read {named}"), error))?;
    bounded(text, named)
}

/// Everything that a file holds which the command line names: one that cannot be read makes no sense there.
pub(crate) fn read_file(path: &Path) -> Result<String, Failure> {
    let named = format!("`{}`", path.display());
    let unusable = |error: &dyn Display| Failure::usage(format!("cannot read {named}: {error}"));
    let mut file = File::open(path).map_err(|error| unusable(&error))?;
    let mut text = String::new();
    file.by_ref().take(LONGEST + 1).read_to_string(&mut text).map_err(|error| unusable(&error))?;
    bounded(text, &named)
}

fn bounded(text: String, named: &str) -> Result<String, Failure> {
    match text.len() as u64 > LONGEST {
        true => Err(Failure::usage(format!("{named} holds more than {LONGEST} bytes"))),
        false => Ok(text),
    }
}
