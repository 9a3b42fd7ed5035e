//! How processes leave: by themselves, down the ladder, with and without their descendants.

use std::time::Duration;

use codewhale_mcp_process::{Exit, Ladder, Launch, Setup, spawn};

use crate::harness::{DEADLINE, PIPES, Server, shell, soon, with};

/// A step that is never waited out.
const PATIENT: Duration = Duration::from_secs(3600);
const BRIEFLY: Duration = Duration::from_millis(20);

#[tokio::test]
async fn the_ladder_ends_where_the_process_leaves() {
    struct Case {
        name: &'static str,
        /// Says `ready` when it is.
        script: &'static str,
        ladder: Ladder,
        exit: Exit,
    }
    let cases = [
        Case {
            name: "leaves when stdin closes",
            script: "echo ready; read x; exit 5",
            ladder: Ladder { stdin_wait: PATIENT, term_wait: PATIENT },
            exit: Exit::Exited(5),
        },
        Case {
            name: "leaves when asked to",
            script: "echo ready; exec sleep 600",
            ladder: Ladder { stdin_wait: BRIEFLY, term_wait: PATIENT },
            exit: Exit::Signaled(15),
        },
        Case {
            name: "leaves in good order when asked to",
            script: "trap 'exit 6' TERM; echo ready; while :; do sleep 1; done",
            ladder: Ladder { stdin_wait: BRIEFLY, term_wait: PATIENT },
            exit: Exit::Exited(6),
        },
        Case {
            name: "ignores the request",
            script: "trap '' TERM; echo ready; while :; do sleep 600; done",
            ladder: Ladder { stdin_wait: BRIEFLY, term_wait: BRIEFLY },
            exit: Exit::Signaled(9),
        },
        Case {
            name: "leaves a descendant behind",
            script: "sleep 600 & echo ready; read x; exit 0",
            ladder: Ladder { stdin_wait: PATIENT, term_wait: PATIENT },
            exit: Exit::Exited(0),
        },
        Case {
            name: "leaves a descendant behind that ignores the request",
            script: "(trap '' TERM; echo ready; exec sleep 600) & read x; exit 0",
            ladder: Ladder { stdin_wait: PATIENT, term_wait: BRIEFLY },
            exit: Exit::Exited(0),
        },
    ];
    for Case { name, script, ladder, exit } in cases {
        for pipes in PIPES {
            let mut server = Server::start(&shell(script), &with(pipes));
            assert_eq!(server.line().await, "ready\n", "{name}");
            drop(server.stdin.take());
            assert_eq!(soon(server.process.stop(ladder)).await, exit, "{name} {pipes:?}");
            assert!(server.group_is_empty(), "{name} {pipes:?}");
            assert_eq!(server.rest().await, "", "{name}: nobody holds its output");
        }
    }
}

#[tokio::test]
async fn an_early_exit_is_seen_at_once() {
    for pipes in PIPES {
        let mut server = Server::start(&shell("echo boom >&2; exit 3"), &with(pipes));
        assert_eq!(server.exited().await, Exit::Exited(3));
        assert_eq!(server.process.exit(), Some(Exit::Exited(3)));
        assert_eq!(server.process.last_lines(), ["boom"]);
        assert_eq!(server.rest().await, "");
    }
}

#[tokio::test]
async fn descendants_of_a_leader_that_left_are_not_left_alone() {
    for pipes in PIPES {
        // Nobody asks for a stop. The output ends when its last holder does.
        let mut server = Server::start(&shell("sleep 600 & exit 4"), &with(pipes));
        assert_eq!(server.exited().await, Exit::Exited(4));
        assert_eq!(server.rest().await, "");
    }
}

#[tokio::test]
async fn a_descendant_that_ignores_the_request_is_ended_without_anybody_asking() {
    let script = "(trap '' TERM; echo ready; exec sleep 600) & read x; exit 4";
    let mut server = Server::start(&shell(script), &Setup::default());
    assert_eq!(server.line().await, "ready\n");
    server.say("\n").await;
    assert_eq!(server.exited().await, Exit::Exited(4));
    assert_eq!(server.rest().await, "");
}

#[tokio::test]
async fn a_stop_may_be_asked_for_often_and_at_the_same_time() {
    for pipes in PIPES {
        let mut server = Server::start(&shell("echo ready; exec sleep 600"), &with(pipes));
        assert_eq!(server.line().await, "ready\n");
        let first = Ladder { stdin_wait: Duration::ZERO, term_wait: PATIENT };
        let late = Ladder { stdin_wait: PATIENT, term_wait: PATIENT };
        let process = server.process.clone();
        let all = async {
            tokio::join!(process.stop(first), process.stop(late), process.exited(), server.process.stop(late))
        };
        let exit = Exit::Signaled(15);
        assert_eq!(soon(all).await, (exit.clone(), exit.clone(), exit.clone(), exit.clone()));
        assert_eq!(soon(server.process.stop(late)).await, exit);
    }
}

#[tokio::test]
async fn a_dropped_process_is_stopped_in_the_background() {
    for pipes in PIPES {
        let Server { stdin, stdout, process } =
            Server::start(&shell("sleep 600 & read x; echo bye"), &with(pipes));
        drop((stdin, process));
        let mut server =
            Server { stdin: None, stdout, process: spawn(&shell(":"), &with(pipes)).unwrap().process };
        assert_eq!(server.rest().await, "bye\n", "it left in good order, and its descendant too");
        server.exited().await;
    }
}

#[test]
fn a_runtime_that_goes_takes_its_processes_along() {
    for pipes in PIPES {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut server = runtime
            .block_on(async { Server::start(&shell("trap '' TERM; echo ready; sleep 600"), &with(pipes)) });
        assert_eq!(runtime.block_on(server.line()), "ready\n");
        let process = server.process.clone();
        drop(runtime);
        #[cfg(target_os = "linux")]
        crate::harness::wait_until_ended(crate::harness::pid(process.pid()));
        let elsewhere = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let told = elsewhere.block_on(async { tokio::time::timeout(DEADLINE, process.exited()).await });
        assert!(matches!(told, Ok(Exit::Unknown(_))));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_come_and_go_at_once() {
    let launch: Launch = shell("read x; exit 8");
    let servers = (0..100).map(|number| {
        let (launch, pipes) = (launch.clone(), PIPES[number % 2]);
        tokio::spawn(async move {
            let mut server = Server::start(&launch, &with(pipes));
            drop(server.stdin.take());
            assert_eq!(server.process.stop(Ladder::default()).await, Exit::Exited(8));
            assert!(server.group_is_empty());
        })
    });
    for server in servers.collect::<Vec<_>>() {
        soon(server).await.unwrap();
    }
}
