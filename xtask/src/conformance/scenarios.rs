//! The scenarios that the suite lists, for those who are tested as a client and for those who are tested as a server.

/// Which end is tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Client,
    Server,
}

impl Role {
    /// The suite's own word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// How its section of the list begins.
    fn section(self) -> &'static str {
        match self {
            Self::Client => "Client scenarios",
            Self::Server => "Server scenarios",
        }
    }
}

/// The scenarios of a role in what the suite lists: a section of them, and others marked as such.
pub(super) fn listed(list: &str, role: Role) -> Vec<String> {
    let mark = format!(" [{}]", role.name());
    let mut within = false;
    let mut scenarios = Vec::new();
    for line in list.lines() {
        let item = line.trim_start().strip_prefix("- ");
        if item.is_none() && !line.starts_with(' ') && !line.is_empty() {
            within = line.starts_with(role.section());
        }
        if let Some(item) = item.filter(|item| within || item.ends_with(&mark)) {
            scenarios.extend(item.split_whitespace().next().map(ToOwned::to_owned));
        }
    }
    scenarios
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_taken_from_both_forms_of_the_list() {
        let requirements = "Required for 2025-11-25 (48 scenarios):\n\nServer scenarios (test against a server):\n  \
                            - ping\n\nClient scenarios (test against a client):\n  - initialize\n  - auth/basic-cimd\n\n\
                            Run and reported, but never scored:\n  extension (2):\n    - auth/dpop [client]\n    \
                            - tasks-wire-fields [server]\n  pending (1):\n    - server-sse-polling [server]\n";
        assert_eq!(listed(requirements, Role::Client), ["initialize", "auth/basic-cimd", "auth/dpop"]);
        assert_eq!(listed(requirements, Role::Server), ["ping", "tasks-wire-fields", "server-sse-polling"]);
        let all = "Server scenarios (test against a server):\n  - ping [2025-11-25]\n\n\
                   Client scenarios (test against a client):\n  - initialize [2025-06-18,2025-11-25]\n  \
                   - sep-2640-client-no-prefetch [extension]\n\n\
                   Authorization server scenarios (test against an authorization server):\n  - code [2025-03-26]\n";
        assert_eq!(listed(all, Role::Client), ["initialize", "sep-2640-client-no-prefetch"]);
        assert_eq!(listed(all, Role::Server), ["ping"]);
    }
}
