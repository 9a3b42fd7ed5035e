//! The file that `init` writes.

/// A file without servers that explains itself.
pub const STARTER: &str = r#"{
  // MCP servers of codewhale. Comments and trailing commas are allowed.
  // `codewhale mcp add NAME -- COMMAND ARGS` and `codewhale mcp add NAME --url URL` write here too.
  "servers": {
    // "files": {
    //   "command": "npx",
    //   "args": ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/a/folder"]
    // },
    // "remote": {
    //   "url": "https://mcp.example.com/mcp",
    //   "bearer_token_env_var": "EXAMPLE_TOKEN"
    // }
  }
}
"#;

/// What an edit starts from where there is no file.
pub(super) const EMPTY: &str = "{\n  \"servers\": {}\n}\n";
