//! Every flag of a session's command line.

/// One flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flag {
    /// As it is written, dashes and all; the first is the usual one.
    pub(crate) names: &'static [&'static str],
    pub(crate) takes: Takes,
    pub(crate) means: Means,
    /// For people; empty where it means nothing here.
    pub(crate) about: &'static str,
}

/// What stands behind a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// One value, named so.
    Value(&'static str),
    /// A value or none.
    Optional,
    /// Every word up to the next flag, at least one.
    Values(&'static str),
}

/// What a flag means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    InputFormat,
    OutputFormat,
    Print,
    Yes,
    PermissionMode,
    PermissionPrompt,
    AllowedTools,
    DisallowedTools,
    Model,
    MaxTurns,
    SystemPrompt,
    SystemPromptFile,
    AppendSystemPrompt,
    SessionId,
    Partial,
    McpConfig,
    Strict,
    SettingSources,
    Config,
    Workspace,
    Json,
    Colour,
    Verbose,
    Quiet,
    Help,
    /// Nothing: it is taken, and a warning says so.
    Nothing,
}

impl Flag {
    const fn new(names: &'static [&'static str], takes: Takes, means: Means, about: &'static str) -> Self {
        Self { names, takes, means, about }
    }

    /// One that others pass and that means nothing here.
    const fn idle(names: &'static [&'static str], takes: Takes) -> Self {
        Self::new(names, takes, Means::Nothing, "")
    }
}

use Means as M;
use Takes::{Nothing, Optional, Value, Values};

/// Every flag there is.
pub(crate) const TABLE: &[Flag] = &[
    Flag::new(&["--input-format"], Value("FORMAT"), M::InputFormat, "stream-json, or with -p text"),
    Flag::new(&["--output-format"], Value("FORMAT"), M::OutputFormat, "stream-json, or with -p text or json"),
    Flag::new(
        &["-p", "--print"],
        Nothing,
        M::Print,
        "answer one prompt, the word behind it or standard input",
    ),
    Flag::new(
        &["-y", "--yes", "--dangerously-skip-permissions"],
        Nothing,
        M::Yes,
        "run every tool without a question",
    ),
    Flag::new(
        &["--permission-mode"],
        Value("MODE"),
        M::PermissionMode,
        "default, acceptEdits, plan or bypassPermissions",
    ),
    Flag::new(&["--permission-prompt-tool"], Value("WHO"), M::PermissionPrompt, "stdio: the caller is asked"),
    Flag::new(
        &["--allowedTools", "--allowed-tools"],
        Values("NAME"),
        M::AllowedTools,
        "tools that run unasked",
    ),
    Flag::new(
        &["--disallowedTools", "--disallowed-tools"],
        Values("NAME"),
        M::DisallowedTools,
        "tools that are not there",
    ),
    Flag::new(&["--model"], Value("NAME"), M::Model, "the model to ask"),
    Flag::new(&["--max-turns"], Value("N"), M::MaxTurns, "how often the model may be asked for one prompt"),
    Flag::new(&["--system-prompt"], Value("TEXT"), M::SystemPrompt, "the system prompt"),
    Flag::new(
        &["--system-prompt-file"],
        Value("PATH"),
        M::SystemPromptFile,
        "the system prompt, from a file",
    ),
    Flag::new(&["--append-system-prompt"], Value("TEXT"), M::AppendSystemPrompt, "more of it"),
    Flag::new(&["--session-id"], Value("ID"), M::SessionId, "the id that messages carry"),
    Flag::new(
        &["--include-partial-messages"],
        Nothing,
        M::Partial,
        "stream_event messages while the model speaks",
    ),
    Flag::new(&["--mcp-config"], Value("PATH|JSON"), M::McpConfig, "more servers; may be repeated"),
    Flag::new(&["--strict-mcp-config"], Nothing, M::Strict, "only the servers of --mcp-config"),
    Flag::new(
        &["--setting-sources"],
        Value("LIST"),
        M::SettingSources,
        "whose mcp.json counts: user, project; none or empty for neither",
    ),
    Flag::new(&["--config"], Value("PATH"), M::Config, "the mcp.json to use instead of the user's"),
    Flag::new(
        &["--workspace"],
        Value("DIR"),
        M::Workspace,
        "the workspace, instead of the working directory",
    ),
    Flag::new(
        &["--json"],
        Nothing,
        M::Json,
        "with -p, --output-format json; a failure before the session is JSON, too",
    ),
    Flag::new(&["--color"], Value("WHEN"), M::Colour, "auto, always or never, on standard error"),
    Flag::new(&["-v", "--verbose"], Nothing, M::Verbose, "say more on standard error"),
    Flag::new(&["-q", "--quiet"], Nothing, M::Quiet, "say nothing but errors on standard error"),
    Flag::new(&["-h", "--help"], Nothing, M::Help, "this text"),
    Flag::idle(&["--add-dir"], Values("DIR")),
    Flag::idle(&["--agents"], Value("JSON")),
    Flag::idle(&["--betas"], Value("LIST")),
    Flag::idle(&["-c", "--continue"], Nothing),
    Flag::idle(&["-d", "--debug"], Optional),
    Flag::idle(&["--debug-to-stderr"], Nothing),
    Flag::idle(&["--effort"], Value("LEVEL")),
    Flag::idle(&["--fallback-model"], Value("NAME")),
    Flag::idle(&["--fork-session"], Nothing),
    Flag::idle(&["--include-hook-events"], Nothing),
    Flag::idle(&["--json-schema"], Value("JSON")),
    Flag::idle(&["--max-budget-usd"], Value("N")),
    Flag::idle(&["--max-thinking-tokens"], Value("N")),
    Flag::idle(&["--no-session-persistence"], Nothing),
    Flag::idle(&["--plugin-dir"], Value("DIR")),
    Flag::idle(&["--replay-user-messages"], Nothing),
    Flag::idle(&["--request-timeout-ms"], Value("N")),
    Flag::idle(&["-r", "--resume"], Optional),
    Flag::idle(&["--resume-drops-turn"], Value("ID")),
    Flag::idle(&["--resume-session-at"], Value("ID")),
    Flag::idle(&["--session-mirror"], Nothing),
    Flag::idle(&["--settings"], Value("JSON")),
    Flag::idle(&["--task-budget"], Value("N")),
    Flag::idle(&["--thinking"], Value("MODE")),
    Flag::idle(&["--thinking-display"], Value("MODE")),
    Flag::idle(&["--tools"], Value("LIST")),
];

/// The flag of this name.
pub(crate) fn flag(name: &str) -> Option<&'static Flag> {
    TABLE.iter().find(|flag| flag.names.contains(&name))
}
