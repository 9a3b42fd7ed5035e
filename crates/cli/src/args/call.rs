//! Calling a tool.

use std::path::PathBuf;

use clap::Args;

use super::edit::seconds;
use super::target::Unnamed;

#[derive(Debug, Clone, Args)]
pub(crate) struct CallArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, the tool, then the tool's arguments
    #[arg(value_name = "NAME TOOL ARGUMENT", required = true, num_args = 1.., allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    /// The tool's arguments as one JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) json_args: Option<String>,
    /// Where images, sound and other files of the answer go [default: a new folder among the temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Print long text whole on a terminal too
    #[arg(long)]
    pub(crate) full: bool,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    /// Call it although it says that it may destroy something
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// What the words of a call mean.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words<'a> {
    /// The server's name, unless one was given without configuration.
    pub(crate) name: Option<&'a str>,
    /// The tool's raw or exposed name.
    pub(crate) tool: &'a str,
    /// What is passed to it, as written.
    pub(crate) arguments: &'a [String],
}

impl CallArgs {
    /// Tells server, tool and arguments apart; `None` if there are too few words.
    pub(crate) fn words(&self) -> Option<Words<'_>> {
        let named = self.unnamed.stdio.is_none() && self.unnamed.url.is_none();
        let (name, rest) = match self.words.split_first() {
            Some((name, rest)) if named => (Some(name.as_str()), rest),
            _ => (None, self.words.as_slice()),
        };
        let (tool, arguments) = rest.split_first()?;
        Some(Words { name, tool, arguments })
    }
}
