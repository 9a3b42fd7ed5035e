//! The harness itself, tried on the fake server.

use codewhale_e2e::{MARKER, TestEnvironment, run};

const OPEN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

fn call(name: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
    ) + "\n"
}

/// Runs the fake through the harness with a call on its stdin.
fn fake(trial: &TestEnvironment, mode: &str, input: &str) -> codewhale_e2e::Run {
    let line = trial.fake(mode);
    run(trial.command(line[0].as_ref(), &line[1..]), input)
}

#[test]
fn a_run_keeps_output_errors_and_exit_code() {
    let trial = TestEnvironment::new();
    let run = fake(&trial, "plain", &(OPEN.to_owned() + &call("exit", r#"{"code":7}"#)));
    assert_eq!(run.code, Some(7), "{run}");
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
    let run = fake(&trial, "die-on-start --stderr boom --code 3", "");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(3), "", "boom\n"));
}

#[test]
fn a_run_sees_its_trial_and_nothing_else() {
    let trial = TestEnvironment::new().with("OF_THE_TEST", "yes").with("GONE", "x").without("GONE");
    let value = |name: &str| {
        let input = OPEN.to_owned() + &call("env", &format!(r#"{{"name":"{name}"}}"#));
        fake(&trial, "plain", &input).stdout
    };
    assert!(value("OF_THE_TEST").contains(r#""text":"yes""#));
    assert!(value("HOME").contains(trial.home().to_str().unwrap()));
    assert!(value("TMPDIR").contains(trial.root().join("temp").to_str().unwrap()));
    assert!(value("CODEWHALE_HOME").contains(trial.codewhale_home().to_str().unwrap()));
    for absent in ["CARGO_MANIFEST_DIR", "GONE", "XDG_CONFIG_HOME"] {
        assert!(value(absent).contains("is not set"), "{absent}");
    }
    let run = fake(&trial, "plain", &(OPEN.to_owned() + &call("args", "{}")));
    let workspace = trial.workspace().canonicalize().unwrap();
    assert!(run.stdout.contains(workspace.file_name().unwrap().to_str().unwrap()), "{run}");
}

#[test]
fn trials_share_nothing() {
    let (one, other) = (TestEnvironment::new(), TestEnvironment::new());
    assert_ne!(one.marker(), other.marker());
    assert_ne!(one.root(), other.root());
    let file = one.write("home/.codewhale/mcp.json", "{}");
    assert_eq!(file, one.codewhale_home().join("mcp.json"));
    assert!(!other.codewhale_home().join("mcp.json").exists());
}

#[test]
fn the_environment_of_a_trial_carries_its_marker() {
    let trial = TestEnvironment::new();
    let run = fake(&trial, "plain", &(OPEN.to_owned() + &call("env", &format!(r#"{{"name":"{MARKER}"}}"#))));
    assert!(run.stdout.contains(trial.marker()), "{run}");
}

#[cfg(target_os = "linux")]
mod processes {
    use super::*;
    use codewhale_e2e::{end_survivors, survivors, wait_until_none_survive};
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn a_process_that_outlives_its_parent_is_found_and_ended() {
        let trial = TestEnvironment::new();
        let run = fake(&trial, "grandchild --detached", "");
        let pid: u32 = run.stderr.trim().strip_prefix("grandchild ").unwrap().parse().unwrap();
        let left = survivors(trial.marker());
        assert_eq!(left.len(), 1, "{left:?}");
        assert!(left[0].pid == pid && left[0].command.ends_with("linger"), "{left:?}");
        assert!(survivors("another-trial").is_empty());
        let still = wait_until_none_survive(trial.marker(), Duration::ZERO);
        assert_eq!(still.unwrap_err(), left);
        end_survivors(trial.marker());
        wait_until_none_survive(trial.marker(), PATIENCE).unwrap();
    }

    /// The tests once more, from a shell that has them ignore what asks them to end.
    #[test]
    fn a_trial_ignores_none_where_the_tests_do() {
        let trial = TestEnvironment::new();
        let tests = std::env::current_exe().unwrap();
        let script = r#"trap "" HUP INT QUIT TERM; exec "$0" --exact "$1""#;
        let inner = "harness::processes::a_trial_ignores_no_signal_that_asks_it_to_end";
        let run = run(trial.command("/bin/sh".as_ref(), ["-c", script, tests.to_str().unwrap(), inner]), "");
        assert_eq!(run.code, Some(0), "{run}");
        assert!(run.stdout.contains("1 passed"), "{run}");
    }

    #[test]
    fn a_trial_ignores_no_signal_that_asks_it_to_end() {
        let trial = TestEnvironment::new();
        let status = run(trial.command("/bin/cat".as_ref(), ["/proc/self/status"]), "").stdout;
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).unwrap();
        let ignored = u64::from_str_radix(ignored, 16).unwrap();
        // 1, 2, 3 and 15.
        assert_eq!(ignored & 0x4007, 0, "{ignored:x}");
    }

    #[test]
    fn a_zombie_counts_as_gone() {
        let trial = TestEnvironment::new();
        let line = trial.fake("die-on-start");
        // Not reaped until the end of this test.
        let mut child = trial.command(line[0].as_ref(), &line[1..]).spawn().unwrap();
        wait_until_none_survive(trial.marker(), PATIENCE).unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn the_end_of_a_trial_ends_its_processes() {
        let trial = TestEnvironment::new();
        let marker = trial.marker().to_owned();
        fake(&trial, "grandchild --ignore-term --detached", "");
        assert!(!survivors(&marker).is_empty());
        drop(trial);
        wait_until_none_survive(&marker, PATIENCE).unwrap();
    }
}
