//! Whether an address may be shown as one to open, and what is odd about it.

use url::{Host, Position, Url, quirks};

use super::script::mixed;
use crate::print::Line;

/// The longest address that a person is shown, in bytes.
const LONGEST: usize = 4096;

/// An address that a person may be sent to (MCP 2026-07-28, client/elicitation).
#[derive(Debug)]
pub(super) struct Address(Url);

impl Address {
    /// Reads an address: `https`, or `http` on this machine. The error says why a person is not sent there.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("it is longer than {LONGEST} bytes"));
        }
        if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err("it has blanks or control characters in it".to_owned());
        }
        let url = Url::parse(text).map_err(|error| format!("it is no address: {error}"))?;
        match url.scheme() {
            "https" => Ok(Self(url)),
            "http" if is_loopback(&url) => Ok(Self(url)),
            "http" => Err("http is only for this machine itself, others need https".to_owned()),
            other => Err(format!("its scheme is `{other}`, not https")),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The whole of it, the host in bold.
    pub(super) fn line(&self) -> Line {
        let url = &self.0;
        Line::new()
            .plain(&url[..Position::BeforeHost])
            .bold(&url[Position::BeforeHost..Position::AfterHost])
            .plain(&url[Position::AfterHost..])
    }

    /// What a person should look at twice.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.0.username().is_empty() || self.0.password().is_some() {
            let host = self.host();
            warnings.push(format!("what stands before the `@` is not the host; the host is {host}"));
        }
        let Some(Host::Domain(host)) = self.0.host() else { return warnings };
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

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost" || domain.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_this_machine_are_places_to_go_to() {
        for fine in [
            "https://login.example/a?b=c#d",
            "HTTPS://EXAMPLE.com",
            "http://localhost:8080/x",
            "http://127.0.0.1/",
            "http://[::1]:1/",
        ] {
            assert!(Address::read(fine).is_ok(), "{fine}");
        }
        let rows = [
            ("http://example.com/", "need https"),
            ("http://localhost.evil.example/", "need https"),
            ("file:///etc/passwd", "scheme is `file`"),
            ("smb://host/share", "scheme is `smb`"),
            ("javascript:alert(1)", "scheme is `javascript`"),
            ("data:text/html,x", "scheme is `data`"),
            ("ssh://host/$(calc)", "scheme is `ssh`"),
            ("https://", "no address"),
            ("https://a.example/\u{1b}[2J", "control characters"),
            ("https://a.example/ b", "blanks"),
            ("java\nscript://a.example/", "control characters"),
            ("not an address", "blanks"),
            ("relative/path", "no address"),
        ];
        for (text, why) in rows {
            let error = Address::read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(Address::read(&format!("https://a.example/{}", "x".repeat(5000))).is_err());
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
        check("https://good.example@evil.example/", &["the host is evil.example"]);
        check("https://xn--bcher-kva.example/", &["reads as bücher.example"]);
        check("https://pаypal.com/", &["reads as pаypal.com", "mixes Latin and Cyrillic"]);
        check("https://127.0.0.1/", &[]);
    }
}
