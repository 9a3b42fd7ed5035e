//! `shell`: output, exit, time, cancellation, environment; nothing of a command is left.

use std::ffi::OsString;
use std::time::Duration;

use codewhale_mcp_process::Guard;
use codewhale_native::{Fault, Heard, Ran, RunCommand, Shell, environment};
use rustix::process::{Pid, test_kill_process};
use tokio::time::timeout;

use crate::fixture::Fixture;

/// Longer than anything takes on a machine that is busy.
const OUTER: Duration = Duration::from_secs(60);

fn shell() -> Shell {
    let whole = [("PATH", "/usr/bin:/bin"), ("SECRET_TOKEN", "hush"), ("EXTRA", "given")];
    let whole = whole.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Shell::new(environment(&whole, &["EXTRA".to_owned()]), Guard::none())
}

fn asked(command: &str) -> RunCommand {
    RunCommand { command: command.to_owned(), ..RunCommand::default() }
}

async fn run(fixture: &Fixture, asked: &RunCommand) -> Result<Ran, Fault> {
    timeout(OUTER, shell().run(&fixture.workspace, asked, |_| {})).await.expect("it ends by itself")
}

#[tokio::test]
async fn output_and_exit_are_told() {
    let fixture = Fixture::new();
    fixture.file("sub/file", "");
    let ran = run(&fixture, &asked("echo out; echo err >&2; echo more; cat; exit 3")).await.unwrap();
    assert_eq!((ran.output.as_str(), ran.exit_code, ran.timed_out), ("out\nerr\nmore\n", Some(3), false));
    let here = RunCommand { directory: Some("sub".to_owned()), ..asked("ls; pwd") };
    let ran = run(&fixture, &here).await.unwrap();
    let root = fixture.workspace.root().join("sub");
    assert_eq!(ran.output, format!("file\n{}\n", root.display()));
    let ran = run(&fixture, &asked("kill -9 $$")).await.unwrap();
    assert_eq!((ran.exit_code, ran.signal), (None, Some(9)));
    let ran = run(&fixture, &asked("if")).await.unwrap();
    assert!(ran.exit_code.is_some_and(|code| code != 0) && !ran.output.is_empty(), "{ran:?}");
}

#[tokio::test]
async fn a_command_gets_no_secrets() {
    let fixture = Fixture::new();
    let ran =
        run(&fixture, &asked("env; cat /proc/self/environ 2>/dev/null | tr '\\0' '\\n'")).await.unwrap();
    assert!(!ran.output.contains("hush") && ran.output.contains("EXTRA=given"), "{}", ran.output);
}

#[tokio::test]
async fn a_long_output_is_cut_in_the_middle() {
    let fixture = Fixture::new();
    let ran = run(&fixture, &asked("i=0; while [ $i -lt 30000 ]; do echo line $i; i=$((i+1)); done"))
        .await
        .unwrap();
    assert!(ran.output.starts_with("line 0\nline 1\n") && ran.output.ends_with("line 29999\n"));
    assert!(ran.output.len() < 70_000 && ran.omitted_bytes.is_some_and(|bytes| bytes > 200_000));
}

#[tokio::test]
async fn progress_is_told_while_it_runs() {
    let fixture = Fixture::new();
    let (tell, mut told) = tokio::sync::mpsc::channel::<Heard>(16);
    let (shell, command) = (shell(), asked("echo first; cat go; echo last"));
    // The command waits at a FIFO until we have heard of its first line.
    let fifo = fixture.root().join("go");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    let work = shell.run(&fixture.workspace, &command, |heard| drop(tell.try_send(heard)));
    let meanwhile = async {
        let heard = told.recv().await.unwrap();
        assert_eq!((heard.last_line.as_str(), heard.bytes), ("first", 6));
        tokio::task::spawn_blocking(move || std::fs::write(fifo, "between\n")).await.unwrap().unwrap();
    };
    let (ran, ()) = timeout(OUTER, async { tokio::join!(work, meanwhile) }).await.unwrap();
    assert_eq!(ran.unwrap().output, "first\nbetween\nlast\n");
}

#[tokio::test]
async fn the_end_of_output_is_no_progress() {
    let fixture = Fixture::new();
    let mut told = Vec::new();
    let (shell, command) = (shell(), asked("echo one; sleep 0.2; exec >&- 2>&-; sleep 0.2"));
    shell.run(&fixture.workspace, &command, |heard| told.push(heard.bytes)).await.unwrap();
    assert_eq!(told, [4]);
}

#[tokio::test]
async fn a_command_that_cannot_start_says_why() {
    let fixture = Fixture::new();
    let environment = [("PATH", "/usr/bin:/bin".to_owned()), ("BIG", "x".repeat(8 << 20))];
    let environment = environment.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let shell = Shell::new(environment.into(), Guard::none());
    let told = shell.run(&fixture.workspace, &asked("true"), |_| {}).await.unwrap_err().to_string();
    assert!(told.contains("Argument list too long"), "{told}");
}

