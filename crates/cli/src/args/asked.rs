//! What a server may ask while it works, and how much it says.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use codewhale_mcp_protocol::LoggingLevel;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Questions of the server")]
pub(crate) struct AskedArgs {
    /// Answers to its questions: a JSON object of field values for every form, or an array with one answer a question
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// Let it ask a model; you, or --answers, answer in the model's place
    #[arg(long)]
    pub(crate) allow_sampling: bool,
    /// A folder that it may know of; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Ask it for log messages from this level on
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log_level: Option<Level>,
}

/// How bad what a log message tells is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

impl From<Level> for LoggingLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Notice => Self::Notice,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
            Level::Critical => Self::Critical,
            Level::Alert => Self::Alert,
            Level::Emergency => Self::Emergency,
        }
    }
}
