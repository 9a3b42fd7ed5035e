//! `${VAR}`, `${VAR:-default}` and `${env:VAR}`, in one pass.

use crate::Environment;

/// A text after expansion.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// The variables that were used, with their values.
    pub(super) used: Vec<(String, String)>,
    /// Whether a `${…}` of another form was left as it is.
    pub(super) unknown_form: bool,
}

/// Why a text cannot be expanded; names the variable only.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ExpandError {
    Missing(String),
    NotText(String),
}

/// Expands a text once: what a variable holds is never looked at again. Every other form stays as it is.
pub(super) fn expand(text: &str, environment: &dyn Environment) -> Result<Expanded, ExpandError> {
    let mut expanded =
        Expanded { text: String::with_capacity(text.len()), used: Vec::new(), unknown_form: false };
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        expanded.text.push_str(&rest[..start]);
        let inner = &rest[start + 2..];
        match inner.find('}').and_then(|end| Some((reference(&inner[..end])?, end))) {
            Some(((name, default), end)) => {
                expanded.text.push_str(&look_up(name, default, environment, &mut expanded.used)?);
                rest = &inner[end + 1..];
            }
            None => {
                expanded.unknown_form = true;
                expanded.text.push_str("${");
                rest = inner;
            }
        }
    }
    expanded.text.push_str(rest);
    Ok(expanded)
}

/// The value of a variable, or its default.
fn look_up(
    name: &str,
    default: Option<&str>,
    environment: &dyn Environment,
    used: &mut Vec<(String, String)>,
) -> Result<String, ExpandError> {
    let value = match environment.variable(name) {
        Some(value) => Some(value.into_string().map_err(|_| ExpandError::NotText(name.to_owned()))?),
        None => None,
    };
    match (value, default) {
        // As in a shell, `:-` also stands in for an empty value.
        (Some(value), None) => {
            used.push((name.to_owned(), value.clone()));
            Ok(value)
        }
        (Some(value), Some(_)) if !value.is_empty() => {
            used.push((name.to_owned(), value.clone()));
            Ok(value)
        }
        (_, Some(default)) => Ok(default.to_owned()),
        (None, None) => Err(ExpandError::Missing(name.to_owned())),
    }
}

/// The variable and the default of what stands between the braces, if it is one of the known forms.
fn reference(inner: &str) -> Option<(&str, Option<&str>)> {
    let inner = inner.strip_prefix("env:").unwrap_or(inner);
    let (name, default) = match inner.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inner, None),
    };
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some((name, default))
}
