//! The commands that only read or connect.

use clap::Args;

use super::{BudgetArgs, OptionalTarget, RequiredTarget, Unnamed};

#[derive(Debug, Clone, Args)]
pub(crate) struct ListArgs {
    /// Connect every server that is on, and say how each does
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct GetArgs {
    /// The server's name
    pub(crate) name: String,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) target: OptionalTarget,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ConnectArgs {
    #[command(flatten)]
    pub(crate) target: RequiredTarget,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ToolsArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, and one of its tools [default: every server that is on]
    #[arg(value_name = "NAME TOOL", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    /// Print the schema of each tool's arguments, as it is
    #[arg(long)]
    pub(crate) schema: bool,
    /// Estimate the tokens that each definition costs a model
    #[arg(long)]
    pub(crate) cost: bool,
    /// Answer from the last known lists, without connecting
    #[arg(long, conflicts_with_all = ["stdio", "url"])]
    pub(crate) cached: bool,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

/// A list of resources, templates or prompts.
#[derive(Debug, Clone, Args)]
pub(crate) struct OfferedArgs {
    #[command(flatten)]
    pub(crate) target: OptionalTarget,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct LogsArgs {
    /// The server's name
    pub(crate) name: String,
    /// Go on printing what is written
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// How many of the last lines
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
    pub(crate) lines: usize,
}
