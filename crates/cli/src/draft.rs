//! Parts of a definition as they stand on a command line.

use codewhale_mcp_config::edit::{Draft, DraftTransport};
use codewhale_mcp_redact::Secret;

use crate::args::{RemoteArgs, RemoteKind};
use crate::failure::Failure;

/// A remote server; nothing without a URL, which everything else needs.
pub(crate) fn remote(url: Option<&str>, args: &RemoteArgs) -> Result<Draft, Failure> {
    Ok(Draft {
        url: url.map(ToOwned::to_owned),
        transport: args.transport.map(|kind| match kind {
            RemoteKind::Http => DraftTransport::Http,
            RemoteKind::Sse => DraftTransport::Sse,
        }),
        headers: hidden(headers("--header", &args.header)?),
        env_headers: headers("--env-header", &args.env_header)?,
        bearer_token_env_var: args.bearer_token_env_var.clone(),
        allow_private_network: args.allow_private_network,
        ..Draft::default()
    })
}

/// Values that must not be shown, by name.
pub(crate) fn secrets(flag: &str, texts: &[String]) -> Result<Vec<(String, Secret<String>)>, Failure> {
    Ok(hidden(pairs(flag, "NAME=VALUE", texts, |text| text.split_once('='))?))
}

fn hidden(pairs: Vec<(String, String)>) -> Vec<(String, Secret<String>)> {
    pairs.into_iter().map(|(name, value)| (name, Secret::new(value))).collect()
}

/// Headers by name, also as they stand in a request: a name holds neither `=` nor `:`.
fn headers(flag: &str, texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    pairs(flag, "NAME=VALUE or NAME: VALUE", texts, |text| {
        let (name, rest) = text.split_at(text.find(['=', ':'])?);
        Some((name, rest.strip_prefix('=').unwrap_or_else(|| rest[1..].trim())))
    })
}

/// Splits each. What it was is not part of the error, since it may be a secret.
fn pairs(
    flag: &str,
    form: &str,
    texts: &[String],
    split: impl Fn(&str) -> Option<(&str, &str)>,
) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs: Vec<(String, String)> = Vec::with_capacity(texts.len());
    for text in texts {
        let pair = split(text).map(|(name, value)| (name.trim(), value));
        let Some((name, value)) = pair.filter(|(name, _)| !name.is_empty()) else {
            return Err(Failure::usage(format!("{flag} must be {form}")));
        };
        if pairs.iter().any(|(other, _)| other == name) {
            return Err(Failure::usage(format!("{flag} names `{name}` twice")));
        }
        pairs.push((name.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}
