//! The mode that offers the whole protocol, put together from the features.

use super::changes::Changes;
use super::completion::Completion;
use super::input::{Asking, Input, Router};
use super::logging::Logging;
use super::prompts::Prompts;
use super::resources::Resources;
use super::results::Results;
use super::tasks::Tasks;
use crate::base::{Answer, Base, Feature, MODERN, Paging};
use crate::faults::Setup;
use crate::message::Message;
use crate::options::Options;
use crate::out::Out;

/// Resources, prompts, completion, logging, changes, subscriptions, questions and every kind of result.
///
/// `--page N` cuts every list; `--honour` lists what a subscription may ask for (`tools,prompts,resources,uris`);
/// `--end` says how the tool `end_listen` ends subscriptions, and with `--end-at ack` they end at once; the
/// other flags are those of [`Asking`] and [`Tasks`].
pub(crate) fn everything(options: &Options, setup: &mut Setup) {
    let base = &mut setup.base;
    let page = options.count("page", 0);
    if page > 0 {
        base.paging = Paging::Size(page);
    }
    base.honours = Some(options.word("honour", HONOURED).split(',').map(filter_member).collect());
    let (tasks, router) = (options.text("tasks"), Router::default());
    if let Some(support) = &tasks {
        let tasks = Tasks::new(base, support, options, router.clone());
        base.features.push(Box::new(tasks));
    }
    let features: [Box<dyn Feature>; 8] = [
        Box::new(Declared { tasks: tasks.is_some() }),
        Box::new(Changes::new(base, options)),
        Box::new(Completion),
        Box::new(Logging::new(base)),
        Box::new(Input::new(base, Asking::of(options), router)),
        Box::new(Prompts::new(base)),
        Box::new(Resources::new(base)),
        Box::new(Results::new(base)),
    ];
    base.features.extend(features);
}

/// The flags of the mode.
pub(crate) const EVERYTHING_FLAGS: &str = "--page N --honour LIST --end result|cancelled|both --end-at call|ack --rounds N --state-only N [--no-state] [--endless] [--undeclared] --tasks optional|required --poll MS [--get-as-task]";

const HONOURED: &str = "tools,prompts,resources,uris,tasks";

/// The member of a subscription's filter that a word of `--honour` means.
fn filter_member(word: &str) -> String {
    match word {
        "uris" => "resourceSubscriptions".to_owned(),
        "tasks" => "taskIds".to_owned(),
        list => format!("{list}ListChanged"),
    }
}

/// What is declared at each revision.
struct Declared {
    tasks: bool,
}

impl Feature for Declared {
    fn answer(&mut self, _: &Message, _: &mut Base, _: &Out) -> Option<Answer> {
        None
    }

    fn capabilities(&self, revision: &str) -> Option<String> {
        let completions = if revision >= "2025-03-26" { r#","completions":{}"# } else { "" };
        let more = match (revision, self.tasks) {
            (MODERN, false) => r#","extensions":{"com.example/nothing":{"level":1}}"#,
            (MODERN, true) => r#","extensions":{"io.modelcontextprotocol/tasks":{}}"#,
            ("2025-11-25", true) => r#","tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}"#,
            _ => "",
        };
        Some(format!(
            r#"{{"tools":{{"listChanged":true}},"resources":{{"subscribe":true,"listChanged":true}},"prompts":{{"listChanged":true}},"logging":{{}}{completions}{more}}}"#
        ))
    }
}
