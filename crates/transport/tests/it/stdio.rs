//! A process for each link.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_transport::stdio::{Guard, Ladder, Launch, Pipes, SpawnError, StdioConnector};
use codewhale_mcp_transport::{Connector, End, Link, OpenError, Outlet, Way};

use crate::harness::{Open, soon};

const PIPES: [Pipes; 2] = [Pipes::Native, Pipes::Portable];

fn connector(script: &str, pipes: Pipes) -> StdioConnector {
    let launch = Launch {
        args: vec!["-c".into(), script.into()],
        env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        ..Launch::new("sh")
    };
    StdioConnector::new(launch, Guard::none()).pipes(pipes)
}

#[tokio::test]
async fn each_link_is_a_process_of_its_own() {
    for pipes in PIPES {
        let connector = connector("echo $$; exec cat", pipes);
        let (mut one, mut other) = (Open::from(&connector).await, Open::from(&connector).await);
        assert_ne!(one.line().await, other.line().await);
        for link in [&mut one, &mut other] {
            link.say("back and forth\n").await;
            assert_eq!(link.line().await, "back and forth\n");
            drop(link.outlet.take());
            assert_eq!(soon(link.peer.stop()).await, End::Exited(0));
            assert_eq!(soon(link.peer.gone()).await, End::Exited(0));
            assert_eq!(link.line().await, "");
        }
    }
}

#[tokio::test]
async fn the_outlet_is_what_the_pipes_are() {
    for pipes in PIPES {
        let Link::Lines(lines) = connector("read x", pipes).open(Way::First).await.unwrap() else {
            panic!("lines")
        };
        assert_eq!(matches!(lines.outlet, Outlet::Pipe(_)), pipes == Pipes::Native);
        drop(lines.outlet);
        soon(lines.peer.stop()).await;
    }
}

#[tokio::test]
async fn an_early_exit_comes_with_its_last_words() {
    for pipes in PIPES {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let sink = Arc::new(move |line: &str| log.lock().unwrap().push(line.to_owned()));
        let mut open = Open::from(&connector("echo boom >&2; exit 3", pipes).stderr(sink)).await;
        assert_eq!(open.line().await, "");
        assert_eq!(soon(open.peer.gone()).await, End::Exited(3));
        assert_eq!(open.peer.last_words(), ["boom"]);
        assert_eq!(*seen.lock().unwrap(), ["boom"]);
    }
}

#[tokio::test]
async fn a_stop_goes_down_the_connectors_ladder() {
    for pipes in PIPES {
        let ladder = Ladder { stdin_wait: Duration::ZERO, term_wait: Duration::ZERO };
        let script = "trap '' TERM; echo ready; while :; do sleep 600; done";
        let mut open = Open::from(&connector(script, pipes).ladder(ladder)).await;
        assert_eq!(open.line().await, "ready\n");
        drop(open.outlet.take());
        let both = async { tokio::join!(open.peer.stop(), open.peer.stop()) };
        assert_eq!(soon(both).await, (End::Signaled(9), End::Signaled(9)));
    }
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_why() {
    let connector = StdioConnector::new(Launch::new("/no/such/server"), Guard::none());
    let error = connector.open(Way::First).await.unwrap_err();
    assert!(matches!(&error, OpenError::Spawn(SpawnError::ProgramNotFound { .. })), "{error:?}");
    assert_eq!(error.to_string(), "program \"/no/such/server\" not found at \"/no/such/server\"");
}
