//! Known secrets do not pass.

use codewhale_mcp_redact::{Redactor, Secret};

fn redactor(secrets: &[&str]) -> Redactor {
    secrets.iter().map(|s| Secret::new((*s).to_owned())).collect::<Vec<_>>().iter().collect()
}

#[test]
fn known_secrets_are_replaced() {
    for (secrets, text, shown) in [
        (&["abcdef"][..], "x abcdef y abcdef", "x REDACTED y REDACTED"),
        (&["abcdef", "abcdefgh"], "abcdefgh abcdef", "REDACTED REDACTED"),
        (&["abcdef", "defghi"], "-abcdefghi-", "-REDACTED-"),
        (&["schlüssel"], "ein schlüssel ü", "ein REDACTED ü"),
        (&["line one 1\nline two 2\n}"], "line two 2 }", "REDACTED }"),
        (&["abcdef"], "abcde", "abcde"),
        (&["a", ""], "a banana", "a banana"),
        (&["aaaaaa"], "aaaaaaaaa!", "REDACTED!"),
    ] {
        assert_eq!(redactor(secrets).apply(text), shown, "{secrets:?}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let redactor = redactor(&["abcdef"]);
    assert_eq!(format!("{redactor:?}"), "Redactor { secrets: 1 }");
    assert!(!redactor.is_empty());
}
