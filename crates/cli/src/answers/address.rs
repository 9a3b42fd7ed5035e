//! Whether an address may be shown as one to open, and what is odd about it.

use codewhale_mcp_auth::browser::{BrowserUrl, UnfitUrl};
use url::{Host, Position, quirks};

use super::script::mixed;
use crate::print::Line;

/// An address that a person may be sent to (MCP 2026-07-28, client/elicitation).
#[derive(Debug)]
pub(super) struct Address(BrowserUrl);

impl Address {
    /// Reads an address. The error says why a person is not sent there.
    pub(super) fn read(text: &str) -> Result<Self, UnfitUrl> {
        BrowserUrl::parse(text).map(Self)
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn host(&self) -> &str {
        self.0.url().host_str().unwrap_or_default()
    }

    /// The whole of it, the host in bold.
    pub(super) fn line(&self) -> Line {
        let url = self.0.url();
        Line::new()
            .plain(&url[..Position::BeforeHost])
            .bold(&url[Position::BeforeHost..Position::AfterHost])
            .plain(&url[Position::AfterHost..])
    }

    /// What a person should look at twice.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let Some(Host::Domain(host)) = self.0.url().host() else { return warnings };
        if host.split('.').any(|label| label.starts_with("xn--")) {
            let shown = quirks::domain_to_unicode(host);
            warnings.push(format!("the host has letters of other alphabets and reads as {shown}"));
            if let Some((one, other)) = mixed(&shown) {
                warnings.push(format!("the host mixes {one} and {other} letters, which look alike"));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_where_it_leads_is_no_place_to_go_to() {
        for text in ["http://example.com/", "file:///etc/passwd", "https://good.example@evil.example/", "x"] {
            assert!(Address::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_odd_about_a_host_is_said() {
        let check = |text: &str, parts: &[&str]| {
            let warnings = Address::read(text).unwrap().warnings();
            assert_eq!(warnings.len(), parts.len(), "{text}: {warnings:?}");
            for (warning, part) in warnings.iter().zip(parts) {
                assert!(warning.contains(part), "{text}: {warnings:?}");
            }
        };
        check("https://example.com/x@y", &[]);
        check("https://xn--bcher-kva.example/", &["reads as bücher.example"]);
        check("https://pаypal.com/", &["reads as pаypal.com", "mixes Latin and Cyrillic"]);
        check("https://127.0.0.1/", &[]);
    }
}
