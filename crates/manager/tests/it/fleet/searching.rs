//! Tools are looked for, and servers started for it.

use std::time::Duration;

use codewhale_mcp_manager::{Fleet, FleetRules, Found, Matching, Query, QueryError, ServerState, ToolScope};
use tokio::time::Instant;

use super::hall::{Hall, Manner};

const SECOND: Duration = Duration::from_secs(1);

fn query(text: &str, matching: Matching) -> Query {
    Query::new(text, matching).unwrap()
}

async fn search(fleet: &Fleet, text: &str, matching: Matching) -> Found {
    fleet.search(&query(text, matching), &ToolScope::all()).await
}

fn names(found: &Found) -> Vec<&str> {
    found.tools.iter().map(|found| found.tool.name.as_str()).collect()
}

/// Twenty servers, the first few of which are hung.
fn twenty(hung: usize) -> Hall {
    let names: Vec<String> = (0..20).map(|number| format!("s{number:02}")).collect();
    let manner = |at: usize| if at < hung { Manner::Hung } else { Manner::After(SECOND) };
    Hall::new(names.iter().enumerate().map(|(at, name)| (name.as_str(), manner(at))))
}

#[tokio::test(start_paused = true)]
async fn twenty_servers_that_match_start_in_batches_of_eight_within_five_seconds() {
    for (hung, seconds, pending, not_started) in [(0, 3, 0, 0), (3, 5, 3, 0), (20, 5, 8, 12)] {
        let hall = twenty(hung);
        let (_world, fleet) = hall.fleet(FleetRules { most_found: 100, ..FleetRules::default() });
        let began = Instant::now();
        let found = search(&fleet, "mcp_.*", Matching::Regex).await;
        assert_eq!(began.elapsed().as_secs(), seconds, "{hung} hung");
        assert_eq!((found.pending.len(), found.not_started.len()), (pending, not_started), "{hung} hung");
        assert_eq!(found.tools.len(), 2 * (20 - hung));
        assert_eq!(found.hint().is_some(), hung > 0);
        assert_eq!(hall.most(), 8);
        assert!(hall.opened().values().all(|times| *times == 1), "{:?}", hall.opened());
        fleet.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_plain_search_starts_nothing_it_does_not_name() {
    let rows = [
        ("look thing", vec![]),
        ("engram", vec!["engram"]),
        ("Engram notes", vec!["engram"]),
        ("mcp_git_status", vec!["git"]),
        ("mcp_git_", vec!["git"]),
        ("mcp", vec![]),
        ("gi", vec![]),
        ("My Server", vec!["My Server"]),
    ];
    for (text, started) in rows {
        let at_once = Manner::After(Duration::ZERO);
        let hall = Hall::new(["engram", "git", "My Server"].map(|name| (name, at_once)));
        let (_world, fleet) = hall.fleet(FleetRules::default());
        let found = search(&fleet, text, Matching::Words).await;
        let opened: Vec<String> = hall.opened().into_keys().collect();
        assert_eq!(opened, started, "{text}");
        assert_eq!(found.tools.is_empty(), started.is_empty(), "{text}: {:?}", names(&found));
        fleet.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_pattern_is_held_against_full_names_and_the_beginnings_of_unknown_ones() {
    let hall = Hall::new(["files", "git", "web"].map(|name| (name, Manner::After(SECOND))));
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let found = search(&fleet, "mcp_git_tou.*|^mcp_web_$", Matching::Regex).await;
    assert_eq!(names(&found), ["mcp_git_touch"], "a server is started for what it may have");
    assert_eq!(hall.opened().into_keys().collect::<Vec<_>>(), ["git", "web"]);
    // What is known tells by itself whether it is meant.
    assert_eq!(names(&search(&fleet, "_LOOK$", Matching::Regex).await), ["mcp_git_look", "mcp_web_look"]);
    assert!(!hall.opened().contains_key("files"));
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_deny_list_filters_before_any_start() {
    let at_once = Manner::After(Duration::ZERO);
    let hall = Hall::new(["files", "git", "web"].map(|name| (name, at_once)));
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let everything = query("mcp_.*", Matching::Regex);
    let scope = ToolScope::all().without(["mcp_git_*", "mcp__web__look"]);
    let found = fleet.search(&everything, &scope).await;
    assert_eq!(names(&found), ["mcp_files_look", "mcp_files_touch", "mcp_web_touch"]);
    let scope = ToolScope::only(["mcp__git", "mcp_web_look"]).without(["mcp__git"]);
    assert_eq!(names(&fleet.search(&everything, &scope).await), ["mcp_web_look"]);
    assert_eq!(hall.opened().into_keys().collect::<Vec<_>>(), ["files", "web"]);
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_used_is_named_and_what_is_disabled_is_not() {
    let hall = Hall::new([("gone", Manner::Hung), ("off", Manner::Hung)]);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    fleet.disable("off");
    fleet.connect("gone");
    fleet.wait(Some(&["gone".to_owned()]), 60 * SECOND).await;
    let found = search(&fleet, "gone off", Matching::Words).await;
    let states: Vec<_> = found.unavailable.iter().map(|down| (&*down.server, down.state)).collect();
    assert_eq!(states, [("gone", ServerState::Failed)]);
    assert_eq!(hall.opened()["gone"], 1, "a search does not try again what failed");
    fleet.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn a_search_that_is_dropped_starts_no_more() {
    let hall = twenty(20);
    let (_world, fleet) = hall.fleet(FleetRules::default());
    let search = search(&fleet, "mcp_.*", Matching::Regex);
    assert!(tokio::time::timeout(SECOND, search).await.is_err());
    fleet.wait(None, 60 * SECOND).await;
    assert_eq!(hall.opened().len(), 8);
    fleet.shutdown().await;
}

#[test]
fn a_query_that_cannot_be_used_says_why() {
    let rows = [
        ("  ", Matching::Words, "empty"),
        ("(", Matching::Regex, "unclosed"),
        ("((a{200}){200}){200}", Matching::Regex, "size"),
    ];
    for (text, matching, why) in rows {
        let error = Query::new(text, matching).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(Query::new(&"x".repeat(600), Matching::Words).unwrap_err(), QueryError::TooLong);
}

#[tokio::test(start_paused = true)]
async fn the_best_come_first_and_what_every_name_begins_with_says_nothing() {
    let at_once = Manner::After(Duration::ZERO);
    let hall = Hall::new(["git", "touchy"].map(|name| (name, at_once)));
    let (_world, fleet) = hall.fleet(FleetRules { most_found: 3, ..FleetRules::default() });
    fleet.start_rest();
    fleet.wait(Some(&["git".to_owned(), "touchy".to_owned()]), 60 * SECOND).await;
    let rows: [(&str, &[&str], usize); 5] = [
        ("mcp_git_look", &["mcp_git_look", "mcp_git_touch", "mcp_touchy_look"], 1),
        ("touch", &["mcp_git_touch", "mcp_touchy_touch", "mcp_touchy_look"], 0),
        ("a thing", &["mcp_git_look", "mcp_git_touch", "mcp_touchy_look"], 1),
        ("git", &["mcp_git_look", "mcp_git_touch"], 0),
        ("mcp", &[], 0),
    ];
    for (text, expected, more) in rows {
        let found = search(&fleet, text, Matching::Words).await;
        assert_eq!((names(&found), found.more), (expected.to_vec(), more), "{text}");
    }
    fleet.shutdown().await;
}
