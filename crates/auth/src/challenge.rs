//! What a server says about authorization: `WWW-Authenticate` (RFC 9110, section 11.6.1; RFC 6750, section 3; RFC 9728,
//! section 5.1).

use codewhale_mcp_redact::safe_line;

/// One challenge. Its parameters may be hostile text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme, as it is written; schemes are compared without regard to case.
    pub scheme: String,
    /// Its parameters, names in lower case, each once: the first counts.
    pub parameters: Vec<(String, String)>,
}

/// What the challenges of an answer ask of an OAuth client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Demand {
    /// Where the metadata of the resource are.
    pub resource_metadata: Option<String>,
    /// The scopes that are needed.
    pub scope: Option<String>,
    /// What was wrong with the token.
    pub error: Option<String>,
    /// The same in words, safe to show.
    pub description: Option<String>,
    /// Whether tokens have to be bound to a key (RFC 9449).
    pub is_bound: bool,
}

impl Challenge {
    /// Reads every challenge of every value of `WWW-Authenticate`. What is none is left out.
    #[must_use]
    pub fn read<S: AsRef<str>>(values: &[S]) -> Vec<Self> {
        values.iter().flat_map(|value| Scanner { rest: value.as_ref() }.challenges()).collect()
    }

    fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }
}

impl Demand {
    /// Picks what concerns tokens out of all challenges.
    #[must_use]
    pub fn read<S: AsRef<str>>(values: &[S]) -> Self {
        let all = Challenge::read(values);
        let ours: Vec<&Challenge> = all.iter().filter(|one| one.is("bearer") || one.is("dpop")).collect();
        let first = |name: &str| {
            let found = ours.iter().find_map(|one| one.parameter(name));
            found.filter(|value| !value.trim().is_empty()).map(str::to_owned)
        };
        Self {
            resource_metadata: first("resource_metadata"),
            scope: first("scope"),
            error: first("error"),
            description: first("error_description").map(|text| shown(&text)),
            is_bound: ours.iter().any(|one| one.is("dpop")) && !ours.iter().any(|one| one.is("bearer")),
        }
    }

    /// Whether it says that the token has too few scopes (RFC 6750, section 3.1).
    #[must_use]
    pub fn is_about_scope(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    /// The scopes that the token has too few of, safe to show and empty where they are not named; `None` where it is not
    /// about scopes.
    #[must_use]
    pub fn lacking(&self) -> Option<String> {
        self.is_about_scope().then(|| shown(self.scope.as_deref().unwrap_or_default()))
    }

    /// Whether it asks for a nonce in the proof (RFC 9449, section 9).
    #[must_use]
    pub fn is_about_nonce(&self) -> bool {
        self.error.as_deref() == Some("use_dpop_nonce")
    }
}

/// Words of a stranger, on one line and not too long.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 300;
    let line = safe_line(text);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.into_owned(),
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn challenges(mut self) -> Vec<Challenge> {
        let mut all: Vec<Challenge> = Vec::new();
        loop {
            self.skip(|c| is_space(c) || c == ',');
            if self.rest.is_empty() {
                return all;
            }
            let name = self.take(is_token);
            if name.is_empty() {
                self.skip(|c| c != ',');
                continue;
            }
            if let Some(challenge) = all.last_mut()
                && let Some(value) = self.value()
            {
                let name = name.to_ascii_lowercase();
                if challenge.parameter(&name).is_none() {
                    challenge.parameters.push((name, value));
                }
                continue;
            }
            all.push(Challenge { scheme: name.to_owned(), parameters: Vec::new() });
            self.skip_token68();
        }
    }

    /// The value of a parameter whose name was just taken.
    fn value(&mut self) -> Option<String> {
        let rest = self.rest.trim_start_matches(is_space).strip_prefix('=')?;
        self.rest = rest.trim_start_matches(is_space);
        let Some(quoted) = self.rest.strip_prefix('"') else {
            // Not every server quotes what it has to.
            return Some(self.take(|c| !is_space(c) && c != ',').to_owned());
        };
        let mut value = String::new();
        let mut letters = quoted.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &quoted[at + 1..];
                    return Some(value);
                }
                '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
                other => value.push(other),
            }
        }
        self.rest = "";
        Some(value)
    }

    /// Leaves out credentials that some schemes have instead of parameters.
    fn skip_token68(&mut self) {
        let rest = self.rest.trim_start_matches(is_space);
        let word = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c));
        let after = word.trim_start_matches('=').trim_start_matches(is_space);
        if rest.len() < self.rest.len()
            && word.len() < rest.len()
            && (after.is_empty() || after.starts_with(','))
        {
            self.rest = after;
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self.rest.split_at(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn skip(&mut self, unwanted: impl Fn(char) -> bool) {
        self.take(unwanted);
    }
}

fn is_space(c: char) -> bool {
    c == ' ' || c == '\t'
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}
