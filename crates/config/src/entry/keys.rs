//! The names of a server's members.

/// Every member that counts.
pub(super) const KNOWN: &[&str] = &[
    "command",
    "args",
    "env",
    "cwd",
    "type",
    "url",
    "transport",
    "headers",
    "env_headers",
    "env_http_headers",
    "bearer_token_env_var",
    "scopes",
    "oauth",
    "oauth_resource",
    "allow_private_network",
    "disabled",
    "enabled",
    "required",
    "enabled_tools",
    "disabled_tools",
    "autoApprove",
    "alwaysLoad",
    "defer_loading",
    "connect_timeout",
    "execute_timeout",
    "read_timeout",
    "idle_timeout",
    "timeout",
];

/// Members of `oauth`.
pub(super) const OAUTH: &[&str] = &["client_id", "client_secret_env_var"];

/// Names that other clients use for the same thing.
pub(super) const FOREIGN: &[(&str, &str)] = &[
    ("httpUrl", "url"),
    ("serverUrl", "url"),
    ("endpoint", "url"),
    ("cmd", "command"),
    ("arguments", "args"),
    ("environment", "env"),
    ("workingDirectory", "cwd"),
    ("working_dir", "cwd"),
    ("alwaysAllow", "autoApprove"),
    ("includeTools", "enabled_tools"),
    ("allowedTools", "enabled_tools"),
    ("excludeTools", "disabled_tools"),
    ("disallowedTools", "disabled_tools"),
    ("deferLoading", "defer_loading"),
    ("startup_timeout_sec", "connect_timeout"),
    ("tool_timeout_sec", "execute_timeout"),
    ("requestTimeout", "timeout"),
];

/// What an unknown member of a server was probably meant to be.
pub(crate) fn suggestion(key: &str) -> Option<&'static str> {
    let foreign = FOREIGN.iter().find(|(name, _)| name.eq_ignore_ascii_case(key.trim()));
    foreign.map(|(_, ours)| *ours).or_else(|| crate::suggest::closest(key, KNOWN))
}
