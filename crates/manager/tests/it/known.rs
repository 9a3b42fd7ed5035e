//! What holds for the manager's known.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use codewhale_mcp_client::EraReason;
use codewhale_mcp_config::{Scope, Source};
use codewhale_mcp_manager::{Known, KnownList, KnownServers, Outcome};
use codewhale_mcp_protocol::Tool;
use serde_json::json;

use crate::world::{World, fake, from, run, server};

fn moment(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

fn known_with(names: &[&str]) -> Known {
    let tool = |name: &&str| Tool { name: (*name).into(), ..Tool::default() };
    let mut known = Known::default();
    known.list = Some(KnownList { tools: names.iter().map(tool).collect(), time: moment(1000) });
    known
}

#[test]
fn a_list_is_found_again_for_the_same_definition_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = KnownServers::new(folder.path().join("cache"));
    let (one, cwd) = (server("s", &json!({"command": "x", "env": {"TOKEN": "a"}})), folder.path());
    let other = server("s", &json!({"command": "x", "env": {"TOKEN": "b"}}));
    assert_eq!(store.known(&one, cwd), Known::default());
    store.keep(&one, cwd, &known_with(&["a", "b"]), moment(2000));
    assert_eq!(store.known(&one, cwd), known_with(&["a", "b"]));
    assert_eq!(store.known(&other, cwd), Known::default());
    assert_eq!(store.known(&one, &cwd.join("elsewhere")), Known::default());
}

#[test]
fn what_cannot_be_read_counts_as_absent_and_the_folder_stays_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let (store, one) = (KnownServers::new(cache.clone()), server("s", &json!({"command": "x"})));
    store.keep(&one, folder.path(), &known_with(&["a"]), moment(2000));
    let file = std::fs::read_dir(&cache).unwrap().next().unwrap().unwrap().path();
    for text in ["", "{", "[]", r#"{"version":9}"#] {
        std::fs::write(&file, text).unwrap();
        assert_eq!(store.known(&one, folder.path()), Known::default(), "{text}");
    }
    for number in 0..300 {
        std::fs::write(cache.join(format!("{number}.json")), "").unwrap();
    }
    store.keep(&server("t", &json!({"command": "y"})), folder.path(), &known_with(&[]), moment(2000));
    assert!(std::fs::read_dir(&cache).unwrap().count() <= 256);
}

#[test]
fn the_second_run_knows_the_tools_and_starts_a_legacy_server_without_a_probe() {
    let world = World::new();
    let record = world.file("record");
    let server = fake("s", &["exit-on-unknown", "--record", record.to_str().unwrap()], json!({}));
    run(async {
        assert_eq!(world.manager.recall(&server).await, Known::default());
        let first = world.manager.connect(&server).await;
        assert_eq!(first.report.starts, 2);
        world.manager.shutdown().await;

        let again = world.again();
        let known = again.recall(&server).await.list.expect("a list was kept");
        let Outcome::Ready(ready) = &first.report.outcome else { panic!("{:?}", first.report) };
        assert_eq!(known.tools, ready.tools);
        let second = again.connect(&server).await;
        let Outcome::Ready(ready) = &second.report.outcome else { panic!("{:?}", second.report) };
        assert_eq!((second.report.starts, ready.established.reason), (1, EraReason::Remembered));
        again.shutdown().await;
    });
    assert_eq!(world.read("record").lines().filter(|line| line.contains("server/discover")).count(), 1);
}

#[test]
fn nothing_is_kept_of_a_server_that_stands_in_no_file() {
    let world = World::new();
    let definition = json!({"command": codewhale_testkit::fake(), "args": ["plain"]});
    let server = from(&Source::label("command line", Scope::Flag), "s", &definition);
    run(async {
        world.manager.connect(&server).await;
        world.manager.shutdown().await;
        assert_eq!(world.again().recall(&server).await, Known::default());
    });
    assert!(!world.home().join("cache").exists());
}

#[test]
fn a_remembered_era_that_does_not_hold_any_more_is_given_up() {
    let world = World::new();
    let mode = world.file("mode");
    let script = format!("exec {} $(cat {})", codewhale_testkit::fake().display(), mode.display());
    let server = server("s", &json!({"command": "sh", "args": ["-c", script]}));
    run(async {
        std::fs::write(&mode, "plain --era legacy").unwrap();
        world.manager.connect(&server).await;
        world.manager.shutdown().await;
        std::fs::write(&mode, "plain --era modern").unwrap();
        let again = world.again();
        let attempt = again.connect(&server).await;
        let Outcome::Ready(ready) = &attempt.report.outcome else { panic!("{:?}", attempt.report) };
        assert_eq!(ready.established.reason, EraReason::Discovered);
        again.shutdown().await;
    });
}
