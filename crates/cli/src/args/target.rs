//! A server by name, or without any configuration.

use clap::Args;

use super::RemoteArgs;

const STDIO: &str = "A server without any configuration: a command line, split as a shell would split it";
const URL: &str = "A remote server without any configuration: its endpoint";

/// Exactly one server.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(crate) struct RequiredTarget {
    #[command(flatten)]
    one: One,
    #[command(flatten)]
    remote: RemoteArgs,
}

#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
struct One {
    /// The server's name
    name: Option<String>,
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    url: Option<String>,
}

/// One server, or every one that is on.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(crate) struct OptionalTarget {
    #[command(flatten)]
    one: OneOrAll,
    #[command(flatten)]
    remote: RemoteArgs,
}

#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
struct OneOrAll {
    /// The server's name [default: every server that is on]
    name: Option<String>,
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    url: Option<String>,
}

/// What stands in the place of a name, for commands whose further arguments are positional too.
#[derive(Debug, Clone, Args)]
#[group(skip)]
pub(crate) struct Unnamed {
    #[command(flatten)]
    one: OneUnnamed,
    #[command(flatten)]
    remote: RemoteArgs,
}

#[derive(Debug, Clone, Args)]
#[group(multiple = false)]
struct OneUnnamed {
    #[arg(long, value_name = "CMD ARGS", help = STDIO)]
    stdio: Option<String>,
    #[arg(long, value_name = "URL", help = URL)]
    url: Option<String>,
}

/// What may stand in the place of a name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InPlaceOfName<'a> {
    /// A command line.
    pub(crate) stdio: Option<&'a str>,
    /// An endpoint.
    pub(crate) url: Option<&'a str>,
    remote: &'a RemoteArgs,
}

impl InPlaceOfName<'_> {
    /// Whether something stands there that belongs to an endpoint, and the endpoint does not. Where a name stands, clap
    /// does not mind.
    pub(crate) fn lacks_url(&self) -> bool {
        self.url.is_none() && *self.remote != RemoteArgs::default()
    }
}

/// A server as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Asked {
    /// One of the configuration.
    Name(String),
    /// A command line.
    Stdio(String),
    /// An endpoint, and how it is spoken to.
    Url(String, Box<RemoteArgs>),
}

impl RequiredTarget {
    pub(crate) fn asked(self) -> Asked {
        let Self { one: One { name, stdio, url }, remote } = self;
        asked(name, stdio, url, remote).expect("clap requires one of the three")
    }

    pub(super) fn in_place_of_name(&self) -> InPlaceOfName<'_> {
        InPlaceOfName { stdio: self.one.stdio.as_deref(), url: self.one.url.as_deref(), remote: &self.remote }
    }
}

impl OptionalTarget {
    pub(crate) fn asked(self) -> Option<Asked> {
        let Self { one: OneOrAll { name, stdio, url }, remote } = self;
        asked(name, stdio, url, remote)
    }

    pub(super) fn in_place_of_name(&self) -> InPlaceOfName<'_> {
        InPlaceOfName { stdio: self.one.stdio.as_deref(), url: self.one.url.as_deref(), remote: &self.remote }
    }
}

impl Unnamed {
    /// Tells the server apart from what follows it; `None` if no server is named.
    pub(crate) fn split<'w>(&self, words: &'w [String]) -> Option<(Asked, &'w [String])> {
        let Self { one: OneUnnamed { stdio, url }, remote } = self.clone();
        match asked(None, stdio, url, remote) {
            Some(asked) => Some((asked, words)),
            None => words.split_first().map(|(name, rest)| (Asked::Name(name.clone()), rest)),
        }
    }

    pub(super) fn in_place_of_name(&self) -> InPlaceOfName<'_> {
        InPlaceOfName { stdio: self.one.stdio.as_deref(), url: self.one.url.as_deref(), remote: &self.remote }
    }
}

fn asked(
    name: Option<String>,
    stdio: Option<String>,
    url: Option<String>,
    remote: RemoteArgs,
) -> Option<Asked> {
    let url = url.map(|url| Asked::Url(url, Box::new(remote)));
    name.map(Asked::Name).or(stdio.map(Asked::Stdio)).or(url)
}
