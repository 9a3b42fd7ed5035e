//! Which tools a turn may use, by the names that people and programs give them.

use codewhale_mcp_manager::{ToolId, ToolScope};

/// Whether a scope of these names admits the tool `status` of the server `git`, and any tool of that server.
fn allowed(names: &[&str]) -> (bool, bool) {
    both(&ToolScope::only(names.iter().copied()))
}

fn denied(names: &[&str]) -> (bool, bool) {
    both(&ToolScope::all().without(names.iter().copied()))
}

fn both(scope: &ToolScope) -> (bool, bool) {
    (scope.admits(&ToolId::new("git", "status"), "mcp_git_status"), scope.admits_server("git"))
}

#[test]
fn an_allow_list_names_tools_servers_and_beginnings() {
    let rows: [(&[&str], (bool, bool)); 12] = [
        (&["mcp_git_status"], (true, true)),
        (&["mcp__git__status"], (true, true)),
        (&["mcp__git"], (true, true)),
        (&["mcp_git_*"], (true, true)),
        (&["mcp__git__*"], (true, true)),
        (&["mcp_*"], (true, true)),
        (&["*"], (true, true)),
        (&["mcp_git_log"], (false, true)),
        (&["mcp_git_st*"], (true, true)),
        (&["mcp_github_status", "mcp__github"], (false, false)),
        (&["Bash", "mcp_gi"], (false, false)),
        (&[], (false, false)),
    ];
    for (names, expected) in rows {
        assert_eq!(allowed(names), expected, "{names:?}");
    }
    assert_eq!(both(&ToolScope::all()), (true, true));
}

#[test]
fn a_deny_list_leaves_out_a_server_only_if_it_names_all_of_it() {
    let rows: [(&[&str], (bool, bool)); 7] = [
        (&["mcp_git_status"], (false, true)),
        (&["mcp__git__status"], (false, true)),
        (&["mcp__git"], (false, false)),
        (&["mcp_git_*"], (false, false)),
        (&["*"], (false, false)),
        (&["mcp_git_st*"], (false, true)),
        (&["mcp_github_*"], (true, true)),
    ];
    for (names, expected) in rows {
        assert_eq!(denied(names), expected, "{names:?}");
    }
    let both_lists = ToolScope::only(["mcp_git_*"]).without(["mcp_git_status"]);
    assert_eq!(both(&both_lists), (false, true), "a denial wins");
}

#[test]
fn odd_names_are_asked_for_as_they_are_or_as_models_know_them() {
    for names in ["mcp_My_Server_*", "mcp__My Server", "mcp__My_Server", "mcp__My Server__find it"] {
        let scope = ToolScope::only([names]);
        assert!(scope.asks_for("My Server") && !scope.asks_for("other"), "{names}");
        assert!(scope.admits(&ToolId::new("My Server", "find it"), "mcp_My_Server_find_it"), "{names}");
    }
    assert!(!ToolScope::all().asks_for("My Server"), "nothing is asked for by name");
}
