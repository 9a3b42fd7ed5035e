//! How a log ends, whatever becomes of the run.

use std::time::Duration;

use codewhale_mcp_manager::Logs;
use serde_json::json;

use crate::world::{World, fake, run, server};

fn told(logs: &Logs) -> Vec<String> {
    let lines = logs.tail("s", 100).unwrap();
    lines.iter().filter_map(|line| Some(line.split_once("codewhale: ")?.1.to_owned())).collect()
}

fn check(lines: &[String], starts: &[&str]) {
    let fits =
        lines.len() == starts.len() && lines.iter().zip(starts).all(|(line, start)| line.starts_with(start));
    assert!(fits, "{lines:?}");
}

const AT_THE_END: &str = "stopped at the end of the run: the server ";

#[test]
fn a_call_that_is_given_up_closes_the_log() {
    let world = World::new();
    run(async {
        let connection = world.manager.connect(&fake("s", &["hang-call"], json!({}))).await.connection;
        let arguments = json!({});
        let connection = connection.expect("it is alive");
        let call = connection.client().call_tool("echo", &arguments);
        call.timeout(Duration::from_millis(10)).send().await.unwrap_err();
        drop(connection);
        world.manager.shutdown().await;
    });
    check(&told(world.manager.logs()), &["ready after", AT_THE_END]);
}

#[test]
fn an_attempt_that_is_given_up_closes_the_log() {
    let world = World::new();
    let script = format!("echo here >&2; exec {} hang", codewhale_testkit::fake().display());
    let server = server("s", &json!({"command": "sh", "args": ["-c", script]}));
    run(async {
        let attempt = world.manager.connect(&server);
        let mut log = world.manager.logs().follow("s", 10);
        tokio::select! {
            attempt = attempt => panic!("{attempt:?}"),
            lines = log.next() => assert!(lines.unwrap()[0].ends_with("stderr: here")),
        }
        world.manager.shutdown().await;
    });
    check(&told(world.manager.logs()), &[AT_THE_END]);
}

#[test]
fn what_ended_before_is_told_once() {
    for (args, expected) in [
        (&["plain"][..], &["ready after", "stopped: the server exited"][..]),
        (&["die-on-start", "--code", "3"], &["failed after"]),
    ] {
        let world = World::new();
        run(async {
            if let Some(connection) = world.manager.connect(&fake("s", args, json!({}))).await.connection {
                connection.close().await;
            }
            world.manager.shutdown().await;
        });
        check(&told(world.manager.logs()), expected);
    }
}
