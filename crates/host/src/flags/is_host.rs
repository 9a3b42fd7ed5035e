//! Whether a command line asks for a session.

use super::table::{Means, Takes, flag};

/// Whether a command line, the program's name apart, asks for a session and not for a command: one of `--input-format`,
/// `--output-format`, `-p` and `--print` stands in it before any word that belongs to no flag.
#[must_use]
pub fn is_host(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        let Some(flag) = flag(name).filter(|_| word.starts_with('-')) else { return false };
        if matches!(flag.means, Means::InputFormat | Means::OutputFormat | Means::Print) {
            return true;
        }
        match flag.takes {
            Takes::Value(_) if name == word => drop(words.next()),
            Takes::Values(_) | Takes::Optional if name == word => {
                while words.next_if(|next| !next.starts_with('-')).is_some() {}
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_told_from_a_command() {
        let rows = [
            ("--input-format stream-json -y", true),
            ("--output-format=stream-json", true),
            ("--mcp-config {} --strict-mcp-config --input-format stream-json", true),
            ("-p hello", true),
            ("--model m --print", true),
            ("--allowedTools a b --print", true),
            ("--json -v --color never --config mcp.json --workspace . -y -q --mcp-config {} -p hello", true),
            ("--json --input-format=stream-json", true),
            ("--json mcp list", false),
            ("", false),
            ("mcp list", false),
            ("--config mcp.json mcp list -p", false),
            ("--workspace -p mcp list", false),
            ("mcp add x -- prog -p", false),
            ("--version", false),
            ("--help", false),
            ("--nonsense -p", false),
        ];
        for (line, expected) in rows {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(is_host(&words), expected, "{line}");
        }
    }
}
