//! What can be wrong with the arguments of tools that go into headers.

use std::fmt;

use thiserror::Error;

/// Why a tool must not be used over HTTP: its schema says wrongly which arguments go into headers.
///
/// Places are JSON pointers into the schema. They and names are the server's words, to be escaped before they are
/// shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// The annotation is no string.
    #[error("`x-mcp-header` at `{place}` is not a string")]
    NotAString {
        /// The annotated schema.
        place: String,
    },
    /// The annotation is no name of a header (RFC 9110, section 5.6.2); it may be empty.
    #[error("`x-mcp-header` at `{place}` is `{name}`, which cannot be part of a header's name")]
    NotAToken {
        /// The annotated schema.
        place: String,
        /// What it says.
        name: String,
    },
    /// Two annotations say the same, but for the case of letters.
    #[error("`x-mcp-header` at `{place}` is `{name}`, which another parameter has too")]
    Repeated {
        /// The schema that has it again.
        place: String,
        /// What it says.
        name: String,
    },
    /// The annotated parameter is not exactly a string, an integer or a boolean.
    #[error("`x-mcp-header` at `{place}` stands on no string, integer or boolean")]
    NotPrimitive {
        /// The annotated schema.
        place: String,
    },
    /// The annotated schema is no parameter at a fixed place.
    #[error("`x-mcp-header` at `{place}` is not reached through `properties` alone")]
    Unreachable {
        /// The annotated schema.
        place: String,
    },
    /// More annotations than a request can carry.
    #[error("there are more than {limit} `x-mcp-header`")]
    TooMany {
        /// The most there may be.
        limit: usize,
    },
    /// A schema with the word is too large to be looked into.
    #[error("a schema with `x-mcp-header` is longer than {limit} bytes")]
    TooLarge {
        /// The most bytes it may have.
        limit: usize,
    },
    /// A schema with the word is too deep to be looked into.
    #[error("a schema with `x-mcp-header` is deeper than {limit} levels")]
    TooDeep {
        /// The most levels it may have.
        limit: usize,
    },
    /// A name in the schema is no text.
    #[error("the schema at `{place}` cannot be read")]
    Unreadable {
        /// The object.
        place: String,
    },
}

/// The types of arguments that go into headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterType {
    /// A string.
    String,
    /// An integer.
    Integer,
    /// A boolean.
    Boolean,
}

impl fmt::Display for ParameterType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Boolean => "true or false",
        })
    }
}

/// An argument cannot stand in its header, so that the call cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderArgumentFault {
    /// It is of another type than the schema says.
    #[error("`{path}` goes into a header and must be {expected}")]
    NotOfItsType {
        /// Where it stands: a JSON pointer into the arguments.
        path: String,
        /// The type.
        expected: ParameterType,
    },
    /// It is an integer that not every peer can read exactly.
    #[error("`{path}` goes into a header and must lie between -(2^53-1) and 2^53-1")]
    OutOfRange {
        /// Where it stands: a JSON pointer into the arguments.
        path: String,
    },
}

/// A header as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentHeader<'a> {
    /// Its value, without the white space around it.
    Text(&'a str),
    /// It is no ASCII, or came twice.
    Unreadable,
}

/// A header does not say what the argument says that it mirrors.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeaderMismatch {
    /// The argument is there, and its header is not.
    #[error("the header `{header}` is missing")]
    Missing {
        /// The header's name.
        header: String,
    },
    /// The header is there, and its argument is not.
    #[error("the header `{header}` is there, and its argument is not")]
    Unexpected {
        /// The header's name.
        header: String,
    },
    /// It came twice, or is no text, or is marked as base64 and is not.
    #[error("the header `{header}` cannot be read")]
    Unreadable {
        /// The header's name.
        header: String,
    },
    /// It says something else.
    #[error("the header `{header}` does not say what its argument says")]
    Different {
        /// The header's name.
        header: String,
    },
    /// The argument cannot stand in a header at all.
    #[error("the header `{header}`: {fault}")]
    Argument {
        /// The header's name.
        header: String,
        /// What is wrong with the argument.
        #[source]
        fault: HeaderArgumentFault,
    },
}
