//! Forms of addresses (RFC 6570): simple expressions, `{name}` and `{+name}`.

use codewhale_mcp_protocol::Members;
use percent_encoding::percent_decode_str;

/// The variables of an address that has the form of a template.
#[derive(Debug, Clone, PartialEq)]
pub struct Variables {
    uri: String,
    values: Members<String>,
}

impl Variables {
    /// The whole address.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The value of the variable with this name, decoded; every variable of the template has one.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.values.member(name).map_or("", String::as_str)
    }
}

/// A template, as parts to compare an address with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UriTemplate(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    /// A variable; `path` says that its value may have slashes.
    Variable {
        name: String,
        path: bool,
    },
}

impl UriTemplate {
    pub(super) fn parse(template: &str) -> Result<Self, &'static str> {
        let (mut parts, mut rest) = (Vec::new(), template);
        while let Some((literal, expression)) = rest.split_once('{') {
            if !literal.is_empty() {
                parts.push(Part::Literal(literal.to_owned()));
            } else if matches!(parts.last(), Some(Part::Variable { .. })) {
                return Err("two variables stand side by side");
            }
            let (expression, after) = expression.split_once('}').ok_or("an expression has no end")?;
            let (name, path) = match expression.strip_prefix('+') {
                Some(name) => (name, true),
                None => (expression, false),
            };
            let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.');
            if name.is_empty() || !name.chars().all(plain) {
                return Err("only {name} and {+name} are understood");
            }
            parts.push(Part::Variable { name: name.to_owned(), path });
            rest = after;
        }
        if rest.contains('}') {
            return Err("an expression has no beginning");
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_owned()));
        }
        Ok(Self(parts))
    }

    /// The variables of an address, if it has this form. Each takes as little as it can.
    pub(super) fn matches(&self, uri: &str) -> Option<Variables> {
        let (mut rest, mut values) = (uri, Members::default());
        for (at, part) in self.0.iter().enumerate() {
            match part {
                Part::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
                Part::Variable { name, path } => {
                    let end = match self.0.get(at + 1) {
                        Some(Part::Literal(next)) => rest.find(next.as_str())?,
                        _ => rest.len(),
                    };
                    let (value, after) = rest.split_at(end);
                    if value.is_empty() || (!path && value.contains('/')) {
                        return None;
                    }
                    values.push(name.as_str(), percent_decode_str(value).decode_utf8().ok()?.into_owned());
                    rest = after;
                }
            }
        }
        rest.is_empty().then(|| Variables { uri: uri.to_owned(), values })
    }
}

#[cfg(test)]
mod tests {
    use super::UriTemplate;

    #[test]
    fn an_address_has_the_form_of_a_template_or_not() {
        let check = |template: &str, uri: &str, expected: Option<&[(&str, &str)]>| {
            let variables = UriTemplate::parse(template).unwrap().matches(uri);
            let found: Option<Vec<(&str, &str)>> = variables.as_ref().map(|variables| {
                variables.values.iter().map(|(name, value)| (name, value.as_str())).collect()
            });
            assert_eq!(found.as_deref(), expected, "{template} {uri}");
        };
        check("test://t/{id}/data", "test://t/1%2F2/data", Some(&[("id", "1/2")]));
        check("test://t/{id}/data", "test://t/1/2/data", None);
        check("test://t/{id}/data", "test://t//data", None);
        check("file:///{+path}", "file:///a/b", Some(&[("path", "a/b")]));
        check("x:{a}-{b}", "x:1-2-3", Some(&[("a", "1"), ("b", "2-3")]));
        check("x:y", "x:y", Some(&[]));
        check("x:y", "x:yz", None);
        check("x:{a}", "x:%ff", None);
    }

    #[test]
    fn what_is_not_understood_is_no_template() {
        for template in ["x:{a}{b}", "x:{", "x:}", "x:{}", "x:{?q}", "x:{a*}"] {
            assert!(UriTemplate::parse(template).is_err(), "{template}");
        }
    }
}
