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
    assert_eq!(BrowserUrl::parse(&long), Err(UnfitUrl::TooLong { limit: 8 << 10 }));
}

#[test]
fn a_url_is_one_word_that_no_terminal_takes_for_an_order() {
    let check = |text: &str, expected: &str| {
        assert_eq!(BrowserUrl::parse(text).unwrap().as_str(), expected);
    };
    check("https://login.example/a\"b'c?d=\"`", "https://login.example/a%22b'c?d=%22`");
    check("https://b\u{fc}cher.example/\u{202e}x", "https://xn--bcher-kva.example/%E2%80%AEx");
}

/// The first way that Linux opens URLs, played by a script that keeps its arguments.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "the test starts its own program")]
fn cve_2025_6514_the_system_gets_a_url_as_one_argument_and_no_shell_reads_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let opener = folder.path().join("xdg-open");
    let script = "#!/bin/sh\nfor one in \"$@\"; do echo \"$one\"; done >arguments.part\n/bin/mv arguments.part arguments\n";
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o700)).unwrap();
    let url = "https://login.example/a;touch${IFS}PWNED?b=$(touch${IFS}PWNED)&c=%60touch%20PWNED%60|touch&d='x'#$(id)";
    let mut worker = std::process::Command::new(env!("CARGO_BIN_EXE_auth-worker"));
    worker.args(["open", url]).env_clear().env("PATH", folder.path()).current_dir(folder.path());
    assert!(worker.status().unwrap().success());
    // It is waited for a moment only, and may be slower than that.
    let arguments = folder.path().join("arguments");
    let started = std::time::Instant::now();
    while !arguments.exists() && started.elapsed().as_secs() < 60 {
        std::thread::yield_now();
    }
    let expected = "https://login.example/a;touch$%7BIFS%7DPWNED?b=$(touch${IFS}PWNED)&c=%60touch%20PWNED%60|touch&d=%27x%27#$(id)\n";
    assert_eq!(std::fs::read_to_string(arguments).unwrap(), expected);
    assert!(!folder.path().join("PWNED").exists());
}
