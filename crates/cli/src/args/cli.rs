//! The whole command line, and what counts for every command.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use codewhale_host::flags::Sources;

use super::{McpCommand, ServeArgs, ServerArgs};

const GLOBAL: &str = "Global options";
const MCP_CONFIG: &str = "mcp_config";

/// Lives with your MCP servers: add them, see why one does not start, call a tool by hand.
#[derive(Debug, Parser)]
#[command(
    name = "codewhale",
    version,
    disable_help_subcommand = true,
    after_help = "A session with a model: `codewhale -p PROMPT`, or messages with --input-format stream-json; \
        `codewhale -p --help` has its options.\n\n\
        Exit codes: 0 done, 1 failed, 2 usage or configuration error, 3 login needed, 4 blocked by policy or \
        missing consent, 5 the tool answered with an error, 6 timed out, 130 interrupted.",
    after_long_help = "\
Examples:
  codewhale mcp init                                   write a starter mcp.json
  codewhale mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  codewhale mcp validate                               does every server start?
  codewhale mcp call files read_file path=README.md

A session with a model (`codewhale -p --help`):
  codewhale -p \"what time is it in Tokyo?\" -y          answers one prompt; -y lets tools run
  codewhale --input-format stream-json --output-format stream-json
                                                       messages in and out, a JSON object a line

Exit codes:
  0 done   1 failed   2 usage or configuration error   3 login needed
  4 blocked by policy, trust or a missing consent   5 the tool answered with an error
  6 timed out   130 interrupted"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line as clap's own value, for whatever describes it: completions, manual pages, the reference.
#[must_use]
pub fn command() -> clap::Command {
    with_mcp_config(Cli::command())
}

/// Adds `--mcp-config` to every command. As a global argument it would lose what stands before the command's name when
/// it stands behind it too.
fn with_mcp_config(command: clap::Command) -> clap::Command {
    let more = Arg::new(MCP_CONFIG)
        .long("mcp-config")
        .value_name("PATH|JSON")
        .help(
            "More servers for this run: a file inside the workspace, or JSON; may be repeated, the last wins",
        )
        .help_heading(GLOBAL)
        .action(ArgAction::Append)
        .value_parser(NonEmptyStringValueParser::new());
    command.arg(more).mut_subcommands(with_mcp_config)
}

impl Cli {
    /// Reads a command line, the program's own name first. Help is wrapped at so many columns.
    pub(crate) fn read(words: &[OsString], columns: usize) -> Result<Self, clap::Error> {
        let matches = command().term_width(columns).try_get_matches_from(help_last(words))?;
        let mut cli = Self::from_arg_matches(&matches)?;
        let mut level = Some(&matches);
        while let Some(matches) = level {
            cli.global
                .mcp_config
                .extend(matches.get_many::<String>(MCP_CONFIG).into_iter().flatten().cloned());
            level = matches.subcommand().map(|(_, inner)| inner);
        }
        Ok(cli)
    }
}

/// `help mcp call` and `mcp help call` are `mcp call --help`.
fn help_last(words: &[OsString]) -> Vec<OsString> {
    let mut words = words.to_vec();
    let is = |at: usize, wanted: &str| words.get(at).is_some_and(|word| word == wanted);
    let at = if is(1, "mcp") { 2 } else { 1 };
    if is(at, "help") {
        words.remove(at);
        words.push("--help".into());
    }
    words
}

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = GLOBAL)]
pub(crate) struct GlobalArgs {
    /// Print JSON: one value on one line, with a stable shape
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The mcp.json to use instead of the user's
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) config: Option<PathBuf>,
    /// The workspace, instead of the working directory
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// The values of `--mcp-config`, in the order of the command line.
    #[arg(skip)]
    pub(crate) mcp_config: Vec<String>,
    /// Whose `mcp.json` counts beside those.
    #[arg(skip)]
    pub(crate) sources: Sources,
    /// Only the servers of --mcp-config
    #[arg(long, global = true)]
    pub(crate) strict_mcp_config: bool,
    /// Say more on standard error
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Say nothing but errors on standard error
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Colour; `auto` asks the terminal and NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColourChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColourChoice {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a run makes one")]
pub(crate) enum Command {
    /// Servers: configure, check and use them
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// Lets a workspace's own servers count
    ///
    /// Shows every server of <DIR>/.codewhale/mcp.json and asks for each. Consent is bound to the definition: a
    /// changed or new server asks again. Without a terminal the answer is no, unless --yes is given.
    Trust(TrustArgs),
    /// Takes back what `trust` gave
    Untrust(UntrustArgs),
    /// Serves files and commands of a workspace to other clients
    ///
    /// On standard input and output, or over HTTP with --listen. Tools that read: read_file, list_directory, find_files, search_text. Those that
    /// change something are there only when you allow them. The workspace is --workspace, else the working directory;
    /// nothing outside of it can be reached by these tools, save by the commands of `shell`.
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// The same as `codewhale serve --mcp`
    #[command(after_help = SERVE_EXAMPLES)]
    McpServer(ServerArgs),
    /// Prints a completion script for a shell
    #[command(
        after_help = "Example:\n  codewhale completions bash > ~/.local/share/bash-completion/completions/codewhale"
    )]
    Completions {
        /// For which shell
        shell: clap_complete::Shell,
    },
    /// Writes the manual pages
    Man {
        /// Where to; without it the page of `codewhale` itself is printed
        dir: Option<PathBuf>,
    },
}

const SERVE_EXAMPLES: &str = "\
Examples:
  codewhale mcp add-self                               registers this program, for a start by codewhale
  codewhale serve --mcp --workspace ~/src/app --allow write_file,edit_file
  codewhale serve --mcp --listen 127.0.0.1:8080        Streamable HTTP at http://127.0.0.1:8080/mcp";

#[derive(Debug, Clone, Args)]
pub(crate) struct TrustArgs {
    /// The workspace [default: --workspace, else the working directory]
    pub(crate) dir: Option<PathBuf>,
    /// Trust every server without asking
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct UntrustArgs {
    /// The workspace [default: --workspace, else the working directory]
    pub(crate) dir: Option<PathBuf>,
}
