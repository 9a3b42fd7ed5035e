//! Names of tools as other programs write them.

/// Names with those of our helpers in the place of what others call them.
pub(crate) fn ours(names: &[String]) -> Vec<String> {
    names.iter().map(|name| helper(name).map_or_else(|| name.clone(), str::to_owned)).collect()
}

/// Our name of a helper that another program calls otherwise.
pub(crate) fn helper(name: &str) -> Option<&'static str> {
    match name {
        "ToolSearch" => Some("tool_search"),
        "WaitForMcpServers" => Some("wait_for_mcp_servers"),
        "ListMcpResourcesTool" => Some("list_mcp_resources"),
        "ReadMcpResourceTool" => Some("mcp_read_resource"),
        _ => None,
    }
}
