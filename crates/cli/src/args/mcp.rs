//! The commands of `codewhale mcp`.

use clap::Subcommand;

use super::cli::UntrustArgs;
use super::{
    AddArgs, AddJsonArgs, AddSelfArgs, CallArgs, CompleteArgs, ConnectArgs, GetArgs, InPlaceOfName, InitArgs,
    ListArgs, LoginArgs, LogoutArgs, LogsArgs, NamedEntryArgs, OfferedArgs, PromptArgs, ReadArgs,
    SubscribeArgs, TasksArgs, ToolsArgs, TrustArgs, ValidateArgs,
};

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Writes a starter mcp.json
    ///
    /// Never overwrites without --force, and then keeps the old file beside the new one.
    Init(InitArgs),
    /// Lists every configured server, without connecting
    ///
    /// Shows scope, transport, whether it is on, and how it logs in; says what is overridden, what is skipped and
    /// why, and where the configuration is read. With --check it connects every server that is on, as `validate`.
    #[command(
        visible_alias = "ls",
        after_help = LIST_AUTH,
        mut_arg("connect_timeout", |arg| arg.requires("check")),
        mut_arg("read_timeout", |arg| arg.requires("check"))
    )]
    List(ListArgs),
    /// Shows one server in full: each value that counts, and the file, line and column it came from
    Get(GetArgs),
    /// Adds a server
    #[command(after_help = ADD_EXAMPLES)]
    Add(AddArgs),
    /// Adds a server given as JSON, as vendors print it
    #[command(after_help = ADD_JSON_EXAMPLES)]
    AddJson(AddJsonArgs),
    /// Adds this program as a server
    ///
    /// It serves the tools of `codewhale serve --mcp` in the workspace; with --workspace that is written down, otherwise it
    /// is the folder in which the server is started. They only read, but for those that --allow or config.toml names.
    AddSelf(AddSelfArgs),
    /// Removes a server from the file it stands in, with its login
    ///
    /// What is kept of a login to it is deleted here, unless another file has the same server. What you granted may live on
    /// at the provider; `codewhale mcp logout NAME --revoke` before the removal tells it, where it offers that.
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
    /// Lists tools under the names that a model sees, or shows one in full
    #[command(override_usage = TOOLS_USAGE, after_help = TOOLS_EXAMPLES)]
    Tools(ToolsArgs),
    /// Calls a tool
    #[command(override_usage = CALL_USAGE, after_help = CALL_EXAMPLES)]
    Call(CallArgs),
    /// Lists resources: what servers hold and `mcp read` reads
    Resources(OfferedArgs),
    /// Lists templates: patterns that addresses of resources are made from
    Templates(OfferedArgs),
    /// Lists prompts and the arguments that they take
    Prompts(OfferedArgs),
    /// Reads a resource
    ///
    /// Its parts are printed in order, text as it is; bytes become files and are described.
    #[command(override_usage = READ_USAGE, after_help = READ_EXAMPLES)]
    Read(ReadArgs),
    /// Fills in a prompt and prints its messages
    ///
    /// The arguments are held against those that the prompt declares before anything is sent.
    #[command(override_usage = PROMPT_USAGE, after_help = PROMPT_EXAMPLES)]
    Prompt(PromptArgs),
    /// Prints values that an argument of a prompt or a template could have
    #[command(override_usage = COMPLETE_USAGE, after_help = COMPLETE_EXAMPLES)]
    Complete(CompleteArgs),
    /// Prints what changes at a server, until Ctrl-C
    ///
    /// Without an address and without an option it is every list. Says first what the server agreed to tell.
    #[command(override_usage = SUBSCRIBE_USAGE, after_help = SUBSCRIBE_EXAMPLES)]
    Subscribe(SubscribeArgs),
    /// Lists a server's tasks, or shows, waits for or cancels one
    #[command(override_usage = TASKS_USAGE, after_help = TASKS_EXAMPLES)]
    Tasks(TasksArgs),
    /// Logs in to a server with a URL
    ///
    /// Opens a browser and waits until it comes back. What it brings is kept in the system's keyring, or in a file that
    /// only you can read where there is none, and renewed by itself. Ends when you are logged in, when it failed, or
    /// after ten minutes.
    #[command(after_help = LOGIN_EXAMPLES)]
    Login(LoginArgs),
    /// Deletes what is kept of a login
    ///
    /// What you granted lives on at the provider unless --revoke is given, which tells it, where it offers that; afterwards
    /// the tokens that this takes are gone. The next login asks for consent again.
    Logout(LogoutArgs),
    /// Prints what a server wrote on standard error, and its log messages
    Logs(LogsArgs),
}

