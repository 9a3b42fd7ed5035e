//! Calls that are looked at by one task after another, by several threads, or no more.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use codewhale_mcp_client::{Client, Options};
use serde_json::json;
use tokio::task::{JoinSet, yield_now};

use crate::server::{Server, text};

/// Looks once.
async fn look<T>(future: &mut Pin<Box<impl Future<Output = T> + ?Sized>>) -> Poll<T> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}

async fn call(client: Client) -> bool {
    client.call_tool("x", &json!({})).send().await.is_ok()
}

#[tokio::test(start_paused = true)]
async fn a_call_that_changes_its_task_gets_its_answer() {
    let (client, mut server) = Server::connected("2025-11-25", Options::default()).await;
    for is_answered_first in [true, false] {
        let mut calling = Box::pin(call(client.clone()));
        assert!(look(&mut calling).await.is_pending());
        let request = server.asked("tools/call").await;
        let calling = if is_answered_first {
            server.answer(&request, text("ok")).await;
            tokio::spawn(calling)
        } else {
            let calling = tokio::spawn(calling);
            // The other task has looked when nothing but time could go on.
            tokio::time::sleep(Duration::from_millis(1)).await;
            server.answer(&request, text("ok")).await;
            calling
        };
        assert!(calling.await.expect("the task ends"), "{is_answered_first}");
    }
}

/// Answers whatever has come, all at once.
async fn answer_together(mut server: Server) {
    loop {
        let mut answers = String::new();
        let mut line = Some(server.next_line().await);
        while let Some(request) = line {
            let request: serde_json::Value = serde_json::from_str(&request).expect("the client writes JSON");
            if request["id"].is_u64() {
                let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": text("ok")});
                answers += &format!("{answer}\n");
            }
            let mut next = Box::pin(server.next_line());
            line = match look(&mut next).await {
                Poll::Ready(line) => Some(line),
                Poll::Pending => None,
            };
        }
        server.write(answers.as_bytes()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_of_several_threads_are_answered_whoever_leaves_meanwhile() {
    let (client, server) = Server::connected("2025-11-25", Options::default()).await;
    let answering = tokio::spawn(answer_together(server));
    let mut callers = JoinSet::new();
    for number in 0..400 {
        let client = client.clone();
        callers.spawn(async move {
            for round in 0..20 {
                let mut calling = Box::pin(call(client.clone()));
                // Some leave, each after some more looks.
                for _ in 0..(number + round) % 7 {
                    if look(&mut calling).await.is_ready() {
                        break;
                    }
                    yield_now().await;
                }
                drop(calling);
                assert!(call(client.clone()).await);
            }
        });
    }
    let all = async { while callers.join_next().await.transpose().expect("no caller panics").is_some() {} };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("every call is answered");
    answering.abort();
}
