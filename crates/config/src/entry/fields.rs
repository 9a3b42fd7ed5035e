//! Reads typed values out of nodes and writes down what is wrong.

use std::collections::HashMap;
use std::time::Duration;

use codewhale_mcp_redact::looks_like_secret;

use crate::json::{Data, Document, Member, Node};
use crate::timeouts::Limit;
use crate::{Located, Place, Problem, Warning};

/// The longest timeout; a clock cannot add much more.
const MAX_SECONDS: f64 = 4_294_967_296.0;

/// Programs and the system cannot take them.
pub(super) const WITHOUT_NULL: &str = "a string without null characters";

/// What a member must be that names a variable.
pub(super) const VARIABLE: &str = "the name of an environment variable, not its value";

/// Whether a text can be meant as the name of a variable.
pub(super) fn is_variable(name: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || matches!(c, '=' | '$' | '\0');
    !name.is_empty() && !name.contains(odd) && !looks_like_secret(name)
}

/// The members of one object, and what was found wrong with them.
pub(crate) struct Fields<'d> {
    pub(crate) document: &'d Document<'d>,
    /// What stands before a member's name in messages, such as `oauth.`.
    prefix: &'static str,
    members: HashMap<&'d str, &'d Member>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'d> Fields<'d> {
    /// The members of an object; one that stands twice is a problem. A `null` counts as absent.
    pub(crate) fn new(document: &'d Document<'d>, members: &'d [Member]) -> Self {
        Self::within(document, members, "")
    }

    fn within(document: &'d Document<'d>, members: &'d [Member], prefix: &'static str) -> Self {
        let mut fields =
            Self { document, prefix, members: HashMap::new(), problems: Vec::new(), warnings: Vec::new() };
        let mut seen = HashMap::new();
        for member in members {
            if let Some(first) = seen.insert(member.key.as_str(), member) {
                let (first, second) = (fields.key_place(first), fields.key_place(member));
                let key = fields.shown(&member.key);
                fields.problems.push(Problem::DuplicateKey { key, first, second });
            }
            if !matches!(member.value.data, Data::Null) {
                fields.members.insert(&member.key, member);
            }
        }
        fields
    }

    /// The members of an object within this one, read by `read`. What it finds wrong is ours.
    pub(crate) fn inner<T: Default>(
        &mut self,
        key: &'static str,
        prefix: &'static str,
        read: impl FnOnce(&mut Fields<'d>, &'d [Member]) -> T,
    ) -> T {
        let Some(member) = self.get(key) else { return T::default() };
        let Some(members) = member.value.members() else {
            self.wrong_member(&member.value, key, "an object");
            return T::default();
        };
        let mut inner = Fields::within(self.document, members, prefix);
        let value = read(&mut inner, members);
        self.problems.append(&mut inner.problems);
        self.warnings.append(&mut inner.warnings);
        value
    }

    fn shown(&self, key: &str) -> String {
        format!("{}{}", self.prefix, codewhale_mcp_redact::safe_line(key))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'d Member> {
        self.members.get(key).copied()
    }

    pub(crate) fn place(&self, node: &Node) -> Place {
        self.document.place(node.span.start)
    }

    pub(crate) fn key_place(&self, member: &Member) -> Place {
        self.document.place(member.key_span.start)
    }

    pub(crate) fn wrong(&mut self, node: &Node, key: String, expected: &'static str) {
        let (place, found) = (self.place(node), node.kind());
        self.problems.push(Problem::WrongType { place, key, expected, found });
    }

    pub(crate) fn bad(&mut self, node: &Node, key: String, expected: &'static str) {
        let place = self.place(node);
        self.problems.push(Problem::BadValue { place, key, expected });
    }

    pub(crate) fn wrong_member(&mut self, node: &Node, key: &str, expected: &'static str) {
        self.wrong(node, self.shown(key), expected);
    }

    pub(crate) fn bad_member(&mut self, node: &Node, key: &str, expected: &'static str) {
        self.bad(node, self.shown(key), expected);
    }

    pub(crate) fn string(&mut self, key: &'static str) -> Option<Located<String>> {
        let node = &self.get(key)?.value;
        match &node.data {
            Data::String(text) if text.contains('\0') => self.bad_member(node, key, WITHOUT_NULL),
            Data::String(text) => return Some(Located::new(text.clone(), self.place(node))),
            _ => self.wrong_member(node, key, "a string"),
        }
        None
    }

    /// A string that may not be empty.
    pub(crate) fn name(&mut self, key: &'static str) -> Option<Located<String>> {
        let text = self.string(key)?;
        match text.value.trim().is_empty() {
            true => {
                let key = self.shown(key);
                self.problems.push(Problem::BadValue { place: text.place, key, expected: "not empty" });
                None
            }
            false => Some(text),
        }
    }

    /// The name of an environment variable. A value in its place would be shown wherever the variable is named.
    pub(crate) fn variable(&mut self, key: &'static str) -> Option<Located<String>> {
        let name = self.name(key)?;
        if is_variable(&name.value) {
            return Some(name);
        }
        let key = self.shown(key);
        self.problems.push(Problem::BadValue { place: name.place, key, expected: VARIABLE });
        None
    }

    pub(crate) fn flag(&mut self, key: &'static str) -> Option<Located<bool>> {
        let node = &self.get(key)?.value;
        match node.data {
            Data::Bool(value) => Some(Located::new(value, self.place(node))),
            _ => {
                self.wrong_member(node, key, "true or false");
                None
            }
        }
    }

    pub(crate) fn strings(&mut self, key: &'static str) -> Vec<Located<String>> {
        let Some(member) = self.get(key) else { return Vec::new() };
        let Data::Array(elements) = &member.value.data else {
            self.wrong_member(&member.value, key, "an array of strings");
            return Vec::new();
        };
        let mut strings = Vec::with_capacity(elements.len());
        for (at, element) in elements.iter().enumerate() {
            let shown = format!("{}[{at}]", self.shown(key));
            match &element.data {
                Data::String(text) if text.contains('\0') => self.bad(element, shown, WITHOUT_NULL),
                Data::String(text) => strings.push(Located::new(text.clone(), self.place(element))),
                _ => self.wrong(element, shown, "a string"),
            }
        }
        strings
    }

    /// A whole number from 1 on.
    pub(crate) fn count(&mut self, key: &'static str, most: u64) -> Option<Located<u64>> {
        let node = &self.get(key)?.value;
        match &node.data {
            Data::Number(number) => match number.parse::<u64>() {
                Ok(count) if (1..=most).contains(&count) => {
                    return Some(Located::new(count, self.place(node)));
                }
                _ if most == u64::from(u16::MAX) => {
                    self.bad_member(node, key, "a whole number from 1 to 65535")
                }
                _ => self.bad_member(node, key, "a whole number from 1 on"),
            },
            _ => self.wrong_member(node, key, "a number"),
        }
        None
    }

    /// A time in units of `unit` seconds; 0 is the default, a negative one an error.
    pub(crate) fn limit(&mut self, key: &'static str, unit: f64) -> Option<Located<Limit>> {
        let node = &self.get(key)?.value;
        let Data::Number(number) = &node.data else {
            self.wrong_member(node, key, "a number");
            return None;
        };
        let seconds = number.parse::<f64>().unwrap_or(f64::INFINITY) * unit;
        let expected = match seconds {
            0.0 => return Some(Located::new(Limit::Default, self.place(node))),
            s if s < 0.0 => "0 (the default) or more",
            s if s > MAX_SECONDS => "at most 4294967296 seconds",
            s if s < 0.001 => "at least one millisecond",
            s => match Duration::try_from_secs_f64(s) {
                Ok(time) => return Some(Located::new(Limit::Of(time), self.place(node))),
                Err(_) => "a number of seconds",
            },
        };
        self.bad_member(node, key, expected);
        None
    }

    /// Warns about members that are not among the known ones.
    pub(crate) fn warn_unknown(
        &mut self,
        members: &[Member],
        known: &[&'static str],
        suggest: impl Fn(&str) -> Option<&'static str>,
    ) {
        for member in members.iter().filter(|member| !known.contains(&member.key.as_str())) {
            let place = self.key_place(member);
            self.warnings.push(Warning::UnknownKey {
                place,
                key: format!("{}{}", self.prefix, member.key),
                suggestion: suggest(&member.key),
            });
        }
    }
}
