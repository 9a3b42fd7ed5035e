//! What holds for the manager's checks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codewhale_mcp_client::CallError;
use codewhale_mcp_config::{McpFile, Merged, Scope, Server, Source};
use codewhale_mcp_manager::{End, Failure, FailureClass, Outcome, Report, Severity, Standing, Target};
use serde_json::{Value, json};

use crate::world::{World, fake, run, server};

/// What a report comes to, in a line: state, class, exit, number of tools.
fn short(report: &Report) -> String {
    let state = report.outcome.state();
    match &report.outcome {
        Outcome::Ready(ready) => format!("{state} {}", ready.tools.len()),
        Outcome::Degraded(ready, fault) => format!("{state} {} {}", ready.tools.len(), fault.class.as_str()),
        Outcome::Failed(failure) => {
            let (class, phase) = (failure.class.as_str(), failure.phase.as_str());
            match &failure.end {
                Some(End::Exited(code)) => format!("{state} {class} {phase} {code}"),
                Some(other) => format!("{state} {class} {phase} {other:?}"),
                None => format!("{state} {class} {phase}"),
            }
        }
        _ => unreachable!(),
    }
}

fn table() -> Vec<(Server, &'static str)> {
    let none = || json!({});
    let hurried = || json!({"connect_timeout": 2});
    let shell = |script: &str| json!({"command": "sh", "args": ["-c", script]});
    vec![
        (fake("good", &["plain"], none()), "ready 16"),
        (fake("modern", &["plain", "--era", "modern"], none()), "ready 16"),
        (fake("exit-on-unknown", &["exit-on-unknown"], none()), "ready 16"),
        (fake("ignores-probe", &["ignore-probe"], json!({"connect_timeout": 4})), "ready 16"),
        (fake("junk", &["junk-first"], none()), "ready 16"),
        (fake("paged", &["paged"], none()), "ready 150"),
        (fake("bad-schemas", &["bad-schemas"], none()), "ready 10"),
        (fake("deaf", &["ignore-term"], none()), "ready 16"),
        (fake("stderr-flood", &["stderr-flood"], none()), "ready 16"),
        (
            fake(
                "filtered",
                &["plain"],
                json!({"enabled_tools": ["echo", "add"], "disabled_tools": ["add"]}),
            ),
            "ready 1",
        ),
        (fake("empty", &["empty-list"], none()), "degraded 0 list_empty"),
        (fake("slow-list", &["slow-list", "--delay", "60000"], hurried()), "degraded 0 list_timed_out"),
        (
            fake("slow-page", &["slow-list", "--delay", "60000"], json!({"read_timeout": 2})),
            "degraded 0 list_timed_out",
        ),
        (fake("page-error", &["page-error"], none()), "degraded 0 list_failed"),
        (fake("endless", &["endless-cursor"], none()), "degraded 0 list_endless"),
        (fake("hang", &["hang"], hurried()), "failed timed_out handshake"),
        (fake("hang-no-read", &["hang-no-read"], hurried()), "failed timed_out handshake"),
        (fake("version", &["wrong-version"], none()), "failed handshake_failed handshake"),
        (fake("closes", &["close-stdout", "--at", "start"], none()), "failed closed handshake"),
        (
            server("fatal", &shell("echo 'FATAL: MY_TOKEN is not set' >&2; exit 3")),
            "failed exited handshake 3",
        ),
        (server("killed", &shell("kill -9 $$")), "failed exited handshake Signaled(9)"),
        (server("dies-in-list", &shell(&dies_in_list())), "failed exited list 7"),
        (server("missing", &json!({"command": "no-such-program-here"})), "failed command_not_found spawn"),
        (server("directory", &json!({"command": "/tmp"})), "failed not_executable spawn"),
        (server("cwd", &json!({"command": "sh", "cwd": "/no/such/place"})), "failed bad_cwd spawn"),
        (server("remote", &json!({"url": "http://127.0.0.1:1/mcp"})), "failed unreachable reach"),
    ]
}

