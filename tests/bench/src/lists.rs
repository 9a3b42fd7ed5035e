//! Every tool of one server, and of many at once.

use codewhale_bench_bare::{Arguments, Outcome, Stopwatch};
use tokio::task::JoinSet;

use crate::Done;
use crate::open::open;

pub(crate) async fn of_one(arguments: &Arguments) -> Done<Outcome> {
    let client = open(arguments).await?;
    let watch = Stopwatch::start();
    let tools = client.list_tools().await?.items;
    Ok(watch.stop().tools(tools.len()))
}

pub(crate) async fn of_many(arguments: &Arguments) -> Done<Outcome> {
    let watch = Stopwatch::start();
    let mut tasks = JoinSet::new();
    for _ in 0..arguments.servers {
        let arguments = arguments.clone();
        tasks.spawn(async move {
            let client = open(&arguments).await?;
            let count = client.list_tools().await?.items.len();
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
