//! A call that becomes a task.

use codewhale_mcp_client::Established;
use codewhale_mcp_protocol::{Era, Task, TaskSupport, Tool, method};
use serde::Serialize;

use crate::failure::Failure;
use crate::hint::{self, Naming};
use crate::print::{Line, Printer};

/// A task, for machines.
#[derive(Serialize)]
pub(super) struct Made<'a> {
    pub(super) server: &'a str,
    pub(super) tool: &'a str,
    pub(super) task: &'a Task,
}

/// Whether a call of this tool may ask to become a task; says why not. A modern server decides by itself.
pub(super) fn can_be_a_task(server: &Established, tool: &Tool, printer: &Printer) -> bool {
    if server.era() == Era::Modern {
        return true;
    }
    let offers = server.capabilities.tasks().is_some_and(|tasks| tasks.allows(method::TOOLS_CALL));
    let why_not = match tool.task_support() {
        _ if !offers => "the server makes no tasks of calls",
        TaskSupport::Forbidden => "the tool does not run as a task",
        _ => return true,
    };
    printer.warn(format!("{why_not}; it is called as usual"));
    false
}

/// Prints a new task, and how it is taken up again.
pub(super) fn started(made: &Made<'_>, naming: Naming, json: bool, printer: &Printer) -> Result<(), Failure> {
    if json {
        printer.lossless_json(made)?;
    } else {
        printer.line(Line::from(&made.task.task_id))?;
    }
    printer.flush()?;
    printer.hint(hint::task(made.server, naming, &made.task.task_id));
    printer.note("this connection is over now; the task is there next time only if the server keeps it");
    Ok(())
}
