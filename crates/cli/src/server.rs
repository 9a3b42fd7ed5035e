//! From a target on the command line to a connected server, or to words about why not.

use std::time::Duration;

use codewhale_mcp_client::Options;
use codewhale_mcp_manager::{Class, Connected, Failure, Guard, Launch, connect};
use codewhale_mcp_redact::safe_line;
use serde_json::{Value, json};

use crate::args::Target;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::run::GUARD_VERB;
use crate::world::World;

/// How many lines of standard error are shown.
const LINES_SHOWN: usize = 20;

/// What a target stands for: what to start, and how long it may take.
pub(crate) struct Start {
    launch: Launch,
    guard: Guard,
    options: Options,
}

impl Start {
    pub(crate) fn new(target: &Target, world: &World<'_>) -> Result<Self, String> {
        let words = shell_words::split(&target.stdio).map_err(|error| format!("--stdio: {error}"))?;
        let (program, args) = words.split_first().ok_or("--stdio is empty")?;
        let launch = Launch {
            args: args.iter().map(Into::into).collect(),
            env: world.environment.clone(),
            cwd: world.cwd.clone(),
            ..Launch::new(program)
        };
        let mut options = Options::default();
        if let Some(seconds) = target.connect_timeout {
            options.connect_timeout = self::seconds("--connect-timeout", seconds)?;
        }
        let guard = match &world.program {
            Some(program) => Guard::new(Launch { args: vec![GUARD_VERB.into()], ..Launch::new(program) }),
            None => Guard::none(),
        };
        Ok(Self { launch, guard, options })
    }

    pub(crate) async fn connect(self) -> Result<Connected, Failure> {
        connect(self.launch, self.guard, self.options).await
    }
}

/// A positive number of seconds.
pub(crate) fn seconds(flag: &str, seconds: f64) -> Result<Duration, String> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(format!("{flag} must be a positive number of seconds")),
    }
}

/// Says why a server cannot be used.
pub(crate) fn report(failure: &Failure, target: &Target, printer: &mut Printer<'_>) -> Exit {
    if target.json {
        printer.json(&failure_json(failure));
    }
    printer.error(&failure.message);
    let skipped = failure.stderr.len().saturating_sub(LINES_SHOWN);
    for line in &failure.stderr[skipped..] {
        printer.note(format_args!("  stderr: {line}"));
    }
    if let Some(hint) = hint(failure.class) {
        printer.hint(hint);
    }
    if failure.class == Class::TimedOut { Exit::TimedOut } else { Exit::Failed }
}

fn failure_json(failure: &Failure) -> Value {
    let stderr: Vec<_> = failure.stderr.iter().map(|line| safe_line(line)).collect();
    json!({
        "status": "failed",
        "class": failure.class.as_str(),
        "error": safe_line(&failure.message),
        "end": failure.end.as_ref().map(ToString::to_string),
        "stderr": stderr,
        "elapsed_ms": milliseconds(failure.elapsed),
    })
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn hint(class: Class) -> Option<&'static str> {
    match class {
        Class::CommandNotFound => Some("install the program, or give its whole path"),
        Class::NotExecutable => Some("name the program itself; a script needs the execute permission"),
        Class::Exited => Some("run the command by hand to see what it needs"),
        Class::TimedOut => Some("give it longer with --connect-timeout"),
        _ => None,
    }
}
