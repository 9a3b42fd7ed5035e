//! Texts from files and standard input, bounded.

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
    if text.len() as u64 > LONGEST {
        return Err(Failure::usage(format!("{named} holds more than {LONGEST} bytes")));
    }
    Ok(text)
}

/// Everything that a file holds.
pub(crate) fn read_file(path: &Path) -> Result<String, Failure> {
    let named = format!("`{}`", path.display());
    let mut file = File::open(path).map_err(|error| Failure::system(format!("read {named}"), error))?;
    read(&mut file, &named)
}
