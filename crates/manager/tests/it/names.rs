//! What holds for the manager's names.

use std::collections::BTreeSet;

use codewhale_mcp_manager::{Catalogue, HELPERS, MAX_NAME, ToolId};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

#[test]
fn plain_names_stay_and_odd_ones_become_safe() {
    let rows = [
        ("git", "status", "mcp_git_status"),
        ("Internet Search (X)", "查询 all", "mcp_Internet_Search__X_____all"),
        ("my__server", "do__thing", "mcp_my__server_do__thing"),
        ("a-b", "c", "mcp_a-b_c"),
        ("s", "", "mcp_s_"),
    ];
    let catalogue = Catalogue::new(rows.map(|(server, tool, _)| ToolId::new(server, tool)));
    for (server, tool, name) in rows {
        let id = ToolId::new(server, tool);
        assert_eq!((catalogue.name_of(&id), catalogue.tool(name)), (Some(name), Some(&id)));
    }
}

#[test]
fn clashes_long_names_and_helpers_names_get_a_hash() {
    let long = "a".repeat(60);
    let tools = [
        ToolId::new("a", "b_c"),
        ToolId::new("a_b", "c"),
        ToolId::new("read", "resource"),
        ToolId::new("get", "prompt"),
        ToolId::new("load", "skill"),
        ToolId::new("plugin-very-long-name", &*long),
        ToolId::new("plugin-very-long-name", format!("{long}a")),
    ];
    let catalogue = Catalogue::new(tools.clone());
    let names: BTreeSet<&str> = tools.iter().map(|tool| catalogue.name_of(tool).unwrap()).collect();
    assert_eq!(names.len(), tools.len(), "{names:?}");
    for name in names {
        let (_, hash) = name.rsplit_once('_').unwrap();
        assert!(hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    }
}

#[test]
fn a_tool_called_like_another_ones_hashed_name_keeps_its_own() {
    let pair = [ToolId::new("a", "b_c"), ToolId::new("a_b", "c")];
    let hashed = Catalogue::new(pair.clone()).name_of(&pair[0]).unwrap().to_owned();
    let squatter = ToolId::new("a", hashed.strip_prefix("mcp_a_").unwrap());
    let catalogue = Catalogue::new(pair.iter().cloned().chain([squatter.clone()]));
    assert_eq!(catalogue.name_of(&squatter), Some(&*hashed));
    assert_ne!(catalogue.name_of(&pair[0]), Some(&*hashed));
}

/// Names that clash easily, also with helpers.
const EASILY: [&str; 13] =
    ["", "_", "a", "a_b", "b", "b_c", "c", "get", "read", "load", "prompt", "resource", "skill"];

/// Whatever a server or a tool may be called.
fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ab_. \u{4e00}]{0,70}",
        prop::sample::select(&EASILY[..]).prop_map(str::to_owned),
        "a{20,70}",
    ]
}

/// Tools of any servers, in two orders.
fn any_tools() -> impl Strategy<Value = (Vec<ToolId>, Vec<ToolId>)> {
    let tool = (any_name(), any_name()).prop_map(|(server, tool)| ToolId::new(server, tool));
    prop::collection::vec(tool, 1..40)
        .prop_flat_map(|tools| (Just(tools.clone()), Just(tools).prop_shuffle()))
}

/// Each tool has a name of its own that every model API takes and that no helper has, with the exact way back.
fn check(catalogue: &Catalogue, tools: &[ToolId]) -> Result<(), TestCaseError> {
    for tool in tools {
        let name = catalogue.name_of(tool).unwrap();
        prop_assert_eq!(catalogue.tool(name), Some(tool));
        prop_assert!((1..=MAX_NAME).contains(&name.len()) && !HELPERS.contains(&name), "{}", name);
        prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'), "{}", name);
    }
    prop_assert_eq!(catalogue.iter().count(), tools.iter().collect::<BTreeSet<_>>().len());
    Ok(())
}

proptest! {
    #[test]
    fn every_set_of_tools_has_distinct_safe_names_in_any_order((tools, shuffled) in any_tools()) {
        let catalogue = Catalogue::new(tools.clone());
        prop_assert_eq!(&catalogue, &Catalogue::new(shuffled));
        check(&catalogue, &tools)?;
    }

    #[test]
    fn tools_that_are_called_like_names_of_others_change_none_of_it((mut tools, _) in any_tools()) {
        for _ in 0..2 {
            let catalogue = Catalogue::new(tools.clone());
            let squat = |name: &str| {
                let (server, tool) = name.strip_prefix("mcp_")?.split_once('_')?;
                Some(ToolId::new(server, tool))
            };
            tools.extend(catalogue.iter().filter_map(|(name, _)| squat(name)));
            tools.dedup();
        }
        let catalogue = Catalogue::new(tools.clone());
        prop_assert_eq!(&catalogue, &Catalogue::new(tools.iter().rev().cloned()));
        check(&catalogue, &tools)?;
    }
}
