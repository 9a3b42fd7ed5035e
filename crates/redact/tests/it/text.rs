//! What a terminal gets to see.

use codewhale_mcp_redact::{Secret, safe_line, safe_text};

#[test]
fn x02_no_control_character_survives() {
    for (text, line, several) in [
        ("plain ü 鲸", "plain ü 鲸", "plain ü 鲸"),
        ("\u{1b}[2J", "\\u{1b}[2J", "\\u{1b}[2J"),
        ("\u{1b}]0;T\u{7}", "\\u{1b}]0;T\\u{7}", "\\u{1b}]0;T\\u{7}"),
        ("a\rb", "a\\rb", "a\\rb"),
        ("a\r\nb\tc", "a\\r\\nb\\tc", "a\nb\tc"),
        ("\u{9b}31m", "\\u{9b}31m", "\\u{9b}31m"),
        ("\u{7f}", "\\u{7f}", "\\u{7f}"),
        ("user\u{202e}txt.exe", "user\\u{202e}txt.exe", "user\\u{202e}txt.exe"),
        ("a\u{200b}b\u{feff}", "a\\u{200b}b\\u{feff}", "a\\u{200b}b\\u{feff}"),
        ("\u{2028}", "\\u{2028}", "\\u{2028}"),
    ] {
        assert_eq!(safe_line(text), line, "{text:?}");
        assert_eq!(safe_text(text), several, "{text:?}");
    }
    for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| c.is_control()) {
        let text = c.to_string();
        assert!(!safe_line(&text).chars().any(char::is_control), "{c:?}");
        assert!(!safe_text(&text).chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{c:?}");
    }
}

#[test]
fn a_secret_does_not_print() {
    let secret = Secret::new("s3cr3t".to_owned());
    assert_eq!(format!("{secret:?} {:#?}", Some(&secret)), "REDACTED Some(\n    REDACTED,\n)");
    assert_eq!(secret.expose(), "s3cr3t");
    assert_eq!(secret.map(|s| format!("Bearer {s}")).expose(), "Bearer s3cr3t");
    assert!(secret == secret.clone() && secret != Secret::new(String::new()));
}
