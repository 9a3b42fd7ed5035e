//! `${VAR}`, `${VAR:-default}` and `${env:VAR}`, in one pass.

use crate::Environment;

/// A text after expansion.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// The variables that were used, with their values.
    pub(super) used: Vec<(String, String)>,
}

/// Why a text cannot be expanded; names the variable only.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ExpandError {
    Missing(String),
    NotText(String),
}

/// Expands a text once: what a variable holds is never looked at again. Every other form stays as it is.
pub(super) fn expand(text: &str, environment: &dyn Environment) -> Result<Expanded, ExpandError> {
    let mut expanded = Expanded { text: String::with_capacity(text.len()), used: Vec::new() };
    for piece in pieces(text) {
        match piece {
            Piece::Plain(plain) => expanded.text.push_str(plain),
            Piece::Variable { name, default } => {
                expanded.text.push_str(&look_up(name, default, environment, &mut expanded.used)?);
            }
            Piece::Odd(_) => expanded.text.push_str("${"),
        }
    }
    Ok(expanded)
}

/// The variables that an expansion of a text looks up.
pub(crate) fn variables(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter_map(|piece| match piece {
        Piece::Variable { name, .. } => Some(name),
        _ => None,
    })
}

/// What follows the first `${` of a text that is not expanded.
pub(crate) fn odd_form(text: &str) -> Option<&str> {
    pieces(text).find_map(|piece| match piece {
        Piece::Odd(rest) => Some(rest),
        _ => None,
    })
}

enum Piece<'t> {
    Plain(&'t str),
    Variable {
        name: &'t str,
        default: Option<&'t str>,
    },
    /// A `${` that is not one of the known forms, and the whole text behind it, which is looked at again.
    Odd(&'t str),
}

fn pieces(mut rest: &str) -> impl Iterator<Item = Piece<'_>> {
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(inner) = rest.strip_prefix("${") else {
            let (plain, tail) = rest.split_at(rest.find("${").unwrap_or(rest.len()));
            rest = tail;
            return Some(Piece::Plain(plain));
        };
        let known = inner.find('}').and_then(|end| Some((reference(&inner[..end])?, &inner[end + 1..])));
        let (piece, tail) = match known {
            Some(((name, default), tail)) => (Piece::Variable { name, default }, tail),
            None => (Piece::Odd(inner), inner),
        };
        rest = tail;
        Some(piece)
    })
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
