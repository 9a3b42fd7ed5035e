//! What a server says while it works.

use codewhale_mcp_client::{CallError, Client, Event, Events};
use codewhale_mcp_protocol::{ElicitationCompleteParams, LoggingLevel, MessageParams, method};

use crate::answers::Answers;
use crate::content::cut;
use crate::print::{Line, Paint, Printer, Waiting, bytes};

/// The most bytes of a log message that are shown.
const MESSAGE: usize = 8 * 1024;

/// Asks for log messages from a level on, if one is asked for. A server that does not offer that says what it likes.
pub(super) async fn ask_for_messages(
    client: &Client,
    level: Option<impl Into<LoggingLevel>>,
    printer: &Printer,
) -> Result<(), CallError> {
    let Some(level) = level else { return Ok(()) };
    match client.set_log_level(level.into()).await {
        Err(CallError::ServerLacks { .. }) => {
            printer.warn("the server does not let anybody choose which log messages it sends");
            Ok(())
        }
        other => other,
    }
}

/// Does work, and tells meanwhile what the server says.
/// Where nothing is heard, `what` is waited for.
pub(super) async fn while_heard<T>(
    client: &Client,
    answers: &Answers,
    what: &str,
    work: impl Future<Output = T>,
) -> T {
    let mut events = client.events();
    let waiting = Waiting::beside(answers.progress());
    let mut work = std::pin::pin!(waiting.on(what, work));
    let result = loop {
        tokio::select! {
            biased;
            event = events.next() => match event {
                Some(event) => tell(&event, answers),
                None => break work.await,
            },
            result = &mut work => break result,
        }
    };
    last_words(&mut events, answers);
    result
}

/// What was said just before the answer.
fn last_words(events: &mut Events, answers: &Answers) {
    while let Some(event) = events.ready() {
        tell(&event, answers);
    }
}

fn tell(event: &Event, answers: &Answers) {
    match event {
        Event::Message(message) => {
            let progress = answers.progress();
            progress.note(told(message, |text| progress.said(text)));
        }
        Event::Notification { method, params } if **method == *method::ELICITATION_COMPLETE => {
            let id = params.as_ref().and_then(|params| params.decode::<ElicitationCompleteParams>().ok());
            if id.is_some_and(|params| answers.is_over(&params.elicitation_id)) {
                answers.progress().note(Line::from("the server says that what you did there is done"));
            }
        }
        _ => {}
    }
}

/// A log message of the server, as a line, after `hide` took out of it what must not be seen.
fn told(message: &MessageParams, hide: impl Fn(&str) -> String) -> Line {
    let paint = match message.level.as_str() {
        "debug" | "info" | "notice" => Paint::Dim,
        "warning" => Paint::Odd,
        _ => Paint::Bad,
    };
    let logger = message.logger.as_deref().map(|logger| format!(" {logger}")).unwrap_or_default();
    let data = message
        .data
        .as_ref()
        .map(|data| data.decode::<String>().unwrap_or_else(|_| data.as_str().to_owned()));
    let data = hide(&data.unwrap_or_default());
    let (start, left) = cut(&data, MESSAGE);
    let line = Line::new().add(paint, format!("[{}{logger}]", message.level)).plain(" ").plain(start);
    if left > 0 { line.dim(format!(" (cut, {} in all)", bytes(data.len() as u64))) } else { line }
}
