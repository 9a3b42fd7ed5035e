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
        headers: secrets("--header", &args.header)?,
        env_headers: pairs("--env-header", &args.env_header)?,
        bearer_token_env_var: args.bearer_token_env_var.clone(),
        allow_private_network: args.allow_private_network,
        ..Draft::default()
    })
}

/// Values that must not be shown, by name.
pub(crate) fn secrets(flag: &str, texts: &[String]) -> Result<Vec<(String, Secret<String>)>, Failure> {
    Ok(pairs(flag, texts)?.into_iter().map(|(name, value)| (name, Secret::new(value))).collect())
}

/// Splits each at its first `=`. What it was is not part of the error, since it may be a secret.
fn pairs(flag: &str, texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs: Vec<(String, String)> = Vec::with_capacity(texts.len());
    for text in texts {
        let pair = text.split_once('=').map(|(name, value)| (name.trim(), value));
        let Some((name, value)) = pair.filter(|(name, _)| !name.is_empty()) else {
            return Err(Failure::usage(format!("{flag} must be NAME=VALUE")));
        };
        if pairs.iter().any(|(other, _)| other == name) {
            return Err(Failure::usage(format!("{flag} names `{name}` twice")));
        }
        pairs.push((name.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}
