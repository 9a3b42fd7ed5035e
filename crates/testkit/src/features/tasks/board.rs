//! The tools whose calls become tasks, and the tasks there are.

use super::task::{Plot, Task};
use super::{legacy, modern};
use crate::base::{Answer, Base, Feature, Reply};
use crate::features::input::{Heard, Router};
use crate::json::text_block;
use crate::message::Message;
use crate::options::Options;
use crate::out::Out;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};

/// Tasks by `--tasks optional|required`: `--poll MS` is the interval they ask for, and with `--get-as-task` the
/// modern `tasks/get` says `task` where it should say `complete`.
pub(in crate::features) struct Tasks {
    pub(super) required: bool,
    pub(super) poll: u64,
    pub(super) get_type: &'static str,
    pub(super) board: Board,
    pub(super) router: Router,
}

/// All tasks, in the order of their making, shared with the calls that wait for their results.
pub(super) type Board = Arc<Mutex<Vec<Entry>>>;

/// A task and who waits for its end.
pub(super) struct Entry {
    pub(super) task: Task,
    pub(super) wakers: Vec<SyncSender<Heard>>,
}

const TOOLS: [(&str, Plot, &str); 7] = [
    ("job", Plot::Finishes, "Finishes after some steps"),
    ("job_ask", Plot::Asks, "Asks two things on the way"),
    ("job_fail", Plot::Fails, "Ends in an error"),
    ("job_refuse", Plot::Refuses, "Ends in a result that is an error"),
    ("job_stuck", Plot::Stuck, "Never ends by itself"),
    ("job_stubborn", Plot::Stubborn, "Finishes although it is cancelled"),
    ("job_lost", Plot::Lost, "Is forgotten at once"),
];

impl Tasks {
    pub(in crate::features) fn new(
        base: &mut Base,
        support: &str,
        options: &Options,
        router: Router,
    ) -> Tasks {
        let support = if support == "required" { support } else { "optional" };
        for (name, _, about) in TOOLS {
            let rest = format!(
                r#""description":"{about}","inputSchema":{{"type":"object","properties":{{"steps":{{"type":"integer"}}}}}},"execution":{{"taskSupport":"{support}"}}"#
            );
            base.catalogue.add_tool(name, "2025-11-25", &rest);
        }
        let rest = r#""description":"Moves a task a step forward","inputSchema":{"type":"object","properties":{"taskId":{"type":"string"}},"required":["taskId"]}"#;
        base.catalogue.add_tool("advance", "2025-11-25", rest);
        Tasks {
            required: support == "required",
            poll: options.number("poll", 10),
            get_type: if options.has("get-as-task") { "task" } else { "complete" },
            board: Board::default(),
            router,
        }
    }

    /// A new task for this call, which is not yet on the board.
    pub(super) fn task(&self, plot: Plot, message: &Message) -> Task {
        let number = self.board.lock().expect("no holder panics").len();
        let id = format!("task/{}-{number}", std::process::id());
        let steps = message.arguments().count("steps").unwrap_or(3).max(1);
        let ttl = message.param_value("task")["ttl"].as_u64().unwrap_or(60_000);
        Task::new(id, plot, steps, ttl.to_string(), self.poll)
    }

    pub(super) fn add(&self, mut task: Task) {
        // What is lost keeps its place, so that no id is given out twice.
        if task.plot == Plot::Lost {
            task.id.clear();
        }
        self.board.lock().expect("no holder panics").push(Entry { task, wakers: vec![] });
    }

    /// Does something with the task that the params name.
    pub(super) fn with<T>(&self, id: &str, act: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        let mut board = self.board.lock().expect("no holder panics");
        board.iter_mut().find(|entry| entry.task.id == id && !id.is_empty()).map(act)
    }

    fn advance(&self, message: &Message, base: &Base, out: &Out) -> Reply {
        let wanted = message.arguments().text("taskId").unwrap_or_default();
        let modern = base.is_modern(message);
        let status = self.with(&wanted, |entry| {
            entry.task.advance();
            if modern {
                modern::tell(&mut entry.task, base);
            } else {
                legacy::tell(&entry.task, out);
            }
            entry.task.status.name()
        });
        base.result(message, &format!(r#""content":[{}]"#, text_block(status.unwrap_or("unknown"))))
    }
}

impl Feature for Tasks {
    fn answer(&mut self, message: &Message, base: &mut Base, out: &Out) -> Option<Answer> {
        let (modern, revision) = (base.is_modern(message), base.revision(message));
        if revision < "2025-11-25" {
            return None;
        }
        let method = message.method()?;
        if method != "tools/call" {
            return if modern {
                modern::answer(self, &method, message, base, out)
            } else {
                legacy::answer(self, &method, message, out)
            };
        }
        let name = message.param_text("name")?;
        if name == "advance" {
            return Some(Answer::Now(self.advance(message, base, out)));
        }
        let plot = TOOLS.iter().find(|(known, ..)| *known == name).map(|(_, plot, _)| *plot);
        let called = if modern {
            modern::call(self, plot?, message, base)
        } else {
            legacy::call(self, plot, message, out)
        };
        called.map(Answer::Now)
    }
}
