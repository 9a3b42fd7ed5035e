//! The reference of the command line is what clap says, and fresh.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Command;
use codewhale_cli::{Exit, command};
use codewhale_host::flags::help as session_help;

/// Pages are written by the tests when this variable is set.
const UPDATE: &str = "UPDATE_DOCS";

fn page(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference")).join(name)
}

/// A page as it is written.
pub(crate) fn read(name: &str) -> String {
    std::fs::read_to_string(page(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares a page with what it should be, or writes it.
#[expect(clippy::disallowed_methods, reason = "the switch of a test, not of the program")]
pub(crate) fn fresh(name: &str, wanted: &str) {
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(page(name), wanted).expect("the page can be written");
    }
    let written = std::fs::read_to_string(page(name)).unwrap_or_default();
    assert!(written == wanted, "{name} is stale; write it with `{UPDATE}=1 cargo test -p codewhale-cli`");
}

#[test]
fn the_command_line_reference_is_fresh() {
    let mut text = "# Command line\n\nGenerated from the program's own help; `--help` says the same. The global options \
        of the first section count for every command.\n"
        .to_owned();
    let mut root = command().term_width(100);
    root.build();
    describe(&root, "codewhale", &mut text);
    write!(text, "\n## `codewhale -p`\n\n```text\n{}\n```\n", session_help().trim_end())
        .expect("a string takes it");
    fresh("cli.md", &text);
}

fn describe(command: &Command, path: &str, text: &mut String) {
    let mut shown = command.clone().term_width(100).bin_name(path);
    // Options that count everywhere stand once, at the top.
    if path.contains(' ') {
        let global: Vec<_> = shown
            .get_arguments()
            .filter(|argument| argument.get_help_heading() == Some("Global options"))
            .map(|argument| argument.get_id().clone())
            .collect();
        for id in global {
            shown = shown.mut_arg(id, |argument| argument.hide(true));
        }
    }
    let help = shown.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    write!(text, "\n## `{path}`\n\n```text\n{}\n```\n", lines.join("\n").trim_end())
        .expect("a string takes it");
    for inner in command.get_subcommands() {
        describe(inner, &format!("{path} {}", inner.get_name()), text);
    }
}

#[test]
fn every_exit_code_is_documented() {
    let text = read("exit-codes.md");
    let rows: Vec<u8> =
        text.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok()).collect();
    assert_eq!(rows, Exit::ALL.map(Exit::code));
}
