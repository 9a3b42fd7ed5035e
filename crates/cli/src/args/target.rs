//! A server by name, or without any configuration.

use clap::Args;

const STDIO: &str = "A server without any configuration: a command line, split as a shell would split it";
const URL: &str = "A remote server without any configuration (not in this version, which speaks stdio)";

/// Exactly one server.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RequiredTarget {
    /// The server's name
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    pub(crate) stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    pub(crate) url: Option<String>,
}

/// One server, or every one that is on.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub(crate) struct OptionalTarget {
    /// The server's name [default: every server that is on]
    pub(crate) name: Option<String>,
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    pub(crate) stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    pub(crate) url: Option<String>,
}

/// What stands in the place of a name, for commands whose further arguments are positional too.
#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
pub(crate) struct Unnamed {
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    pub(crate) stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    pub(crate) url: Option<String>,
}

/// A server as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// One of the configuration.
    Name(String),
    /// A command line.
    Stdio(String),
    /// An endpoint.
    Url(String),
}

fn asked(name: Option<String>, stdio: Option<String>, url: Option<String>) -> Option<Asked> {
    name.map(Asked::Name).or(stdio.map(Asked::Stdio)).or(url.map(Asked::Url))
}

impl RequiredTarget {
    pub(crate) fn asked(self) -> Asked {
        asked(self.name, self.stdio, self.url).expect("clap requires one of the three")
    }
}

impl OptionalTarget {
    pub(crate) fn asked(self) -> Option<Asked> {
        asked(self.name, self.stdio, self.url)
    }
}

impl Unnamed {
    /// Tells the server apart from what follows it; `None` if no server is named.
    pub(crate) fn split<'w>(&self, words: &'w [String]) -> Option<(Asked, &'w [String])> {
        match asked(None, self.stdio.clone(), self.url.clone()) {
            Some(asked) => Some((asked, words)),
            None => words.split_first().map(|(name, rest)| (Asked::Name(name.clone()), rest)),
        }
    }
}
