//! From a node to a definition.

use super::check::{Kinds, check_kind, warn_ineffective};
use super::forms::warn_forms;
use super::{AutoApprove, Fields, Kind, ServerEntry, keys};
use crate::json::{Data, Document, Node};
use crate::suggest::closest;
use crate::timeouts::TimeoutSettings;
use crate::{Located, Problem, Warning};

/// Reads one entry: its definition or everything that is wrong with it, and what is odd.
pub(crate) fn read_definition(
    document: &Document<'_>,
    name: &str,
    node: &Node,
) -> (Result<ServerEntry, Vec<Problem>>, Vec<Warning>) {
    let Some(members) = node.members() else {
        let place = document.place(node.span.start);
        let (key, expected) = (codewhale_mcp_redact::safe_line(name).into_owned(), "an object");
        return (Err(vec![Problem::WrongType { place, key, expected, found: node.kind() }]), Vec::new());
    };
    let mut fields = Fields::new(document, members);
    let is_sdk =
        matches!(fields.get("type"), Some(m) if matches!(&m.value.data, Data::String(t) if t == "sdk"));
    fields.warn_unknown(members, keys::KNOWN, keys::suggestion);
    if is_sdk {
        // The SDKs write the name into the entry too.
        fields.warnings.retain(|w| !matches!(w, Warning::UnknownKey { key, .. } if key == "name"));
    }
    let command = command(&mut fields);
    let url = fields.name("url");
    let kinds = Kinds { r#type: kind(&mut fields, "type"), transport: kind(&mut fields, "transport") };
    let kind = check_kind(&mut fields, name, node, &kinds, command.as_ref(), url.as_ref());
    let (oauth_client_id, oauth_client_secret_env_var) = oauth(&mut fields);
    let definition = ServerEntry {
        kind: kind.unwrap_or(Kind::Stdio),
        kind_place: kinds.r#type.or(kinds.transport).map(|said| said.place),
        command,
        args: fields.strings("args"),
        env: fields.env(),
        cwd: fields.name("cwd"),
        url,
        headers: fields.headers(),
        env_headers: fields.env_headers(),
        bearer_token_env_var: fields.variable("bearer_token_env_var"),
        scopes: fields.strings("scopes"),
        oauth_client_id,
        oauth_client_secret_env_var,
        oauth_resource: fields.name("oauth_resource"),
        allow_private_network: fields.flag("allow_private_network"),
        disabled: fields.flag("disabled"),
        enabled: fields.flag("enabled"),
        required: fields.flag("required"),
        enabled_tools: fields.strings("enabled_tools"),
        disabled_tools: fields.strings("disabled_tools"),
        auto_approve: auto_approve(&mut fields),
        always_load: fields.flag("alwaysLoad"),
        defer_loading: fields.flag("defer_loading"),
        timeouts: server_timeouts(&mut fields),
    };
    if kind.is_some() {
        warn_ineffective(&mut fields, &definition);
        warn_forms(&mut fields, &definition);
    }
    let Fields { problems, warnings, .. } = fields;
    match (problems.is_empty(), kind) {
        (true, Some(_)) => (Ok(definition), warnings),
        _ => (Err(problems), warnings),
    }
}

/// Reads the block `timeouts` of a file.
pub(crate) fn read_timeouts(fields: &mut Fields<'_>) -> TimeoutSettings {
    let known = &["connect_timeout", "execute_timeout", "read_timeout", "idle_timeout"];
    fields.inner("timeouts", "timeouts.", |block, members| {
        block.warn_unknown(members, known, |key| closest(key, known));
        TimeoutSettings {
            connect: block.limit("connect_timeout", 1.0),
            execute: block.limit("execute_timeout", 1.0),
            read: block.limit("read_timeout", 1.0),
            idle: block.limit("idle_timeout", 1.0),
        }
    })
}

fn server_timeouts(fields: &mut Fields<'_>) -> TimeoutSettings {
    let milliseconds = fields.limit("timeout", 0.001);
    let seconds = fields.limit("execute_timeout", 1.0);
    if let (Some(loser), Some(winner)) = (&milliseconds, &seconds) {
        fields.warnings.push(Warning::Beaten {
            place: loser.place.clone(),
            key: "timeout".into(),
            by: "execute_timeout",
            by_place: winner.place.clone(),
        });
    }
    TimeoutSettings {
        connect: fields.limit("connect_timeout", 1.0),
        execute: seconds.or(milliseconds),
        read: fields.limit("read_timeout", 1.0),
        idle: fields.limit("idle_timeout", 1.0),
    }
}

fn command(fields: &mut Fields<'_>) -> Option<Located<String>> {
    let member = fields.get("command")?;
    if matches!(member.value.data, Data::Array(_)) {
        fields.wrong_member(
            &member.value,
            "command",
            "one string, the program (its arguments belong into `args`)",
        );
        return None;
    }
    let command = fields.name("command")?;
    // A path may hold blanks; a bare program name with blanks is a whole command line.
    let mut words = command.value.split_whitespace();
    if let (Some(program), Some(_)) = (words.next(), words.next())
        && !program.contains(['/', '\\'])
        && !program.contains("${")
    {
        fields.warnings.push(Warning::CommandLine { place: command.place.clone() });
    }
    Some(command)
}

fn kind(fields: &mut Fields<'_>, key: &'static str) -> Option<Located<Kind>> {
    let text = fields.string(key)?;
    match Kind::parse(&text.value) {
        Some(kind) => Some(Located::new(kind, text.place)),
        None => {
            let found = text.value.chars().take(40).collect::<String>();
            let found = codewhale_mcp_redact::safe_line(&found).into_owned();
            fields.problems.push(Problem::UnknownKind { place: text.place, key, found });
            None
        }
    }
}

fn oauth(fields: &mut Fields<'_>) -> (Option<Located<String>>, Option<Located<String>>) {
    fields.inner("oauth", "oauth.", |oauth, members| {
        oauth.warn_unknown(members, keys::OAUTH, |key| closest(key, keys::OAUTH));
        (oauth.name("client_id"), oauth.variable("client_secret_env_var"))
    })
}

fn auto_approve(fields: &mut Fields<'_>) -> Option<Located<AutoApprove>> {
    let node = &fields.get("autoApprove")?.value;
    let value = match &node.data {
        Data::Bool(true) => AutoApprove::All,
        Data::Bool(false) => AutoApprove::None,
        Data::Array(_) => {
            AutoApprove::Tools(fields.strings("autoApprove").into_iter().map(|tool| tool.value).collect())
        }
        _ => {
            fields.wrong_member(node, "autoApprove", "an array of tool names, true or false");
            return None;
        }
    };
    Some(Located::new(value, fields.place(node)))
}
