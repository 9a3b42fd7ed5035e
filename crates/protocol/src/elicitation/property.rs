//! The fields of a form, checked.

use serde_json::Number;

use crate::{Json, PropertySchema, PropertyType, StringFormat, TitledChoice};

/// A field of a form. Made by [`RequestedSchema::form`](crate::RequestedSchema::form).
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    /// Its name in the answer.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What is expected.
    pub description: Option<String>,
    /// Whether it has to be filled in.
    pub required: bool,
    /// What can be filled in.
    pub kind: PropertyKind,
}

/// What can be filled in.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PropertyKind {
    /// A text. Lengths count characters.
    String {
        /// The shortest.
        min_length: Option<u64>,
        /// The longest.
        max_length: Option<u64>,
        /// What it has to be. An unknown format asks for nothing.
        format: Option<StringFormat>,
        /// What stands there at first.
        default: Option<String>,
    },
    /// A number.
    Number {
        /// Fractions are not allowed.
        integer: bool,
        /// The least.
        minimum: Option<Number>,
        /// The greatest.
        maximum: Option<Number>,
        /// What stands there at first.
        default: Option<Number>,
    },
    /// Yes or no.
    Boolean {
        /// What stands there at first.
        default: Option<bool>,
    },
    /// One of several texts.
    SingleSelect {
        /// What to choose from, never empty.
        choices: Vec<Choice>,
        /// What is chosen at first.
        default: Option<String>,
    },
    /// Some of several texts.
    MultiSelect {
        /// What to choose from, never empty.
        choices: Vec<Choice>,
        /// The fewest.
        min_items: Option<u64>,
        /// The most.
        max_items: Option<u64>,
        /// What is chosen at first.
        default: Option<Vec<String>>,
    },
}

/// A value to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What goes into the answer.
    pub value: String,
    /// What people see, where it differs.
    pub title: Option<String>,
}

/// A schema is not the schema of a form (MCP 2026-07-28, client/elicitation).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidSchema {
    /// It does not describe an object.
    #[error("the requested schema is of type {kind:?}, not \"object\"")]
    NotAnObject {
        /// Its type.
        kind: String,
    },
    /// A field is required and not there.
    #[error("the requested schema requires {name:?}, which is none of its properties")]
    RequiredUnknown {
        /// The field.
        name: String,
    },
    /// A field is of a type that forms do not have, such as an object.
    #[error("the property {name:?} of the requested schema is of type {kind:?}, which forms do not have")]
    Unsupported {
        /// The field.
        name: String,
        /// Its type, empty if it has none.
        kind: String,
    },
    /// There is nothing to choose from.
    #[error("the property {name:?} of the requested schema has no values to choose from")]
    NoChoices {
        /// The field.
        name: String,
    },
    /// A limit is no whole number, or a lower limit is above its upper one.
    #[error("the property {name:?} of the requested schema has an impossible {limit}")]
    ImpossibleLimit {
        /// The field.
        name: String,
        /// The limit's name in the schema.
        limit: &'static str,
    },
    /// What stands there at first is not of the field's type, or none of its choices.
    #[error("the default of the property {name:?} of the requested schema does not fit it")]
    DefaultDoesNotFit {
        /// The field.
        name: String,
    },
}

impl Property {
    pub(crate) fn read(name: &str, schema: &PropertySchema, required: bool) -> Result<Self, InvalidSchema> {
        let reader = Reader { name, schema };
        let kind = match schema.kind.as_ref() {
            Some(PropertyType::String) if schema.choices.is_some() || schema.one_of.is_some() => {
                reader.single_select()?
            }
            Some(PropertyType::String) => reader.string()?,
            Some(PropertyType::Number) => reader.number(false)?,
            Some(PropertyType::Integer) => reader.number(true)?,
            Some(PropertyType::Boolean) => PropertyKind::Boolean { default: reader.default()? },
            Some(PropertyType::Array) => reader.multi_select()?,
            // `enum` alone says string too.
            None if schema.choices.is_some() || schema.one_of.is_some() => reader.single_select()?,
            other => {
                let kind = other.map(ToString::to_string).unwrap_or_default();
                return Err(InvalidSchema::Unsupported { name: name.into(), kind });
            }
        };
        let (title, description) = (schema.title.clone(), schema.description.clone());
        let property = Self { name: name.into(), title, description, required, kind };
        match &schema.default {
            Some(default) if property.default_fits(default) => Ok(property),
            Some(_) => Err(InvalidSchema::DefaultDoesNotFit { name: name.into() }),
            None => Ok(property),
        }
    }
}

