//! The command line of every client: a scenario, then `--name value` pairs.

use std::fmt;

use crate::echo::Echo;

/// What a client does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// Calls one after another.
    Seq,
    /// Calls at once, so many in flight all the time.
    Pipe,
    /// Many servers at once, each until its tools are listed.
    Connect,
    /// Every tool of one server.
    List,
}

/// What a client was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// What it does.
    pub scenario: Scenario,
    /// The scenario as it was named: over HTTP with `http-` before it.
    pub named: String,
    /// The words of the command that starts a server; empty where there is a URL.
    pub server: Vec<String>,
    /// Where a server is.
    pub url: Option<String>,
    /// What is sent and comes back.
    pub echo: Echo,
    /// Bytes of that.
    pub size: usize,
    /// Calls that are measured.
    pub n: usize,
    /// Calls before those.
    pub warmup: usize,
    /// Calls in flight at one time.
    pub inflight: usize,
    /// Servers at one time.
    pub servers: usize,
}

impl Arguments {
    /// Reads the words after the program's name.
    ///
    /// # Errors
    /// A text that names the word that was not understood.
    pub fn read(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut words = words.into_iter();
        let named = words.next().ok_or("which scenario?")?;
        let scenario = match named.strip_prefix("http-").unwrap_or(&named) {
            "seq" => Scenario::Seq,
            "pipe" => Scenario::Pipe,
            "connect" => Scenario::Connect,
            "list" => Scenario::List,
            other => return Err(format!("there is no scenario {other}")),
        };
        let (server, url, echo) = (Vec::new(), None, Echo::Plain);
        let (size, n, warmup, inflight, servers) = (100, 1000, 0, 1, 1);
        let mut read = Self { scenario, named, server, url, echo, size, n, warmup, inflight, servers };
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| format!("{name} has no value"))?;
            let number = || value.parse::<usize>().map_err(|_| format!("{name} {value} is no number"));
            match name.as_str() {
                "--server" => read.server = value.split_whitespace().map(str::to_owned).collect(),
                "--url" => read.url = Some(value),
                "--kind" => read.echo = Echo::named(&value).ok_or(format!("there is no kind {value}"))?,
                "--size" => read.size = number()?,
                "--n" => read.n = number()?,
                "--warmup" => read.warmup = number()?,
                "--inflight" => read.inflight = number()?,
                "--servers" => read.servers = number()?,
                _ => return Err(format!("what is {name}?")),
            }
        }
        if read.server.is_empty() && read.url.is_none() {
            return Err("neither --server nor --url".to_owned());
        }
        Ok(read)
    }

    /// The text of every call.
    #[must_use]
    pub fn text(&self) -> String {
        self.echo.text(self.size)
    }
}

impl fmt::Display for Arguments {
    /// The members that an outcome repeats.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { named, n, size, inflight, servers, .. } = self;
        write!(f, r#""scenario":"{named}","n":{n},"size":{size},"inflight":{inflight},"servers":{servers}"#)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn the_same_scenarios_are_there_over_http() {
        let http = read("http-seq --url http://127.0.0.1:1/mcp --kind esc --size 80 --warmup 3").unwrap();
        assert_eq!((http.scenario, http.warmup, http.echo), (Scenario::Seq, 3, Echo::Escaped));
        assert_eq!(http.url.as_deref(), Some("http://127.0.0.1:1/mcp"));
        assert_eq!(http.to_string(), r#""scenario":"http-seq","n":1000,"size":80,"inflight":1,"servers":1"#);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, word) in [
            ("swim --server s", "swim"),
            ("seq", "--server"),
            ("seq --server", "--server"),
            ("seq --server s --n many", "many"),
            ("seq --server s --depth 3", "--depth"),
            ("seq --server s --kind odd", "odd"),
        ] {
            assert!(read(line).unwrap_err().contains(word), "{line}");
        }
    }
}
