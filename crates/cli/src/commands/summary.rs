//! How all servers do together: the line at the end, the JSON object, the exit code.

use serde::Serialize;

use super::report::Checked;
use crate::exit::Exit;
use crate::print::{PrintError, Printer};

/// How many servers do how.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    total: usize,
    ready: usize,
    degraded: usize,
    failed: usize,
    blocked: usize,
    needs_login: usize,
    disabled: usize,
    interrupted: usize,
    /// Blocked because nobody agreed to them.
    #[serde(skip)]
    untrusted: usize,
    /// Degraded, and not only because a list is empty.
    #[serde(skip)]
    broken: usize,
}

impl Summary {
    pub(super) fn of(rows: &[Checked]) -> Self {
        let mut summary = Self { total: rows.len(), ..Self::default() };
        for row in rows {
            *match row.status() {
                "ready" | "cached" => &mut summary.ready,
                "degraded" => &mut summary.degraded,
                "blocked" => &mut summary.blocked,
                "needs_login" => &mut summary.needs_login,
                "disabled" => &mut summary.disabled,
                "interrupted" => &mut summary.interrupted,
                _ => &mut summary.failed,
            } += 1;
            summary.untrusted += usize::from(row.is_untrusted());
            summary.broken += usize::from(row.status() == "degraded" && !row.is_merely_empty());
        }
        summary
    }

    /// 1 if anything failed, else 4 if something is blocked, else 3 if only a login is missing.
    pub(super) fn exit(&self) -> Exit {
        match self {
            _ if self.failed + self.broken > 0 => Exit::Failed,
            _ if self.blocked > 0 => Exit::Blocked,
            _ if self.needs_login > 0 => Exit::LoginNeeded,
            _ => Exit::Ok,
        }
    }

    pub(super) fn print(&self, printer: &Printer) {
        if self.total == 0 {
            printer.note("there is no server");
            printer.hint("add one with `codewhale mcp add NAME -- CMD ARGS…`");
            return;
        }
        let counts = [
            (self.ready, "ready"),
            (self.degraded, "degraded"),
            (self.failed, "failed"),
            (self.untrusted, "untrusted"),
            (self.blocked - self.untrusted, "blocked"),
            (self.needs_login, "without login"),
            (self.disabled, "disabled"),
            (self.interrupted, "interrupted"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let servers = if self.total == 1 { "server" } else { "servers" };
        printer.note(format!("{} {servers}: {}", self.total, counts.join(", ")));
    }
}

/// The servers that are still waited for, in words.
pub(super) fn unsettled<'r>(rows: impl IntoIterator<Item = &'r Checked>) -> String {
    let open = rows.into_iter().filter(|row| !row.is_settled());
    let names: Vec<&str> = open.map(|row| row.name.as_str()).collect();
    if names.is_empty() { "the servers to end".to_owned() } else { names.join(", ") }
}

/// One object, in the order of the configuration.
pub(super) fn print_json(rows: &[Checked], summary: &Summary, printer: &Printer) -> Result<(), PrintError> {
    #[derive(Serialize)]
    struct All<'a> {
        servers: &'a [Checked],
        summary: &'a Summary,
    }
    printer.json(&All { servers: rows, summary })
}
