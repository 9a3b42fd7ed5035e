//! Whether what a person filled in fits the form.

use serde_json::{Number, Value};

use super::format::has_format;
use crate::{Choice, Json, Members, Property, PropertyKind, StringFormat};

/// What was filled in does not fit the form.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidAnswer {
    /// A field that has to be filled in is not.
    #[error("{name:?} has to be filled in")]
    Missing {
        /// The field.
        name: String,
    },
    /// There is no such field.
    #[error("there is no field {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A value is not what its field asks for.
    #[error("{name:?} {misfit}")]
    Misfit {
        /// The field.
        name: String,
        /// In which way.
        misfit: Misfit,
    },
}

/// In which way a value does not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// It is of another type.
    #[error("has to be {expected}")]
    Type {
        /// What it has to be.
        expected: &'static str,
    },
    /// It has too few or too many characters or elements.
    #[error("has to have {least} to {most} {what}, not {found}")]
    Count {
        /// The fewest.
        least: u64,
        /// The most.
        most: u64,
        /// `characters` or `choices`.
        what: &'static str,
        /// How many it has.
        found: u64,
    },
    /// It is below the least or above the greatest.
    #[error("is out of range")]
    OutOfRange,
    /// It does not have the format.
    #[error("has to be of the format {0}")]
    Format(StringFormat),
    /// It is none of the choices, or one twice.
    #[error("cannot be {0:?}")]
    NotAChoice(String),
}

impl Property {
    /// Whether a value may be this field's.
    ///
    /// # Errors
    /// [`Misfit`] says why not.
    pub fn fits(&self, value: &Json) -> Result<(), Misfit> {
        // A value that serde_json cannot hold, such as a number of thousands of digits, is no answer.
        let value: Value = value.decode().unwrap_or_default();
        match (&self.kind, &value) {
            (PropertyKind::Boolean { .. }, Value::Bool(_)) => Ok(()),
            (PropertyKind::Boolean { .. }, _) => Err(Misfit::Type { expected: "true or false" }),
            (PropertyKind::Number { integer, minimum, maximum, .. }, value) => {
                number_fits(value, *integer, minimum.as_ref(), maximum.as_ref())
            }
            (PropertyKind::SingleSelect { choices, .. }, Value::String(text)) => chosen(choices, text),
            (PropertyKind::String { min_length, max_length, format, .. }, Value::String(text)) => {
                within("characters", text.chars().count() as u64, *min_length, *max_length)?;
                match format {
                    Some(format) if !has_format(text, format) => Err(Misfit::Format(format.clone())),
                    _ => Ok(()),
                }
            }
            (PropertyKind::String { .. } | PropertyKind::SingleSelect { .. }, _) => {
                Err(Misfit::Type { expected: "a text" })
            }
            (PropertyKind::MultiSelect { choices, min_items, max_items, .. }, Value::Array(items)) => {
                within("choices", items.len() as u64, *min_items, *max_items)?;
                all_chosen(choices, items)
            }
            (PropertyKind::MultiSelect { .. }, _) => Err(Misfit::Type { expected: "an array of texts" }),
        }
    }

    /// What stands there at first: goes into the answer of whoever leaves the field alone.
    #[must_use]
    pub fn default_value(&self) -> Option<Json> {
        let value = match &self.kind {
            PropertyKind::String { default, .. } | PropertyKind::SingleSelect { default, .. } => {
                default.clone().map(Value::from)
            }
            PropertyKind::Number { default, .. } => default.clone().map(Value::Number),
            PropertyKind::Boolean { default } => default.map(Value::from),
            PropertyKind::MultiSelect { default, .. } => default.clone().map(Value::from),
        };
        value.map(Json::from)
    }

    /// Whether a default may be this field's. One that is too short or too few is a start, not an answer.
    pub(crate) fn default_fits(&self, default: &Json) -> bool {
        !matches!(self.fits(default), Err(Misfit::Type { .. } | Misfit::NotAChoice(_)))
    }
}

/// What was filled in, and behind it the defaults of the fields that were left alone: they are part of the answer
/// (MCP 2026-07-28, client/elicitation). Whether that fits, [`check_answer`] says.
#[must_use]
pub fn with_defaults(form: &[Property], filled_in: Members<Json>) -> Members<Json> {
    let alone = form.iter().filter(|property| filled_in.member(&property.name).is_none());
    let defaults =
        alone.filter_map(|property| Some((property.name.as_str().into(), property.default_value()?)));
    let defaults: Vec<(Box<str>, Json)> = defaults.collect();
    filled_in.into_iter().chain(defaults).collect()
}

/// Checks what was filled in against the form (MCP 2026-07-28, client/elicitation).
///
/// # Errors
/// The first field that does not fit, in the order of the form, then the first name that is no field's.
pub fn check_answer(form: &[Property], content: &Members<Json>) -> Result<(), InvalidAnswer> {
    for property in form {
        let name = || property.name.clone();
        match content.member(&property.name) {
            Some(value) => {
                property.fits(value).map_err(|misfit| InvalidAnswer::Misfit { name: name(), misfit })?;
            }
            None if property.required => return Err(InvalidAnswer::Missing { name: name() }),
            None => {}
        }
    }
    match content.iter().find(|(name, _)| !form.iter().any(|property| property.name == *name)) {
        Some((name, _)) => Err(InvalidAnswer::Unknown { name: name.into() }),
        None => Ok(()),
    }
}

fn number_fits(
    value: &Value,
    integer: bool,
    minimum: Option<&Number>,
    maximum: Option<&Number>,
) -> Result<(), Misfit> {
    let expected = if integer { "a whole number" } else { "a number" };
    let Some(number) = value.as_f64() else { return Err(Misfit::Type { expected }) };
    if integer && number.fract() != 0.0 {
        return Err(Misfit::Type { expected });
    }
    let below = minimum.and_then(Number::as_f64).is_some_and(|minimum| number < minimum);
    let above = maximum.and_then(Number::as_f64).is_some_and(|maximum| number > maximum);
    if below || above { Err(Misfit::OutOfRange) } else { Ok(()) }
}

fn within(what: &'static str, found: u64, least: Option<u64>, most: Option<u64>) -> Result<(), Misfit> {
    let (least, most) = (least.unwrap_or(0), most.unwrap_or(u64::MAX));
    if (least..=most).contains(&found) { Ok(()) } else { Err(Misfit::Count { least, most, what, found }) }
}

fn chosen(choices: &[Choice], text: &str) -> Result<(), Misfit> {
    let known = choices.iter().any(|choice| choice.value == text);
    if known { Ok(()) } else { Err(Misfit::NotAChoice(text.into())) }
}

fn all_chosen(choices: &[Choice], items: &[Value]) -> Result<(), Misfit> {
    for (at, item) in items.iter().enumerate() {
        let Some(text) = item.as_str() else { return Err(Misfit::Type { expected: "an array of texts" }) };
        chosen(choices, text)?;
        if items[..at].contains(item) {
            return Err(Misfit::NotAChoice(text.into()));
        }
    }
    Ok(())
}
