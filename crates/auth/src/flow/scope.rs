//! Which scopes are asked for.

use std::fmt;

/// Scopes, each once, in the order in which they came up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Scopes(Vec<String>);

impl Scopes {
    /// The scopes of a list with spaces in between (RFC 6749, section 3.3).
    #[must_use]
    pub fn read(text: &str) -> Self {
        text.split_ascii_whitespace().collect()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this one is among them.
    #[must_use]
    pub fn contains(&self, scope: &str) -> bool {
        self.0.iter().any(|one| one == scope)
    }

    /// These and those.
    #[must_use]
    pub fn union(&self, others: &Self) -> Self {
        self.0.iter().chain(&others.0).map(String::as_str).collect()
    }

    /// The same ones in an order of their own, to compare.
    #[must_use]
    pub fn sorted(&self) -> Vec<String> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
    }

    /// As a parameter: none when there is none, which is not the same as an empty one.
    #[must_use]
    pub fn parameter(&self) -> Option<String> {
        (!self.is_empty()).then(|| self.to_string())
    }
}

impl<'a> FromIterator<&'a str> for Scopes {
    fn from_iter<I: IntoIterator<Item = &'a str>>(scopes: I) -> Self {
        let mut all = Self::default();
        for scope in scopes {
            if !all.contains(scope) && !scope.is_empty() {
                all.0.push(scope.to_owned());
            }
        }
        all
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// What scopes are picked from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sources<'a> {
    /// The configuration's. They replace the others.
    pub(super) configured: Option<&'a Scopes>,
    /// The challenge's.
    pub(super) challenge: Option<&'a str>,
    /// The resource's metadata's.
    pub(super) resource: Option<&'a Vec<String>>,
    /// The authorization server's metadata's. They say only what may be asked for.
    pub(super) issuer: Option<&'a Vec<String>>,
    /// What was asked for before, where more is needed now.
    pub(super) former: Option<&'a Scopes>,
}

impl Sources<'_> {
    /// The scopes to ask for.
    pub(super) fn pick(self, keeps_refresh_tokens: bool) -> Scopes {
        let challenge = self.challenge.map(Scopes::read).filter(|scopes| !scopes.is_empty());
        let wanted = match (self.former, self.configured) {
            (None, Some(configured)) => return configured.clone(),
            (_, configured) => challenge
                .or_else(|| configured.cloned())
                .or_else(|| Some(self.resource?.iter().map(String::as_str).collect())),
        };
        let wanted = wanted.unwrap_or_default();
        let wanted = self.former.map_or_else(|| wanted.clone(), |former| former.union(&wanted));
        let offered = self.issuer.is_some_and(|scopes| scopes.iter().any(|scope| scope == OFFLINE));
        if offered && keeps_refresh_tokens && !wanted.is_empty() {
            return wanted.union(&Scopes(vec![OFFLINE.to_owned()]));
        }
        wanted
    }
}

/// The scope of refresh tokens (OpenID Connect Core, section 11).
pub(super) const OFFLINE: &str = "offline_access";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_come_from_the_configuration_the_challenge_the_resource_or_nowhere() {
        let list = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let (resource, issuer) = (list("r1 r2"), list("x offline_access"));
        let (configured, former) = (Scopes::read("c"), Scopes::read("f r1"));
        // configured, challenge, resource, issuer, former, keeps refresh tokens -> parameter
        let rows = [
            (false, Some("a b"), true, false, false, Some("a b")),
            (false, Some("a a  b"), false, false, false, Some("a b")),
            (false, Some(" "), true, false, false, Some("r1 r2")),
            (false, None, true, false, false, Some("r1 r2")),
            (false, None, false, false, false, None),
            (false, None, false, true, false, None),
            (false, None, true, true, false, Some("r1 r2 offline_access")),
            (false, Some("a"), true, true, false, Some("a offline_access")),
            (true, Some("a"), true, true, false, Some("c")),
            (false, Some("a"), true, false, true, Some("f r1 a")),
            (false, None, true, false, true, Some("f r1 r2")),
            (true, Some("a"), true, false, true, Some("f r1 a")),
            (true, None, true, false, true, Some("f r1 c")),
        ];
        for (is_configured, challenge, has_resource, has_issuer, has_former, expected) in rows {
            let sources = Sources {
                configured: is_configured.then_some(&configured),
                challenge,
                resource: has_resource.then_some(&resource),
                issuer: has_issuer.then_some(&issuer),
                former: has_former.then_some(&former),
            };
            assert_eq!(sources.pick(true).parameter().as_deref(), expected, "{sources:?}");
            let without = expected.map(|scopes| scopes.replace(" offline_access", ""));
            assert_eq!(sources.pick(false).parameter(), without, "{sources:?}");
        }
    }
}
