//! The scenarios, each with one stopwatch around what is measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use codewhale_bench_bare::{Arguments, Outcome, Stopwatch};
use rmcp::model::{CallToolRequestParams, JsonObject};
use tokio::task::JoinSet;

use crate::Done;
use crate::open::{Client, open};

pub(crate) async fn one_after_another(arguments: &Arguments) -> Done<Outcome> {
    let client = open(arguments).await?;
    let text = arguments.text();
    for _ in 0..arguments.warmup {
        call(&client, params(&text), text.len()).await?;
    }
    let mut each = Vec::with_capacity(arguments.n);
    let watch = Stopwatch::start();
    for _ in 0..arguments.n {
        let params = params(&text);
        let begin = Instant::now();
        call(&client, params, text.len()).await?;
        each.push(begin.elapsed());
    }
    Ok(watch.stop().calls(each))
}

pub(crate) async fn in_flight(arguments: &Arguments) -> Done<Outcome> {
    let client = Arc::new(open(arguments).await?);
    let text: Arc<str> = arguments.text().into();
    for _ in 0..arguments.warmup {
        call(&client, params(&text), text.len()).await?;
    }
    let taken = Arc::new(AtomicUsize::new(0));
    let n = arguments.n;
    let watch = Stopwatch::start();
    let mut tasks = JoinSet::new();
    for _ in 0..arguments.inflight.min(n) {
        let (client, text, taken) = (Arc::clone(&client), Arc::clone(&text), Arc::clone(&taken));
        tasks.spawn(async move {
            while taken.fetch_add(1, Ordering::Relaxed) < n {
                call(&client, params(&text), text.len()).await?;
            }
            Done::Ok(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(watch.stop())
}

pub(crate) async fn connect(arguments: &Arguments) -> Done<Outcome> {
    let watch = Stopwatch::start();
    let mut tasks = JoinSet::new();
    for _ in 0..arguments.servers {
        let arguments = arguments.clone();
        tasks.spawn(async move {
            let client = open(&arguments).await?;
            let count = client.list_all_tools().await?.len();
            Done::Ok((client, count))
        });
    }
    let (mut clients, mut tools) = (Vec::with_capacity(arguments.servers), 0);
    while let Some(done) = tasks.join_next().await {
        let (client, count) = done??;
        clients.push(client);
        tools += count;
    }
    Ok(watch.stop().tools(tools))
}

pub(crate) async fn list(arguments: &Arguments) -> Done<Outcome> {
    let client = open(arguments).await?;
    let watch = Stopwatch::start();
    let tools = client.list_all_tools().await?;
    Ok(watch.stop().tools(tools.len()))
}

fn params(text: &str) -> CallToolRequestParams {
    let mut arguments = JsonObject::new();
    arguments.insert("text".into(), text.into());
    CallToolRequestParams::new("echo").with_arguments(arguments)
}

/// Through the peer, since the service around it would copy the arguments once more.
async fn call(client: &Client, params: CallToolRequestParams, length: usize) -> Done<()> {
    let result = client.peer().call_tool(params).await?;
    let text = result.content.first().and_then(|content| content.as_text());
    if text.map(|text| text.text.len()) == Some(length) { Ok(()) } else { Err("it is not the text".into()) }
}