impl McpCommand {
    /// What may stand in the place of a server's name.
    pub(crate) fn in_place_of_name(&self) -> Option<InPlaceOfName<'_>> {
        Some(match self {
            Self::Validate(args) => args.target.in_place_of_name(),
            Self::Connect(args) => args.target.in_place_of_name(),
            Self::Tools(args) => args.unnamed.in_place_of_name(),
            Self::Call(args) => args.unnamed.in_place_of_name(),
            Self::Resources(args) | Self::Templates(args) | Self::Prompts(args) => {
                args.target.in_place_of_name()
            }
            Self::Read(args) => args.unnamed.in_place_of_name(),
            Self::Prompt(args) => args.unnamed.in_place_of_name(),
            Self::Complete(args) => args.unnamed.in_place_of_name(),
            Self::Subscribe(args) => args.unnamed.in_place_of_name(),
            Self::Login(args) => args.target.in_place_of_name(),
            Self::Logout(args) => args.target.in_place_of_name(),
            Self::Tasks(args) => args.unnamed.in_place_of_name(),
            _ => return None,
        })
    }
}

const LIST_AUTH: &str = "\
AUTH is what authorizes requests:
  -                    nothing: a program, which has what it needs in its environment
  header, env_header   a header of the definition, as it is or from a variable
  bearer_env           a token from the variable that `bearer_token_env_var` names
  oauth: not asked     a login, if the server asks for one, which it has not; nobody has logged in
  oauth: logged in     there is a token, or another one is had without a login
  oauth: expired       the token has ended: `codewhale mcp login NAME`
  oauth: login needed  the server asked for a login or for more scopes: `codewhale mcp login NAME`
  oauth: logged out    somebody logged out here";

const ADD_EXAMPLES: &str = "\
Examples:
  codewhale mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  codewhale mcp add git --command uvx --arg mcp-server-git --env LOG_LEVEL=debug
  codewhale mcp add api --env 'API_KEY=${API_KEY}' --required -- ./server --port 0
  codewhale mcp add docs --url https://docs.example/mcp --bearer-token-env-var DOCS_TOKEN
  codewhale mcp add old --url https://old.example/sse --transport sse --env-header X-Api-Key=OLD_KEY

Secrets: what stands on a command line is seen by every process of this machine and stays in the shell's history.
Write '${VAR}' in single quotes, or use --env-header and --bearer-token-env-var.";

const ADD_JSON_EXAMPLES: &str = "\
Examples:
  codewhale mcp add-json files '{\"command\":\"npx\",\"args\":[\"-y\",\"@modelcontextprotocol/server-filesystem\",\".\"]}'
  codewhale mcp add-json files '{\"mcpServers\":{\"files\":{\"command\":\"uvx\",\"args\":[\"mcp-server-files\"]}}}'
  codewhale mcp add-json files - < entry.json";

