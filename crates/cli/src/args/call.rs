//! Calling a tool, reading a resource, getting a prompt, completing an argument.

use std::path::PathBuf;

use clap::Args;

use super::asked::AskedArgs;
use super::budget::BudgetArgs;
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
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
    /// Make a task of the call where that is possible: print its id and do not wait for its end
    #[arg(long)]
    pub(crate) task: bool,
    /// Call it although it says that it may destroy something
    #[arg(short, long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// How an answer is shown.
#[derive(Debug, Clone, Args)]
pub(crate) struct ShownArgs {
    /// Where images, sound and other files of the answer go [default: a new folder among the temporary files]
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// Print long text whole on a terminal too
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server and the resource's address
    #[arg(value_name = "NAME URI", required = true, num_args = 1..=2)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct PromptArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, the prompt, then the prompt's arguments
    #[arg(value_name = "NAME PROMPT KEY=VALUE", required = true, num_args = 1.., allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
    /// Seconds to wait for the answer
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<f64>,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct CompleteArgs {
    #[command(flatten)]
    pub(crate) unnamed: Unnamed,
    /// The server, the argument, and what is typed of its value so far
    #[arg(value_name = "NAME ARGUMENT VALUE", required = true, num_args = 1..=3, allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) of: CompletedArgs,
    /// An argument that has its value already; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) with: Vec<String>,
    #[command(flatten)]
    pub(crate) budgets: BudgetArgs,
}

/// What an argument belongs to.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct CompletedArgs {
    /// The argument is one of this prompt
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// The argument is one of this template of resources
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) resource: Option<String>,
}
