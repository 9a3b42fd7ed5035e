//! Secrets that stand in the file as they are.

use codewhale_mcp_redact::{is_secret_name, looks_like_secret, safe_args, safe_line, safe_url};

use super::ServerEntry;
use crate::Warning;

/// One warning for each secret that stands in the definition as it is, naming what to write instead. A value with a
/// `${…}` in it is taken as expanded.
pub(super) fn literal_secrets(entry: &ServerEntry) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let literal = |name: &str, value: &str| {
        !value.is_empty() && !value.contains("${") && (is_secret_name(name) || looks_like_secret(value))
    };
    for pair in &entry.headers {
        if literal(&pair.name, pair.value.value.expose()) {
            warnings.push(Warning::LiteralSecret {
                place: pair.value.place.clone(),
                key: format!("headers.{}", pair.name),
                instead: match pair.name.eq_ignore_ascii_case("authorization") {
                    true => &["`bearer_token_env_var`", "`env_headers`", "`${VAR}`"],
                    false => &["`env_headers`", "`${VAR}`"],
                },
            });
        }
    }
    for pair in &entry.env {
        if literal(&pair.name, pair.value.value.expose()) {
            warnings.push(Warning::LiteralSecret {
                place: pair.value.place.clone(),
                key: format!("env.{}", pair.name),
                instead: &["`${VAR}`"],
            });
        }
    }
    let args: Vec<&str> = entry.args.iter().map(|arg| arg.value.as_str()).collect();
    for (at, (arg, shown)) in entry.args.iter().zip(safe_args(&args)).enumerate() {
        if safe_line(&arg.value) != shown && !arg.value.contains("${") {
            warnings.push(Warning::LiteralSecret {
                place: arg.place.clone(),
                key: format!("args[{at}]"),
                instead: &["`env`", "`${VAR}`"],
            });
        }
    }
    if let Some(url) = &entry.url
        && !url.value.contains("${")
        && safe_line(&url.value) != safe_url(&url.value)
    {
        warnings.push(Warning::LiteralSecret {
            place: url.place.clone(),
            key: "url".into(),
            instead: &["`env_headers`", "`${VAR}`"],
        });
    }
    warnings
}