const TOOLS_USAGE: &str = "\
codewhale mcp tools [OPTIONS] [NAME] [TOOL]
       codewhale mcp tools [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> [TOOL]";

const TOOLS_EXAMPLES: &str = "\
Examples:
  codewhale mcp tools                                  every tool of every server that is on
  codewhale mcp tools files read_file                  one tool in full, with its arguments
  codewhale mcp tools --stdio 'uvx mcp-server-time' --schema
  codewhale mcp tools --url https://docs.example/mcp --bearer-token-env-var DOCS_TOKEN";

const CALL_USAGE: &str = "\
codewhale mcp call [OPTIONS] <NAME> <TOOL> [ARGUMENT]...
       codewhale mcp call [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> <TOOL> [ARGUMENT]...";

const CALL_EXAMPLES: &str = "\
The tool's arguments:
  key=text        a value, turned into the type that the tool's schema asks for
  key:=JSON       a value as JSON, as it is
  key=@FILE       the text of a file; key=@@text is the text @text
  key:=@FILE      the JSON of a file
  @FILE           a file that holds a JSON object
  -               a JSON object from standard input
  --json-args '{…}'
A key that stands twice makes an array where the tool takes one. All of them are checked against the tool's schema before anything is sent.

Examples:
  codewhale mcp call files read_file path=README.md
  codewhale mcp call search query text='blue whale' limit=5 filters:='{\"lang\":[\"en\"]}'
  codewhale mcp call --stdio 'uvx mcp-server-time' get_current_time timezone=Europe/Oslo
  codewhale mcp call --url http://localhost:8080/mcp echo text=hi
  generate | codewhale mcp call store put -
  codewhale mcp call builds start target=docs --task
  codewhale mcp call booking reserve table=4 --answers answers.json

Questions: where nobody sits at a terminal, what the server asks is declined unless --answers FILE answers it. The file
holds one JSON object of field values, which is used for every form, or an array whose elements answer the questions in
order: an object for a form, \"accept\", \"decline\" or \"cancel\", and with --allow-sampling a text.";

const READ_USAGE: &str = "\
codewhale mcp read [OPTIONS] <NAME> <URI>
       codewhale mcp read [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> <URI>";

const READ_EXAMPLES: &str = "\
Examples:
  codewhale mcp resources files                        which addresses are there?
  codewhale mcp read files file:///srv/notes.md
  codewhale mcp read camera camera://front --save shots";

const PROMPT_USAGE: &str = "\
codewhale mcp prompt [OPTIONS] <NAME> <PROMPT> [KEY=VALUE]...
       codewhale mcp prompt [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> <PROMPT> [KEY=VALUE]...";

const PROMPT_EXAMPLES: &str = "\
Examples:
  codewhale mcp prompts notes                          which prompts are there, and what do they take?
  codewhale mcp prompt notes summarize topic=whales style='two lines'";

const COMPLETE_USAGE: &str = "\
codewhale mcp complete [OPTIONS] <--prompt <PROMPT>|--resource <TEMPLATE>> <NAME> <ARGUMENT> [VALUE]
       codewhale mcp complete [OPTIONS] <--prompt <PROMPT>|--resource <TEMPLATE>> <--stdio <CMD ARGS>|--url <URL>> <ARGUMENT> [VALUE]";

const COMPLETE_EXAMPLES: &str = "\
Examples:
  codewhale mcp complete notes --prompt summarize topic wha
  codewhale mcp complete files --resource 'file:///{project}/{name}' name READ --with project=docs";

const SUBSCRIBE_USAGE: &str = "\
codewhale mcp subscribe [OPTIONS] <NAME> [URI]...
       codewhale mcp subscribe [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> [URI]...";

const SUBSCRIBE_EXAMPLES: &str = "\
Examples:
  codewhale mcp subscribe files                        every list that changes
  codewhale mcp subscribe files file:///srv/notes.md --json";

const LOGIN_EXAMPLES: &str = "\
Examples:
  codewhale mcp login docs
  codewhale mcp login docs --scope read --scope write
  codewhale mcp login docs --no-browser                over SSH: open the address elsewhere, paste where it ended
  codewhale mcp login docs --device                    type a code in on another device
  codewhale mcp login --url https://docs.example/mcp   for --url with other commands";

const TASKS_USAGE: &str = "\
codewhale mcp tasks [OPTIONS] <NAME> [ID]
       codewhale mcp tasks [OPTIONS] <--stdio <CMD ARGS>|--url <URL>> [ID]";

const TASKS_EXAMPLES: &str = "\
Examples:
  codewhale mcp call builds start target=docs --task   prints the id of a new task
  codewhale mcp tasks builds                           every task, if the server has that list
  codewhale mcp tasks builds 786512e2 --wait
  codewhale mcp tasks builds 786512e2 --cancel";
