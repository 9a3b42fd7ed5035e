//! Fake MCP servers that misbehave on purpose, and what tests need to play against them.
//!
//! The servers read with `serde_json` and write raw bytes, and share no code with the client they are played
//! against, so that a fault on one side cannot cancel itself out on the other. Over stdio they are real processes:
//! the binary `codewhale-fake`, which lies beside the test that asks, in the same profile of the same target
//! directory. Over HTTP they are [`HttpFake`]s within the process of the test, or the same binary again
//! (`codewhale-fake --http`). None of it knows anything of the client.
//!
//! A [`ModelFake`] (`codewhale-fake --model SCRIPT`) is no MCP server but a model behind an OpenAI-compatible chat API,
//! which answers what a script says.
//!
//! `codewhale-fake --list` and `codewhale-fake --http --list` print every mode with its flags; modes compose
//! (`slow-list+crlf`).
//!
//! ```no_run
//! let fake = codewhale_testkit::fake();
//! assert!(fake.ends_with("codewhale-fake"));
//! ```

mod base;
mod fault;
mod faults;
mod features;
mod http;
mod json;
mod message;
mod mode;
mod model;
mod options;
mod out;
mod program;
mod secrets;
mod serve;
mod strict;

pub use http::{HttpFake, HttpRequest, Traffic};
pub use model::ModelFake;
pub use program::run;
pub(crate) use program::{complain, leave, linger};
pub use secrets::{CommandLines, Secrets};

use std::path::{Path, PathBuf};

/// The prebuilt `codewhale-fake` of the profile and target directory that the caller was built in.
///
/// # Panics
///
/// When the binary is not there, naming the command that builds it.
#[must_use]
pub fn fake() -> PathBuf {
    binary("codewhale-fake")
}

/// The prebuilt binary `name` of this workspace, found beside the running test executable.
///
/// # Panics
///
/// When the binary is not there, naming the command that builds it.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    let running = std::env::current_exe().expect("a running program has a path");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let Some(found) = beside(&running, &file) else {
        panic!(
            "the binary {name} was not found near {}; tests start prebuilt binaries: run `cargo xtask test`, \
             or first `cargo build --workspace --bins` with the same profile and target directory",
            running.display()
        )
    };
    found
}

/// The rules that a client broke, a line each, by the record (`--record FILE`) of a fake that looks for them
/// (`strict`, and the retries of `everything`).
///
/// # Panics
///
/// When there is no record at this path.
#[must_use]
pub fn violations(record: &Path) -> Vec<String> {
    let bytes = std::fs::read(record)
        .unwrap_or_else(|fault| panic!("the record {} cannot be read: {fault}", record.display()));
    let text = String::from_utf8_lossy(&bytes);
    text.lines().filter_map(|line| line.strip_prefix("violation: ")).map(str::to_owned).collect()
}

/// A test runs from `target/<profile>/deps`, an example from `examples`, a binary from the profile
/// folder itself; a doctest from a temporary folder, which has nothing near it.
fn beside(running: &Path, file: &str) -> Option<PathBuf> {
    running.ancestors().skip(1).take(3).map(|folder| folder.join(file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_found_in_the_profile_folder_above_the_test() {
        let running = std::env::current_exe().unwrap();
        let name = running.file_name().unwrap().to_str().unwrap();
        let below = running.parent().unwrap().join("somewhere/test");
        assert_eq!(beside(&below, name), Some(running.clone()));
    }

    #[test]
    fn an_absent_binary_panics_with_the_command_that_builds_it() {
        let text = std::panic::catch_unwind(|| binary("no-such-binary")).unwrap_err();
        let text = text.downcast_ref::<String>().unwrap();
        assert!(text.contains("cargo build --workspace --bins") && text.contains("no-such-binary"), "{text}");
    }
}
