//! Budgets: what is written where, and which counts.

use std::path::Path;
use std::time::Duration;

use codewhale_mcp_config::{McpFile, Merged, Problem, Scope, Source, Timeouts};

fn file(scope: Scope, text: &str) -> McpFile {
    McpFile::parse(text, &Source::file(Path::new(scope.as_str()), scope)).unwrap()
}

fn server(timeouts: &str, block: &str) -> Timeouts {
    let text =
        format!("{{\"timeouts\": {{{block}}}, \"servers\": {{\"a\": {{\"command\": \"x\"{timeouts}}}}}}}");
    Merged::new(vec![file(Scope::User, &text)]).servers[0].timeouts.clone()
}

fn problem(timeouts: &str) -> String {
    let text = format!("{{\"servers\": {{\"a\": {{\"command\": \"x\", {timeouts}}}}}}}");
    file(Scope::User, &text).entries[0].definition.as_ref().unwrap_err()[0].to_string()
}

#[test]
fn the_narrowest_setting_wins_each_on_its_own() {
    let seconds = Duration::from_secs;
    let defaults = server("", "");
    assert_eq!(defaults, Timeouts::default());
    assert_eq!(
        (defaults.connect.value, defaults.execute.value, defaults.read.value),
        (seconds(30), seconds(1800), seconds(120))
    );
    assert!(defaults.idle.is_none() && defaults.connect.place.is_none());

    let both = server(
        ", \"connect_timeout\": 1.5, \"idle_timeout\": 9",
        "\"connect_timeout\": 2, \"read_timeout\": 3",
    );
    assert_eq!((both.connect.value, both.read.value), (Duration::from_millis(1500), seconds(3)));
    assert_eq!(both.execute, defaults.execute);
    assert_eq!(both.idle.unwrap().value, seconds(9));
    assert_eq!(both.read.place.unwrap().to_string(), "user:1:53");
}

#[test]
fn milliseconds_are_another_unit_of_the_same_budget() {
    assert_eq!(server(", \"timeout\": 1500", "").execute.value, Duration::from_millis(1500));
    assert_eq!(
        server(", \"timeout\": 1500, \"execute_timeout\": 2", "").execute.value,
        Duration::from_secs(2)
    );
}

#[test]
fn zero_is_the_default_and_says_where_it_was_written() {
    let zero = server(
        ", \"connect_timeout\": 0, \"idle_timeout\": 0",
        "\"connect_timeout\": 5, \"idle_timeout\": 5",
    );
    assert_eq!(zero.connect.value, Timeouts::DEFAULT_CONNECT);
    assert!(zero.connect.place.is_some() && zero.idle.is_none());
}

#[test]
fn what_is_no_time_is_a_problem() {
    for (timeouts, expected) in [
        ("\"connect_timeout\": -1", "user:1:55: `connect_timeout` must be 0 (the default) or more"),
        ("\"timeout\": -0.5", "user:1:47: `timeout` must be 0 (the default) or more"),
        ("\"read_timeout\": 1e300", "user:1:52: `read_timeout` must be at most 4294967296 seconds"),
        ("\"read_timeout\": 1e-9", "user:1:52: `read_timeout` must be at least one millisecond"),
    ] {
        assert_eq!(problem(timeouts), expected);
    }
    let block = file(Scope::User, "{\"timeouts\": {\"read_timeout\": -1, \"raed_timeout\": 1}}");
    assert!(matches!(&block.problems[..], [Problem::BadValue { key, .. }] if key == "timeouts.read_timeout"));
    assert!(block.warnings[0].to_string().ends_with("did you mean `read_timeout`"), "{}", block.warnings[0]);
}

#[test]
fn a_files_block_counts_for_its_servers_and_the_users_for_all() {
    let files = vec![
        file(
            Scope::User,
            r#"{"timeouts": {"read_timeout": 1, "connect_timeout": 1}, "servers": {"u": {"command": "x"}}}"#,
        ),
        file(Scope::Project, r#"{"timeouts": {"read_timeout": 2}, "servers": {"p": {"command": "x"}}}"#),
    ];
    let merged = Merged::new(files);
    let times = |name: &str| {
        let timeouts = &merged.server(name).unwrap().timeouts;
        (timeouts.read.value.as_secs(), timeouts.connect.value.as_secs())
    };
    assert_eq!((times("u"), times("p")), ((1, 1), (2, 1)));
}
