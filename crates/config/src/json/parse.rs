//! From text to nodes, by way of jsonc-parser.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::tokens::Token as Raw;
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ParseStringErrorKind, parse_to_ast,
};

use super::{Data, Member, Node, ParseReason, Token, TokenKind};

/// Objects and arrays within each other; servers need four.
const MAX_DEPTH: usize = 64;

/// Comments and trailing commas, and nothing else that JSON does not have.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// An offset and what is wrong there.
type Refusal = (usize, ParseReason);

pub(super) fn parse(text: &str) -> Result<Node, Refusal> {
    check_strings(text)?;
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS)
        .map_err(|error| (error.range().start, reason(error.kind())))?;
    match &parsed.value {
        Some(value) => node(value, 0),
        None => Err((0, ParseReason::Empty)),
    }
}

/// The commas and comments of a text that parses.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let parsed =
        parse_to_ast(text, &collect, &OPTIONS).ok().and_then(|parsed| parsed.tokens).unwrap_or_default();
    let token = |raw: jsonc_parser::tokens::TokenAndRange<'_>| {
        let kind = match raw.token {
            Raw::Comma => TokenKind::Comma,
            Raw::CommentLine(_) => TokenKind::LineComment,
            Raw::CommentBlock(_) => TokenKind::BlockComment,
            _ => return None,
        };
        Some(Token { kind, span: raw.range.start..raw.range.end })
    };
    parsed.into_iter().filter_map(token).collect()
}

fn node(value: &Value<'_>, depth: usize) -> Result<Node, Refusal> {
    let span = value.start()..value.end();
    if depth >= MAX_DEPTH {
        return Err((span.start, ParseReason::TooDeep { limit: MAX_DEPTH }));
    }
    let data = match value {
        Value::NullKeyword(_) => Data::Null,
        Value::BooleanLit(literal) => Data::Bool(literal.value),
        Value::StringLit(literal) => Data::String(literal.value.to_string()),
        Value::NumberLit(literal) => match literal.value.parse::<serde_json::Number>() {
            Ok(_) => Data::Number(literal.value.to_owned()),
            Err(_) => return Err((span.start, ParseReason::BadNumber)),
        },
        Value::Array(array) => {
            Data::Array(array.elements.iter().map(|e| node(e, depth + 1)).collect::<Result<_, _>>()?)
        }
        Value::Object(object) => {
            let member = |property: &jsonc_parser::ast::ObjectProp<'_>| {
                let key_span = match &property.name {
                    jsonc_parser::ast::ObjectPropName::String(name) => name.start()..name.end(),
                    jsonc_parser::ast::ObjectPropName::Word(name) => name.start()..name.end(),
                };
                let value = node(&property.value, depth + 1)?;
                Ok(Member { key: property.name.as_str().to_owned(), key_span, value })
            };
            Data::Object(object.properties.iter().map(member).collect::<Result<_, _>>()?)
        }
    };
    Ok(Node { span, data })
}

/// The parser lets a string run over the end of its line, and then finds fault far from the missing quote.
fn check_strings(text: &str) -> Result<(), Refusal> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => at = find(bytes, at, |rest| matches!(rest[0], b'\n' | b'\r')),
            (b'/', Some(b'*')) => at = find(bytes, at + 2, |rest| rest.starts_with(b"*/")) + 2,
            (b'"', _) => {
                let start = at;
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    match bytes[at] {
                        b'\n' | b'\r' => return Err((start, ParseReason::UnclosedString)),
                        0..=0x1f => return Err((at, ParseReason::ControlCharacter)),
                        b'\\' if matches!(bytes.get(at + 1), Some(next) if !next.is_ascii_control()) => {
                            at += 2
                        }
                        _ => at += 1,
                    }
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    Ok(())
}

fn find(bytes: &[u8], from: usize, found: impl Fn(&[u8]) -> bool) -> usize {
    (from..bytes.len()).find(|at| found(&bytes[*at..])).unwrap_or(bytes.len())
}

fn reason(kind: &ParseErrorKind) -> ParseReason {
    use ParseErrorKind as Kind;
    match kind {
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => ParseReason::UnclosedString,
        Kind::String(_) => ParseReason::BadEscape,
        Kind::UnterminatedCommentBlock => ParseReason::UnclosedComment,
        Kind::UnterminatedObject => ParseReason::UnclosedObject,
        Kind::UnterminatedArray => ParseReason::UnclosedArray,
        Kind::ExpectedComma => ParseReason::ExpectedComma,
        Kind::ExpectedColonAfterObjectKey => ParseReason::ExpectedColon,
        Kind::ExpectedObjectValue => ParseReason::ExpectedValue,
        Kind::ExpectedStringObjectProperty => ParseReason::ExpectedKey,
        Kind::SingleQuotedStringsNotAllowed => ParseReason::SingleQuotes,
        Kind::MultipleRootJsonValues => ParseReason::SeveralValues,
        Kind::NestingDepthExceeded => ParseReason::TooDeep { limit: MAX_DEPTH },
        Kind::UnexpectedCloseBrace => ParseReason::Unexpected { found: "`}`" },
        Kind::UnexpectedCloseBracket => ParseReason::Unexpected { found: "`]`" },
        Kind::UnexpectedColon => ParseReason::Unexpected { found: "`:`" },
        Kind::UnexpectedComma => ParseReason::Unexpected { found: "`,`" },
        Kind::UnexpectedWord => ParseReason::Unexpected { found: "word" },
        Kind::BareDecimalPointNumbersNotAllowed
        | Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral
        | Kind::HexadecimalNumbersNotAllowed
        | Kind::NonFiniteNumbersNotAllowed
        | Kind::UnaryPlusNumbersNotAllowed => ParseReason::BadNumber,
        _ => ParseReason::Unexpected { found: "character" },
    }
}
