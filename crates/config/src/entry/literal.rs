//! Secrets that stand in the file as they are, and what stands there in their place.

use codewhale_mcp_redact::{is_secret_name, looks_like_secret, safe_args, safe_line, safe_url};

use super::ServerEntry;
use super::placeholder::is_placeholder;
use crate::{Place, Warning};

/// What to write instead of one kind of secret, and where such ones stand.
type Found = (&'static [&'static str], Vec<(String, Place)>);

/// One warning for all secrets of one kind that stand in the definition as they are, naming what to write instead, and
/// one for all placeholders. A value with a `${…}` in it is taken as expanded.
pub(super) fn literal_secrets(entry: &ServerEntry) -> Vec<Warning> {
    let mut placeholders = Vec::new();
    let mut found: [Found; 5] = [
        (&["`bearer_token_env_var`", "`env_headers`", "`${VAR}`"], Vec::new()),
        (&["`env_headers`", "`${VAR}`"], Vec::new()),
        (&["`${VAR}`"], Vec::new()),
        (&["`env`", "`${VAR}`"], Vec::new()),
        (&["`env_headers`", "`${VAR}`"], Vec::new()),
    ];
    let mut look = |kind: usize, key: String, place: &Place, value: &str, is_secret: bool| {
        if value.is_empty() || value.contains("${") {
            return;
        }
        // An argument may be `--name=value`.
        let is_placeholder =
            is_placeholder(value) || value.split_once('=').is_some_and(|(_, value)| is_placeholder(value));
        if is_placeholder {
            placeholders.push((key, place.clone()));
        } else if is_secret {
            found[kind].1.push((key, place.clone()));
        }
    };
    for pair in &entry.headers {
        let kind = usize::from(!pair.name.eq_ignore_ascii_case("authorization"));
        let value = pair.value.value.expose();
        let is_secret = is_secret_name(&pair.name) || looks_like_secret(value);
        look(kind, format!("headers.{}", pair.name), &pair.value.place, value, is_secret);
    }
    for pair in &entry.env {
        let value = pair.value.value.expose();
        let is_secret = is_secret_name(&pair.name) || looks_like_secret(value);
        look(2, format!("env.{}", pair.name), &pair.value.place, value, is_secret);
    }
    if let Some(command) = &entry.command {
        let is_secret = safe_args(&[&command.value]) != [safe_line(&command.value)];
        look(3, "command".into(), &command.place, &command.value, is_secret);
    }
    let args: Vec<&str> = entry.args.iter().map(|arg| arg.value.as_str()).collect();
    for (at, (arg, shown)) in entry.args.iter().zip(safe_args(&args)).enumerate() {
        look(3, format!("args[{at}]"), &arg.place, &arg.value, safe_line(&arg.value) != shown);
    }
    if let Some(url) = &entry.url {
        look(4, "url".into(), &url.place, &url.value, safe_line(&url.value) != safe_url(&url.value));
    }
    let secrets = found.into_iter().filter_map(|(instead, found)| {
        let (keys, place) = gather(found)?;
        Some(Warning::LiteralSecret { place, keys, instead })
    });
    let mut warnings: Vec<Warning> = secrets.collect();
    warnings.extend(gather(placeholders).map(|(keys, place)| Warning::Placeholder { place, keys }));
    warnings
}

/// All keys, and the place of the first.
fn gather(found: Vec<(String, Place)>) -> Option<(Vec<String>, Place)> {
    let place = found.first()?.1.clone();
    Some((found.into_iter().map(|(key, _)| key).collect(), place))
}
