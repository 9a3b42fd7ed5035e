//! Which arguments of a tool travel in HTTP headers too (MCP 2026-07-28, server/tools, `x-mcp-header`).

use serde_json::value::RawValue;

use crate::header::{PARAM_PREFIX, decode_value, encode_value};
use crate::header_annotation::{Annotation, annotations_of};
use crate::{HeaderArgumentFault, HeaderFault, HeaderMismatch, Json, Members, ParameterType, SentHeader};

/// The headers of a tool's arguments, as the tool's input schema asks for them.
///
/// ```
/// use codewhale_mcp_protocol::{Json, ToolHeaders};
///
/// let schema = r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}"#;
/// let headers = ToolHeaders::of(&Json::from_text(schema)?)?;
/// let arguments = Json::from_text(r#"{"region":"us-west1","query":"whales"}"#)?;
/// assert_eq!(headers.values(&arguments)?, [("Mcp-Param-Region".to_owned(), "us-west1".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolHeaders {
    annotations: Vec<Annotation>,
}

impl ToolHeaders {
    /// What a tool's input schema asks for. A schema without the word is not parsed.
    ///
    /// # Errors
    /// When an annotation is not as it has to be. Such a tool must not be used over HTTP.
    pub fn of(input_schema: &Json) -> Result<Self, HeaderFault> {
        annotations_of(input_schema).map(|annotations| Self { annotations })
    }

    /// Whether no argument goes into a header.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.annotations.is_empty()
    }

    /// Whether the headers of a request say what its arguments say; `sent` looks for a header by its name, `None` meaning
    /// that there is none. Integers are compared as numbers, everything else as text, and other headers are not looked at.
    /// An argument that is missing or `null` has no header (MCP 2026-07-28, basic/transports/streamable-http).
    ///
    /// # Errors
    /// The first header that does not agree with its argument.
    pub fn check<'a>(
        &self,
        arguments: &Json,
        sent: impl Fn(&str) -> Option<SentHeader<'a>>,
    ) -> Result<(), HeaderMismatch> {
        self.annotations.iter().try_for_each(|annotation| {
            let header = format!("{PARAM_PREFIX}{}", annotation.name);
            let argument = find(arguments.as_str(), &annotation.path);
            let expected = argument.map(|value| text(value, annotation)).transpose();
            let expected = match expected {
                Ok(expected) => expected,
                Err(fault) => return Err(HeaderMismatch::Argument { header, fault }),
            };
            match (expected, sent(&header)) {
                (None, None) => Ok(()),
                (Some(_), None) => Err(HeaderMismatch::Missing { header }),
                (None, Some(_)) => Err(HeaderMismatch::Unexpected { header }),
                (Some(expected), Some(sent)) => {
                    let SentHeader::Text(sent) = sent else {
                        return Err(HeaderMismatch::Unreadable { header });
                    };
                    let sent = match decode_value(sent) {
                        Ok(sent) => sent,
                        Err(_) => return Err(HeaderMismatch::Unreadable { header }),
                    };
                    let same = match annotation.kind {
                        ParameterType::Integer => {
                            integer(&sent).is_some_and(|sent| sent.to_string() == expected)
                        }
                        _ => *sent == *expected,
                    };
                    if same { Ok(()) } else { Err(HeaderMismatch::Different { header }) }
                }
            }
        })
    }

    /// Name and value of each header for these arguments, ready to be sent. An argument that is missing or `null`
    /// has none.
    ///
    /// # Errors
    /// When an argument is not of the type that the schema says, or an integer beyond 2^53-1.
    pub fn values(&self, arguments: &Json) -> Result<Vec<(String, String)>, HeaderArgumentFault> {
        let header = |annotation: &Annotation| {
            let value = find(arguments.as_str(), &annotation.path)?;
            let name = format!("{PARAM_PREFIX}{}", annotation.name);
            Some(text(value, annotation).map(|text| (name, encode_value(&text).into_owned())))
        };
        self.annotations.iter().filter_map(header).collect()
    }
}

/// The value at the end of a path of members; of members with the same name the last one counts.
fn find<'a>(arguments: &'a str, path: &[Box<str>]) -> Option<&'a str> {
    let found = path.iter().try_fold(arguments, |value, name| {
        let members: Members<&'a RawValue> = serde_json::from_str(value).ok()?;
        members.into_iter().rfind(|(key, _)| key == name).map(|(_, value)| value.get())
    });
    found.filter(|value| *value != "null")
}

fn text(value: &str, annotation: &Annotation) -> Result<String, HeaderArgumentFault> {
    let text = match annotation.kind {
        ParameterType::String => serde_json::from_str(value).ok(),
        ParameterType::Boolean => matches!(value, "true" | "false").then(|| value.to_owned()),
        ParameterType::Integer => match integer(value) {
            Some(integer) if integer.unsigned_abs() > MAX_INTEGER => {
                return Err(HeaderArgumentFault::OutOfRange { path: annotation.pointer() });
            }
            integer => integer.map(|integer| integer.to_string()),
        },
    };
    text.ok_or_else(|| HeaderArgumentFault::NotOfItsType {
        path: annotation.pointer(),
        expected: annotation.kind,
    })
}

/// 2^53-1: what every peer can hold exactly.
const MAX_INTEGER: u128 = (1 << 53) - 1;

/// The integer that a JSON number is, however it is spelled; one that is too large comes out as some such number.
fn integer(value: &str) -> Option<i128> {
    if let Ok(integer) = value.parse() {
        return Some(integer);
    }
    let is_number = value.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let number: f64 = value.parse().ok().filter(|_| is_number)?;
    #[expect(clippy::cast_possible_truncation, reason = "it saturates, far beyond the range")]
    (number.is_infinite() || number.fract() == 0.0).then_some(number as i128)
}