struct Reader<'a> {
    name: &'a str,
    schema: &'a PropertySchema,
}

impl Reader<'_> {
    fn string(&self) -> Result<PropertyKind, InvalidSchema> {
        let min_length = self.count("minLength", self.schema.min_length.as_ref())?;
        let max_length = self.count("maxLength", self.schema.max_length.as_ref())?;
        self.ordered("maxLength", min_length, max_length)?;
        let format = self.schema.format.clone();
        Ok(PropertyKind::String { min_length, max_length, format, default: self.default()? })
    }

    fn number(&self, integer: bool) -> Result<PropertyKind, InvalidSchema> {
        let (minimum, maximum) = (self.schema.minimum.clone(), self.schema.maximum.clone());
        let float = |number: &Option<Number>| number.as_ref().and_then(Number::as_f64);
        self.ordered("maximum", float(&minimum), float(&maximum))?;
        Ok(PropertyKind::Number { integer, minimum, maximum, default: self.default()? })
    }

    fn single_select(&self) -> Result<PropertyKind, InvalidSchema> {
        let names = self.schema.choice_names.as_deref().unwrap_or_default();
        let choices = self.choices(self.schema.choices.as_deref(), names, self.schema.one_of.as_deref())?;
        Ok(PropertyKind::SingleSelect { choices, default: self.default()? })
    }

    fn multi_select(&self) -> Result<PropertyKind, InvalidSchema> {
        let items = self.schema.items.as_deref();
        let values = items.and_then(|items| items.choices.as_deref());
        let choices = self.choices(values, &[], items.and_then(|items| items.any_of.as_deref()))?;
        let min_items = self.count("minItems", self.schema.min_items.as_ref())?;
        let max_items = self.count("maxItems", self.schema.max_items.as_ref())?;
        self.ordered("maxItems", min_items, max_items)?;
        Ok(PropertyKind::MultiSelect { choices, min_items, max_items, default: self.default()? })
    }

    fn choices(
        &self,
        values: Option<&[String]>,
        names: &[String],
        titled: Option<&[TitledChoice]>,
    ) -> Result<Vec<Choice>, InvalidSchema> {
        let choice = |(value, title): (&String, Option<&String>)| {
            let title = title.filter(|title| *title != value).cloned();
            Choice { value: value.clone(), title }
        };
        let names = names.iter().map(Some).chain(std::iter::repeat(None));
        let choices: Vec<Choice> = match (titled, values) {
            (Some(titled), _) => titled.iter().map(|one| choice((&one.value, one.title.as_ref()))).collect(),
            (None, values) => values.unwrap_or_default().iter().zip(names).map(choice).collect(),
        };
        if choices.is_empty() {
            Err(InvalidSchema::NoChoices { name: self.name.into() })
        } else {
            Ok(choices)
        }
    }

    fn default<T: serde::de::DeserializeOwned>(&self) -> Result<Option<T>, InvalidSchema> {
        let decoded = self.schema.default.as_ref().map(Json::decode).transpose();
        decoded.map_err(|_| InvalidSchema::DefaultDoesNotFit { name: self.name.into() })
    }

    /// A limit that counts something. `1.0` is one.
    fn count(&self, limit: &'static str, number: Option<&Number>) -> Result<Option<u64>, InvalidSchema> {
        let Some(number) = number else { return Ok(None) };
        let float = number.as_f64().filter(|float| *float >= 0.0 && float.fract() == 0.0);
        match number.as_u64().or(float.map(|float| float as u64)) {
            Some(count) => Ok(Some(count)),
            None => Err(self.impossible(limit)),
        }
    }

    fn ordered<T: PartialOrd>(
        &self,
        limit: &'static str,
        least: Option<T>,
        most: Option<T>,
    ) -> Result<(), InvalidSchema> {
        match (least, most) {
            (Some(least), Some(most)) if least > most => Err(self.impossible(limit)),
            _ => Ok(()),
        }
    }

    fn impossible(&self, limit: &'static str) -> InvalidSchema {
        InvalidSchema::ImpossibleLimit { name: self.name.into(), limit }
    }
}
