//! The guard, with real kills. Each test here is also the program of the processes it needs: it starts this
//! binary again with a role in the environment.

use std::fs;
use std::io::Write;
use std::time::Duration;

use codewhale_mcp_process::{Exit, Guard, Ladder, Launch, Reach, SPAWN_VARIABLE, Setup, guard};
use rustix::process::{Pid, Signal, getpid, kill_process};
use tokio::io::AsyncReadExt;

use crate::harness::{PATH, Server, launch, pid, shell, soon, wait_until_ended};

const ROLE: &str = "PROCESS_TEST_ROLE";
/// Its value names one trial; all its processes carry it.
const TRIAL: &str = "PROCESS_TEST_TRIAL";

#[expect(
    clippy::disallowed_methods,
    reason = "a test that starts itself again is told so by its environment"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// This binary again, in `test`, with a role to play there.
fn again(test: &str, role: &str, trial: &str) -> Launch {
    let program = std::env::current_exe().unwrap();
    let mut launch = launch(program, &[&format!("guard::{test}"), "--exact", "--nocapture", "--quiet"]);
    launch.env.extend([(ROLE.into(), role.into()), (TRIAL.into(), trial.into())]);
    launch
}

/// Plays the role this process was started for, if it was.
fn play(test: &str, parent: impl AsyncFnOnce(Guard, String)) -> bool {
    match variable(ROLE).as_deref() {
        None => return false,
        Some("guard") => {
            guard::serve(std::io::stdin());
            let apart = leads_a_session(getpid()) || parents_group_is_outside();
            say(&format!("apart={apart}"));
        }
        Some(_) => {
            let trial = variable(TRIAL).unwrap();
            block_on(parent(Guard::new(again(test, "guard", &trial)), trial));
        }
    }
    true
}

/// Not `rustix`'s `getsid`, which panics where a session's leader lies outside of this process-number namespace and
/// has no number in it.
fn leads_a_session(process: Pid) -> bool {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    nix::unistd::getsid(Some(process)) == Ok(process)
}

