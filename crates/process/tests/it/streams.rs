//! What a process is given: arguments, environment, working directory, streams.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use codewhale_mcp_process::{Exit, Ladder, Launch, Setup};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{PATH, PIPES, Server, launch, shell, soon, with};

#[tokio::test]
async fn arguments_arrive_as_they_are() {
    let arguments = ["", "two words", "$HOME", "*", "a'b\"c\\", "line\nbreak", ";exit 9", "--"];
    for pipes in PIPES {
        let mut all = vec!["-c", "printf '%s|' \"$@\"", "sh"];
        all.extend(arguments);
        let mut server = Server::start(&launch("sh", &all), &with(pipes));
        assert_eq!(server.rest().await, format!("{}|", arguments.join("|")));
        assert_eq!(server.exited().await, Exit::Exited(0));
    }
}

#[tokio::test]
async fn the_environment_is_the_given_one_and_nothing_else() {
    for pipes in PIPES {
        let env = [("PATH", PATH), ("EMPTY", ""), ("TWICE", "first"), ("TWICE", "last"), ("A B", "c=d")];
        let launch = Launch {
            env: env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            ..Launch::new("env")
        };
        let mut server = Server::start(&launch, &with(pipes));
        let rest = server.rest().await;
        let mut seen: Vec<&str> = rest.lines().collect();
        seen.sort_unstable();
        assert_eq!(seen, ["A B=c=d", "EMPTY=", &format!("PATH={PATH}"), "TWICE=last"]);
    }
}

#[tokio::test]
async fn the_program_sees_the_name_it_was_called_by() {
    let mut server = Server::start(
        &launch("sh", &["-c", "cat /proc/$$/cmdline 2>/dev/null || printf sh"]),
        &Setup::default(),
    );
    assert_eq!(server.rest().await.split('\0').next(), Some("sh"));
}

#[tokio::test]
async fn it_runs_in_its_working_directory_and_a_relative_program_counts_from_there() {
    let directory = tempfile::tempdir().unwrap();
    let place = fs::canonicalize(directory.path()).unwrap();
    fs::create_dir(place.join("a dir")).unwrap();
    let program = place.join("a dir/the server");
    fs::write(&program, "#!/bin/sh\npwd -P\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for pipes in PIPES {
        let launch = Launch { cwd: Some(place.clone()), ..launch("a dir/the server", &[]) };
        let mut server = Server::start(&launch, &with(pipes));
        assert_eq!(server.rest().await, format!("{}\n", place.display()));
        assert_eq!(server.exited().await, Exit::Exited(0));
    }
}

#[tokio::test]
async fn much_goes_through_both_ways_at_once() {
    let much = vec![b'x'; 4 << 20];
    for pipes in PIPES {
        let mut server = Server::start(&shell("exec cat"), &with(pipes));
        let mut stdin = server.stdin.take().unwrap();
        let mut back = Vec::new();
        let write = async {
            stdin.write_all(&much).await.unwrap();
            stdin.shutdown().await.unwrap();
            drop(stdin);
        };
        soon(async { tokio::join!(write, server.stdout.read_to_end(&mut back)) }).await.1.unwrap();
        assert!(back == much, "{} bytes came back", back.len());
        assert_eq!(server.exited().await, Exit::Exited(0));
        assert_eq!(soon(server.process.stop(Ladder::default())).await, Exit::Exited(0));
    }
}

#[tokio::test]
async fn the_childs_ends_are_blocking() {
    if cfg!(target_os = "linux") {
        for pipes in PIPES {
            let script = "for fd in 0 1 2; do grep flags /proc/$$/fdinfo/$fd; done";
            let mut server = Server::start(&shell(script), &with(pipes));
            let flags = server.rest().await;
            assert_eq!(flags.lines().count(), 3);
            for line in flags.lines() {
                let mode = i64::from_str_radix(line.rsplit(char::is_whitespace).next().unwrap(), 8).unwrap();
                assert_eq!(mode & 0o4000, 0, "{line}");
            }
        }
    }
}
