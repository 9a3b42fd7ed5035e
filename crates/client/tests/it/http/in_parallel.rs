//! Many threads at once, on a server that forgets its sessions again and again.

use std::time::Duration;

use codewhale_mcp_client::{CallError, Client, ExchangeFault, Options};
use serde_json::json;
use tokio::time::timeout;

use super::web::{Got, Web, text};

const CALLERS: usize = 32;
const CALLS: usize = 40;

/// A server that forgets its session at every so many calls.
struct Forgetful {
    session: u32,
    calls: u32,
}

impl Forgetful {
    fn serve(&mut self, got: Got) {
        let session = format!("s-{}", self.session);
        match (got.verb, got.method()) {
            ("GET", _) => drop(got.events()),
            (_, "initialize") => {
                self.session += 1;
                let session = format!("s-{}", self.session);
                got.result_in_session(&session, json!({"protocolVersion": "2025-11-25", "capabilities": {}}));
            }
            (_, "tools/call") => {
                self.calls += 1;
                match got.header("mcp-session-id") == Some(&session) {
                    true if self.calls.is_multiple_of(50) => {
                        self.session += 1;
                        got.empty(404);
                    }
                    true => got.result(text("ok")),
                    false => got.empty(404),
                }
            }
            _ => got.empty(202),
        }
    }
}

/// Calls so many times, and gives every seventh call up; how many had a result.
async fn caller(client: Client) -> usize {
    let (arguments, mut done) = (json!({}), 0);
    for call in 0..CALLS {
        let calling = client.call_tool("x", &arguments).send();
        let result = if call % 7 == 6 {
            tokio::select! {
                biased;
                result = calling => result,
                () = tokio::task::yield_now() => continue,
            }
        } else {
            calling.await
        };
        match result {
            Ok(_) => done += 1,
            // Twice in a row is told.
            Err(CallError::Exchange { fault, .. })
                if *fault == ExchangeFault::SessionLost { renewal: None } => {}
            Err(other) => panic!("{other}"),
        }
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_on_many_threads_find_their_way_into_each_new_session() {
    let (client, mut web) = Web::connected("2025-11-25", Options::default()).await;
    let callers: Vec<_> = (0..CALLERS).map(|_| tokio::spawn(caller(client.clone()))).collect();
    let serving = tokio::spawn(async move {
        let mut server = Forgetful { session: 1, calls: 0 };
        while let Some(got) = web.next().await {
            server.serve(got);
        }
        server
    });
    let all = timeout(Duration::from_secs(120), async {
        let mut done = 0;
        for caller in callers {
            done += caller.await.expect("the task ends");
        }
        client.close().await;
        drop(client);
        (done, serving.await.expect("the task ends"))
    });
    let (done, server) = all.await.expect("nothing hangs");
    assert!(done > CALLERS * CALLS / 2, "{done} of {}", CALLERS * CALLS);
    assert!(server.session > 10, "{} sessions", server.session);
}