/// Whether the parent's group has no number in this process-number namespace, so that a group's leader has none to
/// join on its way to a session of its own.
fn parents_group_is_outside() -> bool {
    nix::unistd::getpgid(Some(nix::unistd::getppid())) == Ok(nix::unistd::Pid::from_raw(0))
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn say(text: &str) {
    let mut stdout = std::io::stdout();
    stdout.write_all(format!("@{text}\n").as_bytes()).unwrap();
}

/// What a role said next.
async fn heard(server: &mut Server) -> String {
    loop {
        let line = server.line().await;
        assert!(line.ends_with('\n'), "it ended early: {:?}", server.process.last_lines());
        if let Some((_, said)) = line.trim_end().split_once('@') {
            return said.to_owned();
        }
    }
}

/// Live processes that carry a trial's name.
fn carriers(trial: &str) -> Vec<Pid> {
    let entry = format!("{TRIAL}={trial}");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let carrying = processes.filter(|process| {
        fs::read(process.path().join("environ")).is_ok_and(|environment| {
            environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
        })
    });
    carrying.filter_map(|process| Pid::from_raw(process.file_name().to_str()?.parse().ok()?)).collect()
}

/// Waits for the end of each process of a trial, the guard among them.
fn wait_until_nobody_carries(trial: &str) {
    loop {
        let found = carriers(trial);
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(wait_until_ended);
    }
}

fn trial(name: &str) -> String {
    format!("{name}-{}", std::process::id())
}

fn guarded(guard: &Guard) -> Setup {
    Setup { guard: guard.clone(), ..Setup::default() }
}

fn carrying(trial: &str, script: &str) -> Launch {
    let mut launch = shell(script);
    launch.env.push((TRIAL.into(), trial.into()));
    launch
}

#[test]
fn a_killed_program_leaves_none_of_its_servers() {
    const TEST: &str = "a_killed_program_leaves_none_of_its_servers";
    let scripts = [
        "echo ready; exec sleep 600",
        "trap '' TERM; echo ready; while :; do sleep 600; done",
        "(trap '' TERM; exec sleep 600) & echo ready; wait",
        "(trap '' TERM; echo ready; exec sleep 600) & read x; exit 0",
    ];
    let parent = async |guard: Guard, trial: String| {
        let mut servers = Vec::new();
        for script in scripts {
            let mut server = Server::start(&carrying(&trial, script), &guarded(&guard));
            assert_eq!(server.line().await, "ready\n");
            servers.push(server);
        }
        // The leader of the last one has gone, what it left behind has not.
        servers.last_mut().unwrap().say("\n").await;
        servers.last().unwrap().exited().await;
        say("up");
        std::future::pending().await
    };
    if play(TEST, parent) {
        return;
    }
    let trial = trial("killed");
    block_on(async {
        let mut parent = Server::start(&again(TEST, "parent", &trial), &Setup::default());
        assert_eq!(heard(&mut parent).await, "up");
        assert!(carriers(&trial).len() > scripts.len());
        kill_process(pid(parent.process.pid()), Signal::KILL).unwrap();
        assert_eq!(parent.exited().await, Exit::Signaled(9));
    });
    wait_until_nobody_carries(&trial);
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_program_takes_along_who_left_a_group_only_where_that_was_asked_for() {
    const TEST: &str = "a_killed_program_takes_along_who_left_a_group_only_where_that_was_asked_for";
    // Each says its number, in a session of its own.
    let stray = "setsid -f sh -c 'trap \"\" TERM; echo $$; exec sleep 600'; read x";
    let parent = async |guard: Guard, trial: String| {
        let mut servers = Vec::new();
        for reach in [Reach::Marked, Reach::Group] {
            let setup = Setup { reach, ..guarded(&guard) };
            let mut server = Server::start(&carrying(&trial, stray), &setup);
            say(server.line().await.trim_end());
            servers.push(server);
        }
        std::future::pending().await
    };
    if play(TEST, parent) {
        return;
    }
    let trial = trial("strays");
    let spared = block_on(async {
        let mut parent = Server::start(&again(TEST, "parent", &trial), &Setup::default());
        let taken = pid(heard(&mut parent).await.parse().unwrap());
        let spared = pid(heard(&mut parent).await.parse().unwrap());
        kill_process(pid(parent.process.pid()), Signal::KILL).unwrap();
        assert_eq!(parent.exited().await, Exit::Signaled(9));
        wait_until_ended(taken);
        spared
    });
    // The guard has come to its end when only that one is left.
    while carriers(&trial) != [spared] {
        std::thread::yield_now();
    }
    kill_process(spared, Signal::KILL).unwrap();
    wait_until_nobody_carries(&trial);
}

#[test]
fn a_kill_at_any_moment_of_a_start_leaves_nothing() {
    const TEST: &str = "a_kill_at_any_moment_of_a_start_leaves_nothing";
    let parent = async |guard: Guard, trial: String| {
        let mut servers = Vec::new();
        loop {
            say("starting");
            servers.push(Server::start(&carrying(&trial, "exec sleep 600"), &guarded(&guard)));
            if servers.len() == 20 {
                std::future::pending::<()>().await;
            }
        }
    };
    if play(TEST, parent) {
        return;
    }
    for starts in 1..=16 {
        let trial = trial(&format!("moment{starts}"));
        block_on(async {
            let mut parent = Server::start(&again(TEST, "parent", &trial), &Setup::default());
            for _ in 0..starts {
                assert_eq!(heard(&mut parent).await, "starting");
            }
            kill_process(pid(parent.process.pid()), Signal::KILL).unwrap();
            assert_eq!(parent.exited().await, Exit::Signaled(9));
        });
        wait_until_nobody_carries(&trial);
    }
}

#[test]
fn an_open_intent_is_found_by_its_token_and_a_closed_one_is_left_alone() {
    const TEST: &str = "an_open_intent_is_found_by_its_token_and_a_closed_one_is_left_alone";
    if play(TEST, async |_, _| ()) {
        return;
    }
    let with_token = |token: &str, script: &str| {
        let mut launch = shell(script);
        launch.env.push((SPAWN_VARIABLE.into(), token.into()));
        Server::start(&launch, &Setup::default())
    };
    block_on(async {
        let trial = trial("intent");
        let tokens = ["open", "stubborn", "failed", "gone"].map(|name| format!("{trial}-{name}"));
        let mut guard = Server::start(&again(TEST, "guard", &trial), &Setup::default());
        let mut open = with_token(&tokens[0], "echo ready; exec sleep 600");
        let mut stubborn = with_token(&tokens[1], "trap '' TERM; echo ready; while :; do sleep 600; done");
        let mut failed = with_token(&tokens[2], "echo ready; exec sleep 600");
        let mut gone = with_token(&tokens[3], "echo ready; exec sleep 600");
        for server in [&mut open, &mut stubborn, &mut failed, &mut gone] {
            assert_eq!(server.line().await, "ready\n");
        }
        for token in &tokens {
            guard.say(&format!("intent {token}\n")).await;
        }
        let group = gone.process.pid();
        let [_, _, failed_token, gone_token] = &tokens;
        guard
            .say(&format!("failed {failed_token}\nnonsense\ngroup {group} {gone_token}\ngone {group}\n"))
            .await;
        drop(guard.stdin.take());

        assert_eq!(open.exited().await, Exit::Signaled(15));
        assert_eq!(stubborn.exited().await, Exit::Signaled(9));
        assert_eq!(heard(&mut guard).await, "apart=true");
        assert_eq!(guard.exited().await, Exit::Exited(0));
        for server in [&failed, &gone] {
            assert_eq!(server.process.exit(), None);
            soon(server.process.stop(Ladder { stdin_wait: Duration::ZERO, ..Ladder::default() })).await;
        }
    });
}

#[test]
fn a_guard_does_not_leave_when_asked_to() {
    const TEST: &str = "a_guard_does_not_leave_when_asked_to";
    let parent = async |guard: Guard, trial: String| {
        let mut server = Server::start(&carrying(&trial, "echo ready; exec sleep 600"), &guarded(&guard));
        assert_eq!(server.line().await, "ready\n");
        say(&guard.pid().unwrap().to_string());
        std::future::pending().await
    };
    if play(TEST, parent) {
        return;
    }
    let trial = trial("asked");
    block_on(async {
        let mut parent = Server::start(&again(TEST, "parent", &trial), &Setup::default());
        let guard = pid(heard(&mut parent).await.parse().unwrap());
        // It listens to nobody once it stands apart, which its session shows.
        while !leads_a_session(guard) {
            tokio::task::yield_now().await;
        }
        for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
            kill_process(guard, signal).unwrap();
        }
        kill_process(pid(parent.process.pid()), Signal::KILL).unwrap();
        parent.exited().await;
    });
    wait_until_nobody_carries(&trial);
}

#[test]
fn a_dead_guard_is_replaced_and_the_new_one_knows_everything() {
    const TEST: &str = "a_dead_guard_is_replaced_and_the_new_one_knows_everything";
    let parent = async |guard: Guard, trial: String| {
        let mut before = Server::start(&carrying(&trial, "echo ready; exec sleep 600"), &guarded(&guard));
        assert_eq!(before.line().await, "ready\n");
        let first = pid(guard.pid().unwrap());
        kill_process(first, Signal::KILL).unwrap();
        wait_until_ended(first);
        let mut after = Server::start(&carrying(&trial, "echo ready; exec sleep 600"), &guarded(&guard));
        assert_eq!(after.line().await, "ready\n");
        assert_eq!(guard.problem(), None);
        assert_ne!(pid(guard.pid().unwrap()), first);
        say("up");
        std::future::pending().await
    };
    if play(TEST, parent) {
        return;
    }
    let trial = trial("dead");
    block_on(async {
        let mut parent = Server::start(&again(TEST, "parent", &trial), &Setup::default());
        assert_eq!(heard(&mut parent).await, "up");
        kill_process(pid(parent.process.pid()), Signal::KILL).unwrap();
        parent.exited().await;
    });
    wait_until_nobody_carries(&trial);
}

#[test]
fn an_orderly_end_leaves_neither_guard_nor_zombie() {
    const TEST: &str = "an_orderly_end_leaves_neither_guard_nor_zombie";
    if play(TEST, async |_, _| ()) {
        return;
    }
    block_on(async {
        let guard = Guard::new(again(TEST, "guard", &trial("orderly")));
        assert_eq!(guard.pid(), None, "it is started beside the first server");
        let mut server = Server::start(&launch("env", &[]), &guarded(&guard));
        let started = pid(guard.pid().unwrap());
        let environment = server.rest().await;
        let mut seen: Vec<&str> = environment.lines().filter_map(|line| line.split('=').next()).collect();
        seen.sort_unstable();
        assert_eq!(seen, [SPAWN_VARIABLE, "PATH"]);
        assert!(environment.contains(&format!("PATH={PATH}\n")));
        server.exited().await;

        let mut second = Server::start(&shell("read x"), &guarded(&guard));
        assert_eq!(guard.pid().map(pid), Some(started), "one guard for all");
        drop(second.stdin.take());
        soon(second.process.stop(Ladder::default())).await;
        soon(guard.close()).await;
        assert_eq!(guard.pid(), None);
        assert!(!fs::exists(format!("/proc/{}", started.as_raw_nonzero())).unwrap());
    });
}

#[test]
fn a_guard_that_cannot_be_started_stops_no_server() {
    block_on(async {
        let guard = Guard::new(Launch::new("/no/such/guard"));
        let mut server = Server::start(&shell("echo still here"), &guarded(&guard));
        let mut output = String::new();
        soon(server.stdout.read_to_string(&mut output)).await.unwrap();
        assert_eq!(output, "still here\n");
        assert!(guard.problem().unwrap().contains("/no/such/guard"));
        server.exited().await;
        soon(server.process.stop(Ladder::default())).await;
    });
}

#[test]
fn a_group_is_under_guard_until_its_last_member_has_left() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let listener =
        Launch { args: ["-c", "cat >\"$0\"", heard.to_str().unwrap()].map(Into::into).into(), ..shell("") };
    let group = block_on(async {
        let guard = Guard::new(listener);
        let script = "(trap '' TERM; echo ready; exec sleep 600) & read x; exit 0";
        let mut server = Server::start(&shell(script), &guarded(&guard));
        assert_eq!(server.line().await, "ready\n");
        server.say("\n").await;
        assert_eq!(server.exited().await, Exit::Exited(0));
        let short = Duration::from_millis(10);
        soon(server.process.stop(Ladder { stdin_wait: short, term_wait: short })).await;
        soon(guard.close()).await;
        server.process.pid()
    });
    let heard = fs::read_to_string(heard).unwrap();
    let orders: Vec<&str> = heard.lines().collect();
    let token = orders[0].strip_prefix("intent ").expect("an intent comes first");
    assert_eq!(orders[1..], [format!("group {group} {token}"), format!("gone {group}")]);
}