/// A server that shakes hands and leaves when its tools are asked for.
fn dies_in_list() -> String {
    let ready = json!({"jsonrpc": "2.0", "id": 1, "result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}});
    format!("read line; echo '{ready}'; read line; exit 7")
}

#[test]
fn every_kind_of_server_settles_as_what_it_is_and_none_waits_for_another() {
    let world = World::new();
    let table = table();
    let expected: BTreeMap<String, &str> =
        table.iter().map(|(server, row)| (server.name.clone(), *row)).collect();
    let reports = run(async {
        let mut checks =
            world.manager.check_all(table.into_iter().map(|(server, _)| server.into()).collect());
        let mut reports = Vec::new();
        while let Some(report) = checks.next().await {
            reports.push(report);
        }
        world.manager.shutdown().await;
        reports
    });
    let found: BTreeMap<String, String> =
        reports.iter().map(|report| (report.server.clone(), short(report))).collect();
    let told: BTreeMap<&str, &str> = found.iter().map(|(name, row)| (name.as_str(), row.as_str())).collect();
    let expected: BTreeMap<&str, &str> = expected.iter().map(|(name, row)| (name.as_str(), *row)).collect();
    assert_eq!(told, expected, "{reports:#?}");

    let report = |name: &str| reports.iter().find(|report| report.server == name).unwrap();
    assert_eq!(report("fatal").stderr, ["FATAL: MY_TOKEN is not set"]);
    assert_eq!(report("exit-on-unknown").starts, 2);
    let Outcome::Failed(missing) = &report("missing").outcome else { panic!("a failure") };
    let workspace = world.workspace().display().to_string();
    for part in ["\"no-such-program-here\" not found on PATH", "PATH is /usr/bin:/bin", &workspace] {
        assert!(missing.to_string().contains(part), "{part}: {missing}");
    }
    let Outcome::Ready(filtered) = &report("filtered").outcome else { panic!("ready") };
    assert_eq!((filtered.tools[0].name.as_str(), filtered.not_offered), ("echo", 15));
    let warnings: Vec<String> = report("bad-schemas").warnings.iter().map(ToString::to_string).collect();
    for (tool, reason) in
        [("missing", "no inputSchema"), ("string_root", "\"string\""), ("any_of", "does not say")]
    {
        let named = |line: &String| line.contains(&format!("`{tool}`")) && line.contains(reason);
        assert!(warnings.iter().any(named), "{tool}: {warnings:?}");
    }
    assert!(!warnings.iter().any(|line| line.contains("no_properties")), "{warnings:?}");
}

#[test]
fn a_good_server_is_told_of_while_a_hung_one_still_hangs() {
    let world = World::new();
    run(async {
        let targets =
            vec![fake("hung", &["hang"], json!({})).into(), fake("good", &["plain"], json!({})).into()];
        let mut checks = world.manager.check_all(targets);
        assert_eq!(checks.next().await.unwrap().server, "good");
        let start = Instant::now();
        world.manager.shutdown().await;
        assert!(start.elapsed() < Duration::from_secs(10));
        let hung = checks.next().await.unwrap();
        assert_eq!(short(&hung), "failed interrupted handshake");
        assert!(checks.next().await.is_none());
    });
}

#[test]
fn every_process_is_gone_when_the_checks_end_and_when_they_are_dropped_and_shut_down() {
    let world = World::new();
    let record = world.file("record");
    let record = record.to_str().unwrap();
    let servers = || -> Vec<Target> {
        let modes = [["hang", "--record"], ["ignore-term", "--record"], ["hang-no-read", "--record"]];
        let fakes = modes
            .iter()
            .map(|[mode, flag]| fake(mode, &[mode, flag, record], json!({"connect_timeout": 0.3})));
        fakes.map(Target::from).collect()
    };
    run(async {
        let mut checks = world.manager.check_all(servers());
        while checks.next().await.is_some() {}
        let (left, started) = living(&world);
        assert!(left.is_empty() && started > 0, "{left:?} of {started}");
        let mut checks = world.manager.check_all(servers());
        checks.next().await.unwrap();
        drop(checks);
        world.manager.shutdown().await;
        let (left, _) = living(&world);
        assert!(left.is_empty(), "{left:?}");
    });
}

/// Which of the recorded processes are there, and how many there were.
fn living(world: &World) -> (Vec<String>, usize) {
    let record = world.read("record");
    let pids: Vec<String> =
        record.lines().filter_map(|line| line.strip_prefix("start ")).map(str::to_owned).collect();
    let count = pids.len();
    (pids.into_iter().filter(|pid| std::path::Path::new("/proc").join(pid).exists()).collect(), count)
}

#[test]
fn what_cannot_be_tried_is_told_of_like_the_rest() {
    let world = World::new();
    let text = r#"{"servers": {"v": {"command": "${MY_VAR}"}, "c": {"command": "x", "url": "https://y"}}}"#;
    let merged = Merged::new(vec![McpFile::parse(text, &Source::label("test", Scope::Flag)).unwrap()]);
    let mut targets: Vec<Target> = merged
        .servers
        .iter()
        .map(|entry| {
            let problems = entry.resolve(&|_: &str| None, &world.workspace()).unwrap_err();
            Target::failed(entry.entry.name.clone(), Failure::config(&problems))
        })
        .collect();
    targets.push(Target::failed("t", Failure::untrusted(Standing::Changed)));
    let rows = run(async {
        let mut checks = world.manager.check_all(targets);
        let mut rows = BTreeMap::new();
        while let Some(report) = checks.next().await {
            rows.insert(report.server.clone(), (short(&report), report.outcome.severity(), report));
        }
        rows
    });
    assert_eq!(rows["v"].0, "failed missing_variable config");
    assert!(format!("{:?}", rows["v"].2).contains("MY_VAR"));
    assert_eq!(rows["c"].0, "failed config config");
    assert_eq!((rows["t"].0.as_str(), rows["t"].1), ("blocked untrusted trust", Severity::Blocked));
}

#[test]
fn a_server_gets_the_callers_environment_its_own_on_top_and_the_workspace_to_run_in() {
    let world = World::new();
    let server =
        fake("s", &["echo-args", "a b", "$HOME"], json!({"env": {"OVERRIDDEN": "mine", "NEW": "added"}}));
    run(async {
        let attempt = world.manager.connect(&server).await;
        let connection = attempt.connection.expect("it is alive");
        for (name, value) in [("INHERITED", "from the caller"), ("OVERRIDDEN", "mine"), ("NEW", "added")] {
            let result = connection.client().call_tool("env", &json!({"name": name})).send().await.unwrap();
            assert_eq!(result.content[0].text.as_deref(), Some(value));
        }
        let result = connection.client().call_tool("args", &json!({})).send().await.unwrap();
        let told: Value = result.structured_content.unwrap().decode().unwrap();
        assert_eq!(told["args"], json!(["echo-args", "a b", "$HOME"]));
        assert_eq!(told["cwd"], json!(world.workspace().canonicalize().unwrap()));
        connection.close().await;
        world.manager.shutdown().await;
    });
}

#[test]
fn a_connection_that_is_still_held_ends_with_the_shutdown() {
    let world = World::new();
    run(async {
        let attempt = world.manager.connect(&fake("s", &["hang-call"], json!({}))).await;
        let connection = attempt.connection.expect("it is alive");
        let arguments = json!({});
        let call = connection.client().call_tool("echo", &arguments).timeout(Duration::from_secs(600));
        let (called, ()) = tokio::join!(call.send(), world.manager.shutdown());
        assert!(matches!(called, Err(CallError::ClosedHere)), "{called:?}");
        assert!(connection.client().gone().is_some());
        let late = world.manager.connect(&fake("s", &["plain"], json!({}))).await;
        assert_eq!(short(&late.report), "failed interrupted handshake");
    });
}

#[test]
fn what_a_server_says_is_in_its_log_without_its_secrets() {
    let world = World::new();
    let script = format!(
        r#"echo "token is $API_TOKEN" >&2; printf '\033[2Jstarting\n' >&2; exec {} junk-first --count 2"#,
        codewhale_testkit::fake().display()
    );
    let definition = json!({"command": "sh", "args": ["-c", script], "env": {"API_TOKEN": "s3cr3t-s3cr3t"}});
    run(async {
        let attempt = world.manager.connect(&server("chatty", &definition)).await;
        let connection = attempt.connection.expect("it is alive");
        connection.client().call_tool("log", &json!({"n": 1, "level": "warning"})).send().await.unwrap();
        assert_eq!(connection.stderr(), ["token is REDACTED", "\\u{1b}[2Jstarting"]);
        connection.close().await;
        world.manager.shutdown().await;
    });
    let log = world.manager.logs().tail("chatty", 100).unwrap().join("\n");
    for part in [
        "stderr: token is REDACTED",
        "stderr: \\u{1b}[2Jstarting",
        "stdout: [INFO] starting module 1 of 2",
        "warning: [fake] entry 1",
        "codewhale: ready after",
        "codewhale: stopped: the server exited with code 0",
    ] {
        assert!(log.contains(part), "{part} is not in\n{log}");
    }
    assert!(!log.contains("s3cr3t") && !log.contains('\u{1b}'), "{log}");
    assert!(world.home().join("logs/chatty.log").is_file());
}

#[test]
fn every_line_that_is_no_message_is_in_the_log_and_one_is_in_the_report() {
    let world = World::new();
    let modes = ["junk-first", "bad-utf8", "hang+junk-first"];
    run(async {
        for mode in modes {
            let attempt = world.manager.connect(&fake(mode, &[mode], json!({"connect_timeout": 2}))).await;
            let warnings: Vec<String> = attempt.report.warnings.iter().map(ToString::to_string).collect();
            assert!(matches!(&*warnings, [one] if one.contains("no messages")), "{mode}: {warnings:?}");
            if let Some(connection) = attempt.connection {
                connection.close().await;
            }
        }
        world.manager.shutdown().await;
    });
    let log = |name: &str| world.manager.logs().tail(name, 1000).unwrap();
    for mode in ["junk-first", "hang+junk-first"] {
        let lines = log(mode);
        let banner = lines.iter().filter(|line| line.contains("stdout: [INFO] starting module"));
        assert_eq!(banner.count(), 36, "{mode}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains("\\u{1b}[32mready")), "{mode}: {lines:?}");
    }
    assert!(
        log("bad-utf8").iter().any(|line| line.contains("stdout: {\"jsonrpc\"") && line.contains('\u{fffd}'))
    );
}

#[test]
fn an_early_exit_is_told_at_once_with_its_last_words() {
    let world = World::new();
    let definition =
        json!({"command": "sh", "args": ["-c", "echo boom >&2; exit 3"], "connect_timeout": 3600});
    let report = run(async {
        let report = world.manager.connect(&server("s", &definition)).await.report;
        world.manager.shutdown().await;
        report
    });
    assert_eq!(
        (short(&report).as_str(), report.stderr.as_slice()),
        ("failed exited handshake 3", ["boom".to_owned()].as_slice())
    );
}

#[test]
fn calls_and_answers_of_every_size_are_whole() {
    let world = World::new();
    run(async {
        for era in ["legacy", "modern"] {
            let attempt = world.manager.connect(&fake(era, &["plain", "--era", era], json!({}))).await;
            let connection = attempt.connection.expect("it is alive");
            for size in [16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 1 << 20] {
                let text = "x".repeat(size);
                let arguments = json!({"text": text});
                let result = connection.client().call_tool("echo", &arguments).send().await.unwrap();
                assert!(result.content[0].text.as_deref() == Some(&*text), "{era} {size}");
            }
            connection.close().await;
        }
        world.manager.shutdown().await;
    });
}

#[test]
fn a_failure_is_in_the_log_with_its_class() {
    let world = World::new();
    let definition = json!({"command": "sh", "args": ["-c", "echo no >&2; exit 3"]});
    run(async {
        let attempt = world.manager.connect(&server("fatal", &definition)).await;
        let Outcome::Failed(failure) = attempt.report.outcome else { panic!("a failure") };
        assert_eq!(failure.class, FailureClass::Exited);
        assert!(failure.causes[0].contains("exited with code 3"), "{failure}");
        world.manager.shutdown().await;
    });
    let log = world.manager.logs().tail("fatal", 100).unwrap().join("\n");
    assert!(log.contains("stderr: no") && log.contains("(exited): the server exited with code 3"), "{log}");
}

#[test]
fn an_opened_server_is_asked_for_nothing() {
    let world = World::new();
    let record = world.file("record");
    let args = ["slow-list", "--delay", "60000", "--record", record.to_str().unwrap()];
    run(async {
        let attempt = world.manager.open(&fake("s", &args, json!({}))).await;
        assert_eq!(short(&attempt.report), "ready 0");
        let connection = attempt.connection.expect("it is alive");
        let error = CallError::ServerTimedOut { method: "prompts/list", after: Duration::from_secs(1) };
        assert_eq!(connection.degradation(&error).class.as_str(), "list_timed_out");
        connection.close().await;
        world.manager.shutdown().await;
    });
    assert!(!world.read("record").contains("tools/list"), "{}", world.read("record"));
}
