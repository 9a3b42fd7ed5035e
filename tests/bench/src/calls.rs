//! Calls one after another, and many in flight, by whoever makes them.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use codewhale_bench_bare::{Arguments, Outcome, Stopwatch};
use codewhale_mcp_client::{CallError, Client};
use codewhale_mcp_protocol::CallToolResult;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::Done;

/// Who makes calls.
pub trait Caller: Clone + Send + Sync + 'static {
    /// What a call ends with that fails.
    type Error: Error + Send + Sync + 'static;

    /// Calls the tool `echo`.
    fn echo<'a>(
        &'a self,
        arguments: &'a Value,
    ) -> impl Future<Output = Result<CallToolResult, Self::Error>> + Send;
}

impl Caller for Client {
    type Error = CallError;

    fn echo<'a>(
        &'a self,
        arguments: &'a Value,
    ) -> impl Future<Output = Result<CallToolResult, CallError>> + Send {
        self.call_tool("echo", arguments).send()
    }
}

/// One call after another.
///
/// # Errors
/// The first call that fails, or whose text is not the one that was sent.
pub async fn one_after_another(caller: impl Caller, arguments: &Arguments) -> Done<Outcome> {
    let (text, length) = text(arguments);
    for _ in 0..arguments.warmup {
        call(&caller, &text, length).await?;
    }
    let mut each = Vec::with_capacity(arguments.n);
    let watch = Stopwatch::start();
    for _ in 0..arguments.n {
        let begin = Instant::now();
        call(&caller, &text, length).await?;
        each.push(begin.elapsed());
    }
    Ok(watch.stop().calls(each))
}

/// So many calls in flight all the time. One alone needs no task, and nothing but the calls is done then: this is what
/// instructions are counted of.
///
/// # Errors
/// The first call that fails, or whose text is not the one that was sent.
pub async fn in_flight(caller: impl Caller, arguments: &Arguments) -> Done<Outcome> {
    let (text, length) = text(arguments);
    let text = Arc::new(text);
    for _ in 0..arguments.warmup {
        call(&caller, &text, length).await?;
    }
    let n = arguments.n;
    if arguments.inflight == 1 {
        let watch = Stopwatch::start();
        for _ in 0..n {
            call(&caller, &text, length).await?;
        }
        return Ok(watch.stop());
    }
    let taken = Arc::new(AtomicUsize::new(0));
    let watch = Stopwatch::start();
    let mut tasks = JoinSet::new();
    for _ in 0..arguments.inflight.min(n) {
        let (caller, text, taken) = (caller.clone(), Arc::clone(&text), Arc::clone(&taken));
        tasks.spawn(async move {
            while taken.fetch_add(1, Ordering::Relaxed) < n {
                call(&caller, &text, length).await?;
            }
            Done::Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(watch.stop())
}

/// The arguments of every call, and how long the text in them is.
fn text(arguments: &Arguments) -> (Value, usize) {
    let text = arguments.text();
    let length = text.len();
    (json!({ "text": text }), length)
}

async fn call(caller: &impl Caller, arguments: &Value, length: usize) -> Done<()> {
    let result = caller.echo(arguments).await?;
    let text = result.content.first().and_then(|content| content.text.as_ref());
    if text.map(String::len) == Some(length) { Ok(()) } else { Err("it is not the text".into()) }
}
