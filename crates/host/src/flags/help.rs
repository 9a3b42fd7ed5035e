//! The flags of a session, for people.

use std::fmt::Write as _;

use super::{Means, TABLE, Takes};

/// What `codewhale -p --help` prints.
#[must_use]
pub fn help() -> String {
    let mut text = String::from(
        "A session with a model and your MCP servers

Usage:
  codewhale -p PROMPT [OPTIONS]                                answer one prompt
  codewhale --input-format stream-json --output-format stream-json [OPTIONS]
                                                               messages on standard input and output,
                                                               a JSON object a line, until the input ends

Options:
",
    );
    for flag in TABLE.iter().filter(|flag| flag.means != Means::Nothing) {
        let value = match flag.takes {
            Takes::Value(name) => format!(" {name}"),
            Takes::Values(name) => format!(" {name}…"),
            Takes::Nothing | Takes::Optional => String::new(),
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {:<46} {}", format!("{}{value}", flag.names.join(", ")), flag.about);
    }
    let idle: Vec<&str> = TABLE
        .iter()
        .filter(|flag| flag.means == Means::Nothing)
        .flat_map(|flag| flag.names)
        .copied()
        .collect();
    text.push_str("\nTaken for the sake of SDKs, with a warning, and without an effect:\n");
    for line in idle.chunks(4) {
        let _ = writeln!(text, "  {}", line.join(" "));
    }
    text.push_str(
        "
The first prompt waits for servers that are required, alwaysLoad or defer_loading: false, for at most
CODEWHALE_FIRST_RUN_MCP_PREWAIT_TIMEOUT_MS milliseconds (2000; 0 does not wait).

Exit codes:
  0 done   1 the answer is an error (-p)   2 usage or configuration error   130 interrupted
",
    );
    text
}
