//! JSON schemas as something to hold values against, whoever wrote them.
//!
//! Nothing is fetched for a schema, and its patterns take linear time. How long a check may take is the caller's to say: a
//! schema of a few lines can take for ever.
//!
//! The engine is generic, and each crate that names it gets a copy of its own, a megabyte each. So it is named here alone,
//! and what stands here is not generic.
//!
//! ```
//! use codewhale_mcp_schema::{FaultKind, Schema};
//! use serde_json::json;
//!
//! let schema = Schema::compile(&json!({"type": "object", "required": ["path"]}))?;
//! assert!(schema.is_valid(&json!({"path": "README.md"})));
//! let faults = schema.faults(&json!({}), 10);
//! assert_eq!(faults[0].kind, FaultKind::Missing("path".to_owned()));
//! # Ok::<(), codewhale_mcp_schema::Invalid>(())
//! ```

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

/// The most memory that one pattern may take, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// A schema that values can be held against.
#[derive(Debug)]
pub struct Schema(Validator);

/// It is no valid schema, refers to another document, or has a pattern that needs more than linear time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Invalid {
    /// What is wrong; it may quote the schema.
    pub reason: String,
}

/// A place where a value is not what its schema says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A JSON pointer to it (RFC 6901); empty for the whole value.
    pub path: String,
    /// What is wrong; it may quote the value.
    pub message: String,
    /// What kind of fault.
    pub kind: FaultKind,
}

/// What kind of fault it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// An object lacks this member.
    Missing(String),
    /// An object has these members, which are not allowed.
    Unknown(Vec<String>),
    /// Nothing may stand there.
    Forbidden,
    /// Something else.
    Other,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// [`Invalid`].
    pub fn compile(schema: &Value) -> Result<Self, Invalid> {
        let patterns = PatternOptions::regex().size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE);
        let compiled = jsonschema::options().offline().with_pattern_options(patterns).build(schema);
        compiled.map(Self).map_err(|error| Invalid { reason: error.to_string() })
    }

    /// Whether a value is what the schema says.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// What a value is not as the schema says, at most so many faults.
    #[must_use]
    pub fn faults(&self, value: &Value, most: usize) -> Vec<Fault> {
        let fault = |error: jsonschema::ValidationError<'_>| Fault {
            path: error.instance_path().to_string(),
            message: error.to_string(),
            kind: kind(error.kind()),
        };
        self.0.iter_errors(value).take(most).map(fault).collect()
    }
}

fn kind(kind: &ValidationErrorKind) -> FaultKind {
    match kind {
        ValidationErrorKind::Required { property } => {
            FaultKind::Missing(property.as_str().map_or_else(|| property.to_string(), ToOwned::to_owned))
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => FaultKind::Unknown(unexpected.clone()),
        ValidationErrorKind::FalseSchema => FaultKind::Forbidden,
        _ => FaultKind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn faults_are_told_with_their_place_and_kind_and_no_more_than_wanted() {
        let schema = Schema::compile(&json!({
            "properties": {"a": {"properties": {"y": {}}, "additionalProperties": false}, "b": false, "c": {"minimum": 3}},
            "required": ["d"],
        }))
        .unwrap();
        let value = json!({"a": {"x": 1}, "b": 1, "c": 2});
        let mut found: Vec<_> =
            schema.faults(&value, 10).into_iter().map(|fault| (fault.path, fault.kind)).collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        let at = |path: &str, kind| (path.to_owned(), kind);
        let expected = [
            at("", FaultKind::Missing("d".to_owned())),
            at("/a", FaultKind::Unknown(vec!["x".to_owned()])),
            at("/b", FaultKind::Forbidden),
            at("/c", FaultKind::Other),
        ];
        assert_eq!(found, expected);
        assert_eq!(schema.faults(&value, 2).len(), 2);
        assert!(!schema.is_valid(&value) && schema.is_valid(&json!({"d": 0})));
    }

    #[test]
    fn a_schema_that_needs_the_network_or_much_time_is_none() {
        for schema in [
            json!({"$ref": "https://schemas.test/other.json"}),
            json!({"pattern": "(a)\\1"}),
            json!({"pattern": "(((a{100}){100}){100})"}),
            json!({"type": "nothing"}),
        ] {
            assert!(Schema::compile(&schema).is_err(), "{schema}");
        }
    }
}
