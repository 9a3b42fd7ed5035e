//! How one server does, as a row and as JSON.

use codewhale_mcp_config::{Place, Problem, Scope};
use codewhale_mcp_manager::{Degradation, End, Failure as ServerFailure, FailureClass, Outcome, Report};
use serde::Serialize;

use crate::hint::{self, Naming};
use crate::print::{Line, Paint, PrintError, Printer, time};
use crate::target::is_ad_hoc;
use crate::world::Terminal;

/// One server and how it does.
#[derive(Debug, Serialize)]
pub(super) struct Checked {
    pub(super) name: String,
    scope: &'static str,
    /// What the command line gives is in no file that a later command would read.
    #[serde(skip)]
    naming: Naming,
    /// Set where another server has the same name.
    #[serde(skip)]
    told_scope: String,
    transport: &'static str,
    /// `ready`, `degraded`, `failed`, `blocked`, `needs_login`, `disabled`, `interrupted`; `pending` is never printed.
    status: &'static str,
    elapsed_ms: Option<u64>,
    protocol: Option<String>,
    tools: Option<usize>,
    /// Tools that the configuration leaves out.
    hidden_tools: Option<usize>,
    failure: Option<Failed>,
    warnings: Vec<String>,
    /// What to do next.
    next: Option<String>,
}

/// Why a server cannot be used, or not fully.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Failed {
    class: &'static str,
    phase: &'static str,
    /// The outermost first.
    causes: Vec<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    /// The last lines of standard error.
    stderr: Vec<String>,
}

impl Checked {
    /// A server that nothing is known of yet.
    pub(super) fn new(name: &str, place: &Place, transport: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            scope: place.scope.as_str(),
            naming: match (place.scope, is_ad_hoc(place), transport) {
                (Scope::Flag, true, "stdio") => Naming::Stdio,
                (Scope::Flag, true, _) => Naming::Url,
                (Scope::Flag, false, _) => Naming::Given,
                _ => Naming::Name,
            },
            told_scope: String::new(),
            transport,
            status: "pending",
            elapsed_ms: None,
            protocol: None,
            tools: None,
            hidden_tools: None,
            failure: None,
            warnings: Vec::new(),
            next: None,
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.status != "pending"
    }

    pub(super) fn width(&self) -> usize {
        self.title().width()
    }

    fn title(&self) -> Line {
        Line::new().bold(&self.name).plain(&self.told_scope)
    }

    /// There is another one of that name.
    pub(super) fn tell_scope(&mut self) {
        self.told_scope = format!(" ({})", self.scope);
    }

