//! What a browser is sent to.

use codewhale_mcp_auth::browser::{BrowserUrl, UnfitUrl};

#[test]
fn x01_only_https_and_this_machine_are_opened() {
    for fine in [
        "https://login.example/authorize?a=b&c=$(calc)",
        "HTTPS://login.example",
        "http://localhost:8080/x",
        "http://127.0.0.1/",
        "http://[::1]:1/",
    ] {
        assert!(BrowserUrl::parse(fine).is_ok(), "{fine}");
    }
    for scheme in [
        "file:///etc/passwd",
        "smb://host/share",
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "ms-settings:",
        "ssh://-oProxyCommand=x/",
        "http://login.example/",
        "http://localhost.evil.example/",
        "http://169.254.169.254/",
    ] {
        let error = BrowserUrl::parse(scheme).unwrap_err();
        assert!(matches!(&error, UnfitUrl::Scheme { .. }), "{scheme}: {error:?}");
    }
    for malformed in [
        "",
        "-h",
        "--new-window",
        "https://",
        "https://login.example/\n--x",
        "https://login.example/ x",
        "https://login.example/\u{1b}[2J",
        "java\tscript:alert(1)",
        "login.example",
    ] {
        let error = BrowserUrl::parse(malformed).unwrap_err();
        assert!(matches!(&error, UnfitUrl::Malformed { .. }), "{malformed}: {error:?}");
    }
    assert_eq!(BrowserUrl::parse("https://good.example@evil.example/"), Err(UnfitUrl::UserInfo));
    assert_eq!(BrowserUrl::parse("https://:x@evil.example/"), Err(UnfitUrl::UserInfo));
    let long = format!("https://login.example/{}", "x".repeat(20_000));
    assert_eq!(BrowserUrl::parse(&long), Err(UnfitUrl::TooLong { limit: 16 << 10 }));
}

#[test]
fn a_url_is_one_word_that_no_terminal_takes_for_an_order() {
    let check = |text: &str, expected: &str| {
        assert_eq!(BrowserUrl::parse(text).unwrap().as_str(), expected);
    };
    check("https://login.example/a\"b'c?d=\"`", "https://login.example/a%22b'c?d=%22`");
    check("https://b\u{fc}cher.example/\u{202e}x", "https://xn--bcher-kva.example/%E2%80%AEx");
}