/// The number of the process that a command wrote into `pid`, once it is there.
async fn pid_in(fixture: &Fixture) -> Pid {
    let file = fixture.root().join("pid");
    let number = timeout(OUTER, async {
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(number) = text.strip_suffix('\n').and_then(|text| text.parse().ok()) {
                return number;
            }
            tokio::task::yield_now().await;
        }
    });
    Pid::from_raw(number.await.expect("it is written soon")).expect("a number above 0")
}

/// Waits until nobody has this number, or somebody dead who was not collected yet.
async fn gone(pid: Pid) {
    let alive = || {
        let stat =
            std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
        let dead = stat.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('Z'));
        test_kill_process(pid).is_ok() && !dead
    };
    timeout(OUTER, async {
        while alive() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("it ends");
}

#[tokio::test]
async fn a_command_that_takes_too_long_ends_with_its_children() {
    let fixture = Fixture::new();
    let slow = RunCommand {
        timeout_seconds: Some(1),
        ..asked(
            "trap '' TERM; echo begun; sh -c 'trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done' & wait",
        )
    };
    let ran = run(&fixture, &slow).await.unwrap();
    assert_eq!((ran.timed_out, ran.exit_code, ran.output.as_str()), (true, None, "begun\n"));
    gone(pid_in(&fixture).await).await;
}

#[tokio::test]
async fn what_a_command_leaves_running_ends_with_it() {
    let fixture = Fixture::new();
    let ran = run(
        &fixture,
        &asked("(sh -c 'echo $$ > pid; exec sleep 600' &); until [ -s pid ]; do :; done; echo done"),
    )
    .await
    .unwrap();
    assert_eq!((ran.output.as_str(), ran.exit_code), ("done\n", Some(0)));
    gone(pid_in(&fixture).await).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_ends_its_command() {
    let fixture = Fixture::new();
    let (shell, command) = (shell(), asked("sh -c 'echo $$ > pid; exec sleep 600'"));
    let pid = tokio::select! {
        ran = shell.run(&fixture.workspace, &command, |_| {}) => panic!("it goes on: {ran:?}"),
        pid = pid_in(&fixture) => pid,
    };
    timeout(OUTER, shell.end()).await.expect("nothing is left soon");
    gone(pid).await;
    let after = shell.run(&fixture.workspace, &asked("echo"), |_| {}).await;
    assert!(matches!(after, Err(Fault::Cancelled)), "{after:?}");
}

#[tokio::test]
async fn arguments_that_make_no_sense_are_told() {
    let fixture = Fixture::new();
    let check = async |asked: RunCommand, expected: &str| {
        let told = run(&fixture, &asked).await.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    };
    check(asked("  "), "`command`: it is empty").await;
    check(asked("a\0b"), "none of them NUL").await;
    check(RunCommand { timeout_seconds: Some(0), ..asked("ls") }, "from 1 to 3600").await;
    check(RunCommand { directory: Some("..".to_owned()), ..asked("ls") }, "outside of the workspace").await;
    check(RunCommand { directory: Some("nothing".to_owned()), ..asked("ls") }, "there is no `nothing`").await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_began_a_session_of_its_own_ends_with_its_command_too() {
    let fixture = Fixture::new();
    // That this guard is none is no matter: what it guards is marked all the same.
    let guard = Guard::new(codewhale_mcp_process::Launch::new("/no/such/guard"));
    let shell = Shell::new(vec![("PATH".into(), "/usr/bin:/bin".into())], guard);
    for (what, trap) in [("leaves when told to", ""), ("does not", "trap \"\" TERM; ")] {
        let _ = std::fs::remove_file(fixture.root().join("pid"));
        let stray = format!("setsid -f sh -c '{trap}echo $$ > pid; while :; do sleep 1; done' >&- 2>&-");
        let command = asked(&format!("{stray}; until [ -s pid ]; do :; done; echo done"));
        let ran = timeout(OUTER, shell.run(&fixture.workspace, &command, |_| {})).await.expect("it ends");
        assert_eq!(ran.unwrap().output, "done\n", "{what}");
        gone(pid_in(&fixture).await).await;
    }
}

#[tokio::test]
async fn so_many_commands_run_at_one_time_and_no_more() {
    let (shell, command) = (shell(), asked("sleep 600"));
    let fixture = std::sync::Arc::new(Fixture::new());
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (shell, command, fixture) = (shell.clone(), command.clone(), fixture.clone());
        running.spawn(async move { shell.run(&fixture.workspace, &command, |_| {}).await.map(drop) });
    }
    // In this runtime of one thread each of them has begun before this goes on.
    tokio::task::yield_now().await;
    let refused = shell.run(&fixture.workspace, &asked("echo"), |_| {}).await.unwrap_err().to_string();
    assert!(refused.starts_with("16 commands are running"), "{refused}");
    running.abort_all();
    while running.join_next().await.is_some() {}
    let one = async {
        loop {
            match shell.run(&fixture.workspace, &asked("echo again"), |_| {}).await {
                Err(Fault::TooManyCommands { .. }) => tokio::task::yield_now().await,
                ran => return ran,
            }
        }
    };
    assert_eq!(timeout(OUTER, one).await.expect("there is room again").unwrap().output, "again\n");
    timeout(OUTER, shell.end()).await.expect("nothing is left soon");
}
