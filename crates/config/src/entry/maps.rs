//! Objects whose members are names and strings: `env`, `headers`, `env_headers`.

use codewhale_mcp_redact::Secret;

use super::check::value_expectation;
use super::fields::{VARIABLE, WITHOUT_NULL, is_variable};
use super::{Fields, Pair};
use crate::json::{Data, Member};
use crate::{Located, Problem};

impl Fields<'_> {
    /// `env`: variables of the program.
    pub(super) fn env(&mut self) -> Vec<Pair<Secret<String>>> {
        let named = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
        let pairs = self.pairs("env", named, "a name without `=`");
        pairs.into_iter().map(secret).collect()
    }

    /// `headers`: literal ones.
    pub(super) fn headers(&mut self) -> Vec<Pair<Secret<String>>> {
        let pairs = self.pairs("headers", is_header_name, "a header name");
        self.refuse_repeated_headers("headers", &pairs);
        let mut headers = Vec::with_capacity(pairs.len());
        for pair in pairs {
            match value_expectation(&pair.value.value) {
                Some(expected) => {
                    let key = format!("headers.{}", pair.name);
                    self.problems.push(Problem::BadValue { place: pair.value.place, key, expected });
                }
                None => headers.push(secret(pair)),
            }
        }
        headers
    }

    /// `env_headers`, or its alias: header name to variable name.
    pub(super) fn env_headers(&mut self) -> Vec<Pair<String>> {
        let key = match (self.get("env_headers"), self.get("env_http_headers")) {
            (Some(first), Some(second)) => {
                let (first, second) = (self.key_place(first), self.key_place(second));
                let key = "env_headers (alias env_http_headers)".to_owned();
                self.problems.push(Problem::DuplicateKey { key, first, second });
                return Vec::new();
            }
            (None, Some(_)) => "env_http_headers",
            _ => "env_headers",
        };
        let pairs = self.pairs(key, is_header_name, "a header name");
        self.refuse_repeated_headers(key, &pairs);
        for pair in &pairs {
            if !is_variable(&pair.value.value) {
                let (place, key) = (pair.value.place.clone(), format!("{key}.{}", pair.name));
                self.problems.push(Problem::BadValue { place, key, expected: VARIABLE });
            }
        }
        pairs
    }

    fn pairs(
        &mut self,
        key: &'static str,
        named: fn(&str) -> bool,
        expected_name: &'static str,
    ) -> Vec<Pair<String>> {
        let Some(member) = self.get(key) else { return Vec::new() };
        let Some(members) = member.value.members() else {
            self.wrong_member(&member.value, key, "an object of strings");
            return Vec::new();
        };
        let mut pairs: Vec<Pair<String>> = Vec::with_capacity(members.len());
        let mut names: std::collections::HashMap<&str, &Member> = std::collections::HashMap::new();
        for member in members {
            let shown = format!("{key}.{}", codewhale_mcp_redact::safe_line(&member.key));
            if let Some(first) = names.insert(&member.key, member) {
                let (first, second) = (self.key_place(first), self.key_place(member));
                self.problems.push(Problem::DuplicateKey { key: shown, first, second });
                continue;
            }
            if !named(&member.key) {
                // `TOKEN=abc` or `Authorization: abc` as a name holds a value too, which is not for showing.
                let name = member.key.split(['=', ':']).next().unwrap_or_default();
                let key = format!("{key}.{}", codewhale_mcp_redact::safe_line(name));
                let place = self.key_place(member);
                self.problems.push(Problem::BadValue { place, key, expected: expected_name });
                continue;
            }
            match &member.value.data {
                Data::String(text) if text.contains('\0') => {
                    self.bad(&member.value, shown, WITHOUT_NULL);
                }
                Data::String(text) => pairs.push(Pair {
                    name: member.key.clone(),
                    value: Located::new(text.clone(), self.place(&member.value)),
                }),
                _ => self.wrong(&member.value, shown, "a string"),
            }
        }
        pairs
    }

    /// Header names differ by more than case.
    fn refuse_repeated_headers(&mut self, key: &str, pairs: &[Pair<String>]) {
        let mut names = std::collections::HashMap::new();
        for pair in pairs {
            if let Some(first) = names.insert(pair.name.to_ascii_lowercase(), &pair.value.place) {
                let (first, second) = (first.clone(), pair.value.place.clone());
                let key = format!("{key}.{}", pair.name);
                self.problems.push(Problem::DuplicateKey { key, first, second });
            }
        }
    }
}

fn secret(pair: Pair<String>) -> Pair<Secret<String>> {
    Pair { name: pair.name, value: pair.value.map(Secret::new) }
}

/// A token of RFC 9110, section 5.6.2.
fn is_header_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}
