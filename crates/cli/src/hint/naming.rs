//! How a server is named on a command line.

/// How the server of this run is named on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By its name in a configuration.
    Name,
    /// By its name in what `--mcp-config` gives.
    Given,
    /// By its own command line, which is not said again: it may hold secrets.
    Stdio,
    /// By its endpoint, which is not said again: it may hold secrets.
    Url,
}

impl Naming {
    /// The server as words of a shell.
    pub(crate) fn of(self, name: &str) -> String {
        match self {
            Self::Name => word(name),
            Self::Given => format!("{} --mcp-config …", word(name)),
            Self::Stdio => "--stdio …".to_owned(),
            Self::Url => "--url …".to_owned(),
        }
    }
}

/// Whether a word is an endpoint, where a name was wanted.
pub(crate) fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// A name as a word of a shell.
pub(crate) fn word(name: &str) -> String {
    shell_words::quote(name).into_owned()
}