    /// How it is, for people: what blocks it is said in the same word everywhere.
    fn word(&self) -> &'static str {
        match &self.failure {
            Some(failure) if self.status == "blocked" => failure.class,
            _ => self.status,
        }
    }

    /// Whether it is degraded by nothing but an empty list.
    pub(super) fn is_merely_empty(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| failure.class == "list_empty")
    }

    /// Whether it is blocked because nobody agreed to it.
    pub(super) fn is_untrusted(&self) -> bool {
        let class = FailureClass::Untrusted.as_str();
        self.status == "blocked" && self.failure.as_ref().is_some_and(|failure| failure.class == class)
    }

    /// Why it cannot be used, or not fully.
    pub(super) fn failure(&self) -> Option<Failed> {
        self.failure.clone()
    }

    pub(super) fn status(&self) -> &'static str {
        self.status
    }

    /// Whether it is there and its lists were read.
    pub(super) fn is_usable(&self) -> bool {
        self.status == "ready"
    }

    /// Whether its tools can be used.
    pub(super) fn is_fine(&self) -> bool {
        matches!(self.status, "ready" | "cached") || self.is_merely_empty()
    }

    /// Its tools are known from before.
    pub(super) fn remembered(&mut self, tools: usize) {
        self.status = "cached";
        self.tools = Some(tools);
    }

    /// Its tools are not known from before.
    pub(super) fn not_remembered(&mut self, naming: Naming) {
        self.status = "failed";
        let cause = "its tools are not known yet".to_owned();
        self.failure = Some(Failed {
            class: "not_cached",
            phase: "list",
            causes: vec![cause],
            exit_code: None,
            signal: None,
            stderr: Vec::new(),
        });
        self.next = Some(hint::not_cached(&self.name, naming));
    }

    /// Says on the side what is wrong with it.
    pub(super) fn tell(&self, printer: &Printer) {
        let Some(failure) = &self.failure else { return };
        let first = failure.causes.first().map(String::as_str).unwrap_or_default();
        printer.error(format!("`{}`: {first}", self.name));
        for cause in failure.causes.iter().skip(1) {
            printer.talk(Line::new().dim("  because: ").plain(cause));
        }
        for line in &failure.stderr {
            printer.talk(Line::new().dim("  stderr: ").plain(line));
        }
        if let Some(next) = &self.next {
            printer.hint(next);
        }
    }

    /// It had not settled when somebody wanted an end.
    pub(super) fn interrupt(&mut self) {
        self.status = "interrupted";
        let cause = "interrupted before it had settled".to_owned();
        self.failure = Some(Failed {
            class: FailureClass::Interrupted.as_str(),
            phase: "handshake",
            causes: vec![cause],
            exit_code: None,
            signal: None,
            stderr: Vec::new(),
        });
    }

    pub(super) fn turned_off(&mut self) {
        self.status = "disabled";
    }

    /// Adds what is odd, each once.
    pub(super) fn warn(&mut self, warnings: impl IntoIterator<Item = String>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    pub(super) fn fail(&mut self, failure: &ServerFailure) {
        self.status = failure.class.severity().state();
        self.failure = Some(self.failed(failure, Vec::new()));
        self.next = hint::connect(&self.name, self.naming, failure, &[]);
    }

    /// Its definition cannot be used.
    pub(super) fn refuse(&mut self, problems: &[Problem]) {
        self.fail(&ServerFailure::config(problems));
        self.next = Some(hint::refused(&self.name, problems));
    }

    /// It is alive, and a list of it cannot be read.
    pub(super) fn degrade(&mut self, degradation: &Degradation, stderr: Vec<String>) {
        self.status = "degraded";
        self.failure = Some(Failed::of_list(degradation, stderr));
        self.next = hint::degraded(&self.name, self.naming, degradation);
    }

    /// It was lost while a list of it was read.
    pub(super) fn lose(&mut self, failure: &ServerFailure, stderr: Vec<String>) {
        self.fail(failure);
        self.next = hint::connect(&self.name, self.naming, failure, &stderr);
        self.failure = Some(self.failed(failure, stderr));
    }

    fn failed(&self, failure: &ServerFailure, stderr: Vec<String>) -> Failed {
        let mut failed = Failed::of(failure, stderr);
        if failure.class == FailureClass::NeedsLogin {
            failed.causes = vec![hint::login_required(&self.name, self.naming)];
        }
        failed
    }

    pub(super) fn settle(&mut self, report: &Report) {
        self.elapsed_ms = Some(u64::try_from(report.elapsed.total().as_millis()).unwrap_or(u64::MAX));
        self.warn(report.warnings.iter().map(ToString::to_string));
        let seen = match &report.outcome {
            Outcome::Ready(seen) => Some(seen),
            Outcome::Degraded(seen, degradation) => {
                self.degrade(degradation, report.stderr.clone());
                Some(seen)
            }
            Outcome::Failed(failure) => {
                self.lose(failure, report.stderr.clone());
                None
            }
            other => other.ready(),
        };
        if let Some(seen) = seen {
            self.protocol = Some(seen.established.revision.to_string());
            self.tools = Some(seen.tools.len());
            self.hidden_tools = Some(seen.not_offered);
        }
        self.status = report.outcome.state();
    }

    pub(super) fn print(&self, printer: &Printer, width: usize) -> Result<(), PrintError> {
        let paint = match self.status {
            "ready" => Paint::Good,
            "failed" => Paint::Bad,
            "disabled" => Paint::Dim,
            _ => Paint::Odd,
        };
        let start = self.title().pad_to(width + 2).add(paint, self.word()).pad_to(width + 15);
        let elapsed =
            self.elapsed_ms.map(|ms| time(std::time::Duration::from_millis(ms))).unwrap_or_default();
        let start = start.plain(elapsed).pad_to(width + 25);
        printer.line(start.join(self.news()))?;
        let below = |label: &str| Line::new().plain("  ").dim(label).plain(" ");
        if let Some(failure) = &self.failure {
            for cause in failure.causes.iter().skip(1) {
                let line = below("because:").plain(cause);
                let is_path = cause.starts_with("PATH is ");
                printer.line(if is_path { fitting(line, printer) } else { line })?;
            }
            for line in &failure.stderr {
                printer.line(below("stderr:").plain(line))?;
            }
        }
        for warning in &self.warnings {
            printer.line(below("warning:").plain(warning))?;
        }
        if let Some(next) = &self.next {
            printer.line(below("next:").plain(next))?;
        }
        Ok(())
    }

    /// The rest of the first line: its tools, or the class and the cause.
    fn news(&self) -> Line {
        if let Some(failure) = &self.failure {
            let cause = failure.causes.first().map(String::as_str).unwrap_or_default();
            let ended = match (failure.exit_code, failure.signal) {
                (Some(code), _) if !cause.contains(&format!("code {code}")) => format!(" (exit code {code})"),
                (_, Some(signal)) if !cause.contains(&format!("signal {signal}")) => {
                    format!(" (signal {signal})")
                }
                _ => String::new(),
            };
            let class = if failure.class == self.word() {
                Line::new()
            } else {
                Line::new().bold(failure.class).plain(": ")
            };
            return class.plain(format!("{cause}{ended}"));
        }
        match (self.status, self.tools) {
            ("disabled", _) if self.transport == "stdio" => Line::new().dim("not started"),
            ("disabled", _) => Line::new().dim("not contacted"),
            (_, Some(1)) => Line::from("1 tool"),
            (_, Some(tools)) => Line::from(format!("{tools} tools")),
            _ => Line::new(),
        }
        .join(match self.hidden_tools {
            Some(hidden @ 1..) => Line::new().dim(format!(" ({hidden} left out)")),
            _ => Line::new(),
        })
    }
}

/// Where a terminal looks on, a search path is not worth many lines of it.
fn fitting(line: Line, printer: &Printer) -> Line {
    match printer.stdout_terminal() {
        Terminal::Columns(columns) if line.width() > usize::from(columns) => {
            line.cut_to(usize::from(columns))
        }
        _ => line,
    }
}

impl Failed {
    fn of_list(degradation: &Degradation, stderr: Vec<String>) -> Self {
        let (class, causes) = (degradation.class.as_str(), degradation.causes.clone());
        Self { class, phase: "list", causes, exit_code: None, signal: None, stderr }
    }

    fn of(failure: &ServerFailure, stderr: Vec<String>) -> Self {
        let (exit_code, signal) = match failure.end {
            Some(End::Exited(code)) => (Some(code), None),
            Some(End::Signaled(signal)) => (None, Some(signal)),
            _ => (None, None),
        };
        Self {
            class: failure.class.as_str(),
            phase: failure.phase.as_str(),
            causes: failure.causes.clone(),
            exit_code,
            signal,
            stderr,
        }
    }
}
