//! The commands of `codewhale mcp`.

use clap::Subcommand;

use super::cli::UntrustArgs;
use super::{
    AddArgs, AddJsonArgs, CallArgs, ConnectArgs, GetArgs, InitArgs, ListArgs, LogsArgs, NamedEntryArgs,
    ToolsArgs, TrustArgs, ValidateArgs,
};

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a run makes one")]
pub(crate) enum McpCommand {
    /// Writes a starter mcp.json
    ///
    /// Never overwrites without --force, and then keeps the old file beside the new one.
    Init(InitArgs),
    /// Lists every configured server, without connecting
    ///
    /// Shows scope, transport, whether it is on, and how it logs in; says what is overridden, what is skipped and
    /// why, and where the configuration is read. With --check it connects every server that is on, as `validate`.
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Shows one server in full: each value that counts, and the file, line and column it came from
    Get(GetArgs),
    /// Adds a server
    #[command(after_help = ADD_EXAMPLES)]
    Add(AddArgs),
    /// Adds a server given as JSON, as vendors print it
    #[command(after_help = ADD_JSON_EXAMPLES)]
    AddJson(AddJsonArgs),
    /// Removes a server from the file it stands in
    #[command(visible_alias = "rm")]
    Remove(NamedEntryArgs),
    /// Turns a server on
    Enable(NamedEntryArgs),
    /// Turns a server off; its definition stays
    Disable(NamedEntryArgs),
    /// Lets a workspace's own servers count; the same as `codewhale trust`
    Trust(TrustArgs),
    /// Takes back what `trust` gave; the same as `codewhale untrust`
    Untrust(UntrustArgs),
    /// Connects every server that is on, all at once, and says how each does
    ///
    /// One row a server as soon as it has settled: its tools, or why it failed, how it ended, the last lines of its
    /// standard error and what to do next. A hung server delays no other.
    #[command(
        after_help = "Exit code: 1 if a server failed, else 4 if one is blocked, else 3 if only a login is \
        missing; 2 if a file cannot be used."
    )]
    Validate(ValidateArgs),
    /// Connects one server and prints what it says about itself
    Connect(ConnectArgs),
    /// Lists tools under the names that a model sees
    Tools(ToolsArgs),
    /// Calls a tool
    #[command(override_usage = CALL_USAGE, after_help = CALL_EXAMPLES)]
    Call(CallArgs),
    /// Prints what a server wrote on standard error, and its log messages
    Logs(LogsArgs),
}

const ADD_EXAMPLES: &str = "\
Examples:
  codewhale mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  codewhale mcp add git --command uvx --arg mcp-server-git --env LOG_LEVEL=debug
  codewhale mcp add api --env 'API_KEY=${API_KEY}' --required -- ./server --port 0
  codewhale mcp add docs --url https://docs.example/mcp --bearer-token-env-var DOCS_TOKEN

Secrets: what stands on a command line is seen by every process of this machine and stays in the shell's history.
Write '${VAR}' in single quotes, or use --env-header and --bearer-token-env-var.";

const ADD_JSON_EXAMPLES: &str = "\
Examples:
  codewhale mcp add-json files '{\"command\":\"npx\",\"args\":[\"-y\",\"@modelcontextprotocol/server-filesystem\",\".\"]}'
  codewhale mcp add-json files '{\"mcpServers\":{\"files\":{\"command\":\"uvx\",\"args\":[\"mcp-server-files\"]}}}'
  codewhale mcp add-json files - < entry.json";

const CALL_USAGE: &str = "\
codewhale mcp call [OPTIONS] <NAME> <TOOL> [ARGUMENT]...
       codewhale mcp call [OPTIONS] --stdio <CMD ARGS> <TOOL> [ARGUMENT]...";

const CALL_EXAMPLES: &str = "\
Arguments:
  key=text        a value, turned into the type that the tool's schema asks for
  key:=JSON       a value as JSON, as it is
  @FILE           a file that holds a JSON object
  -               a JSON object from standard input
  --json-args '{…}'
A key that stands twice makes an array where the tool takes one. All of them are checked against the tool's schema before anything is sent.

Examples:
  codewhale mcp call files read_file path=README.md
  codewhale mcp call search query text='blue whale' limit=5 filters:='{\"lang\":[\"en\"]}'
  codewhale mcp call --stdio 'uvx mcp-server-time' get_current_time timezone=Europe/Oslo
  generate | codewhale mcp call store put -";
