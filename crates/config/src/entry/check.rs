//! The rules between the members of one entry.

use url::Url;

use super::{Fields, Kind, ServerEntry};
use crate::json::Node;
use crate::problem::Near;
use crate::{Located, Problem, Scope, Warning};

/// What `type` and `transport` say.
pub(super) struct Kinds {
    pub(super) r#type: Option<Located<Kind>>,
    pub(super) transport: Option<Located<Kind>>,
}

/// How the server is reached, or a problem in `fields`.
pub(super) fn check_kind(
    fields: &mut Fields<'_>,
    name: &str,
    node: &Node,
    kinds: &Kinds,
    command: Option<&Located<String>>,
    url: Option<&Located<String>>,
) -> Option<Kind> {
    if let (Some(first), Some(second)) = (&kinds.r#type, &kinds.transport)
        && first.value != second.value
    {
        fields.problems.push(Problem::Contradiction {
            place: first.place.clone(),
            key: "type",
            kind: first.value.as_str(),
            other: "transport",
            other_place: second.place.clone(),
        });
        return None;
    }
    let (key, said) = match (&kinds.r#type, &kinds.transport) {
        (Some(said), _) => ("type", Some(said)),
        (None, said) => ("transport", said.as_ref()),
    };
    let contradicts = |other, place: &crate::Place| {
        said.map(|said| Problem::Contradiction {
            place: said.place.clone(),
            key,
            kind: said.value.as_str(),
            other,
            other_place: place.clone(),
        })
    };
    let said_kind = said.map(|said| said.value);
    // A value of a wrong type or an unknown kind has its own problem already.
    let faulty = |key| fields.get(key).is_some();
    let kind = match (command, url) {
        (Some(command), Some(url)) => {
            Err(Some(Problem::TwoTransports { command: command.place.clone(), url: url.place.clone() }))
        }
        (None, None) if said_kind == Some(Kind::Sdk) => match (said, fields.document.source().scope) {
            (Some(said), scope) if scope != Scope::Flag => {
                Err(Some(Problem::SdkInFile { place: said.place.clone() }))
            }
            _ => Ok(Kind::Sdk),
        },
        (None, None) if faulty("command") || faulty("url") => Err(None),
        (None, None) => Err(Some(no_transport(fields, name, node))),
        (Some(command), None) => match said_kind {
            None | Some(Kind::Stdio) => Ok(Kind::Stdio),
            Some(_) => Err(contradicts("command", &command.place)),
        },
        (None, Some(url)) => match said_kind {
            None => Ok(Kind::Http),
            Some(kind @ (Kind::Http | Kind::Sse)) => Ok(kind),
            Some(_) => Err(contradicts("url", &url.place)),
        },
    };
    if let Some(url) = url
        && !url.value.contains("${")
        && let Some(expected) = url_expectation(&url.value)
    {
        fields.problems.push(Problem::BadValue { place: url.place.clone(), key: "url".into(), expected });
    }
    match kind {
        Ok(kind) => Some(kind),
        Err(problem) => {
            fields.problems.extend(problem);
            None
        }
    }
}

fn no_transport(fields: &Fields<'_>, name: &str, node: &Node) -> Problem {
    let near = fields.warnings.iter().find_map(|warning| match warning {
        Warning::UnknownKey { place, key, suggestion: Some(meant @ ("command" | "url")) } => {
            Some(Near { key: key.clone(), meant, place: place.clone() })
        }
        _ => None,
    });
    let name = codewhale_mcp_redact::safe_line(name).into_owned();
    Problem::NoTransport { place: fields.place(node), name, near }
}

/// What a URL must be, if it is not.
pub(crate) fn url_expectation(url: &str) -> Option<&'static str> {
    match Url::parse(url) {
        Ok(parsed) if !matches!(parsed.scheme(), "http" | "https") => Some("an http or https URL"),
        Ok(parsed) if parsed.host_str().is_none_or(str::is_empty) => Some("a URL with a host"),
        Ok(_) => None,
        Err(_) => Some("an absolute http or https URL"),
    }
}

/// What a header's value must be, if it is not (RFC 9110, section 5.5).
pub(crate) fn value_expectation(value: &str) -> Option<&'static str> {
    let forbidden = |c: char| (c.is_control() && c != '\t') || c == '\u{7f}';
    value.contains(forbidden).then_some("a header value without line breaks and control characters")
}

/// Warns of members that lose against others, or mean nothing for this kind of server.
pub(super) fn warn_ineffective(fields: &mut Fields<'_>, entry: &ServerEntry) {
    let remote = &[
        "headers",
        "env_headers",
        "env_http_headers",
        "bearer_token_env_var",
        "scopes",
        "oauth",
        "oauth_resource",
        "allow_private_network",
    ];
    let local = &["args", "env", "cwd"];
    let meaningless: &[&[&'static str]] = match entry.kind {
        Kind::Stdio => &[remote],
        Kind::Http | Kind::Sse => &[local],
        Kind::Sdk => &[local, remote],
    };
    for key in meaningless.iter().copied().flatten() {
        if let Some(member) = fields.get(key) {
            let place = fields.key_place(member);
            fields.warnings.push(Warning::NoEffect { place, key, kind: entry.kind.as_str() });
        }
    }
    for winner in &entry.env_headers {
        if let Some(loser) = entry.headers.iter().find(|loser| loser.name.eq_ignore_ascii_case(&winner.name))
        {
            fields.warnings.push(Warning::Beaten {
                place: loser.value.place.clone(),
                key: format!("headers.{}", loser.name),
                by: "env_headers",
                by_place: winner.value.place.clone(),
            });
        }
    }
    let beats_bearer = |name: &str| name.eq_ignore_ascii_case("authorization");
    let by_variable = entry.env_headers.iter().find(|pair| beats_bearer(&pair.name));
    let by_variable = by_variable.map(|pair| ("env_headers", &pair.value.place));
    let by_value = entry.headers.iter().find(|pair| beats_bearer(&pair.name));
    let by_value = by_value.map(|pair| ("headers", &pair.value.place));
    if let (Some(loser), Some((by, place))) = (&entry.bearer_token_env_var, by_variable.or(by_value)) {
        fields.warnings.push(Warning::Beaten {
            place: loser.place.clone(),
            key: "bearer_token_env_var".into(),
            by,
            by_place: place.clone(),
        });
    }
    if let (Some(winner), Some(loser)) = (&entry.always_load, &entry.defer_loading)
        && winner.value
        && loser.value
    {
        fields.warnings.push(Warning::Beaten {
            place: loser.place.clone(),
            key: "defer_loading".into(),
            by: "alwaysLoad",
            by_place: winner.place.clone(),
        });
    }
}
