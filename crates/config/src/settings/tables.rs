//! From TOML to nodes with positions.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Source;
use crate::json::{Data, Document, Lines, Member, Node, ParseError, ParseReason, toml_excerpt};

/// Parses a TOML text; its tables become objects.
pub(super) fn parse<'t>(text: &'t str, source: &Source) -> Result<Document<'t>, ParseError> {
    match DeTable::parse(text) {
        Ok(table) => {
            let root = Node { span: 0..text.len(), data: members(table.get_ref()) };
            Ok(Document::new(text, root, source))
        }
        Err(error) => {
            let lines = Lines::new(text);
            let offset = error.span().map_or(0, |span| span.start);
            let (line, column) = lines.position(offset);
            let shown = lines.line_of(offset);
            let caret = text.get(shown.start..offset).map_or(0, |before| before.chars().count());
            let message = codewhale_mcp_redact::safe_line(error.message()).into_owned();
            Err(ParseError {
                place: source.at(line, column),
                reason: ParseReason::Toml { message },
                excerpt: toml_excerpt(&text[shown], caret, line),
            })
        }
    }
}

fn members(table: &DeTable<'_>) -> Data {
    let mut members: Vec<Member> = table
        .iter()
        .map(|(key, value)| Member {
            key: key.get_ref().to_string(),
            key_span: key.span(),
            value: node(value),
        })
        .collect();
    // The map sorts by name; messages follow the text.
    members.sort_by_key(|member| member.key_span.start);
    Data::Object(members)
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let data = match value.get_ref() {
        DeValue::String(text) => Data::String(text.to_string()),
        DeValue::Boolean(flag) => Data::Bool(*flag),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Data::Number(number.to_string()),
            Err(_) => Data::Foreign("a number out of range"),
        },
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Data::Number(number.to_string()),
            _ => Data::Foreign("a number that is not finite"),
        },
        DeValue::Datetime(_) => Data::Foreign("a date"),
        DeValue::Array(elements) => Data::Array(elements.iter().map(node).collect()),
        DeValue::Table(table) => members(table),
    };
    Node { span: value.span(), data }
}
