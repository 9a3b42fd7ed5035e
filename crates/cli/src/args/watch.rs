//! Changes of a server, and its tasks.

use clap::Args;

use super::asked::AskedArgs;
use super::budget::BudgetArgs;
use super::call::ShownArgs;
use super::target::Unnamed;

#[derive(Debug, Clone, Args)]
pub(crate) struct SubscribeArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, then the addresses of resources
    #[arg(value_name = "NAME URI", num_args = 0..)]
    pub(crate) words: Vec<String>,
    /// Tell when the list of tools changes
    #[arg(long)]
    pub(crate) tools: bool,
    /// Tell when the list of prompts changes
    #[arg(long)]
    pub(crate) prompts: bool,
    /// Tell when the list of resources changes
    #[arg(long)]
    pub(crate) resources: bool,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct TasksArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, and a task's id [default: every task]
    #[arg(value_name = "NAME ID", num_args = 0..=2)]
    pub(crate) words: Vec<String>,
    /// Ask the server to give the task up
    #[arg(long, conflicts_with = "wait")]
    pub(crate) cancel: bool,
    /// Wait for the task's end and print its result
    #[arg(long)]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}
