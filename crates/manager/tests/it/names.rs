//! What holds for the manager's names.

use std::collections::BTreeSet;

use codewhale_mcp_manager::{Catalogue, HELPERS, MAX_NAME, ToolId};
use proptest::prelude::*;

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

proptest! {
    #[test]
    fn every_set_of_tools_has_distinct_safe_names_in_any_order(
        tools in prop::collection::vec(("[ab_. \u{4e00}]{1,40}", "[ab_. ]{0,40}"), 1..20)
    ) {
        let tools: Vec<ToolId> = tools.into_iter().map(|(server, tool)| ToolId::new(server, tool)).collect();
        let catalogue = Catalogue::new(tools.clone());
        prop_assert_eq!(&catalogue, &Catalogue::new(tools.iter().rev().cloned()));
        for tool in &tools {
            let name = catalogue.name_of(tool).unwrap();
            prop_assert_eq!(catalogue.tool(name), Some(tool));
            prop_assert!(name.len() <= MAX_NAME && !HELPERS.contains(&name));
            prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'));
        }
        prop_assert_eq!(catalogue.iter().count(), tools.iter().collect::<BTreeSet<_>>().len());
    }
}
