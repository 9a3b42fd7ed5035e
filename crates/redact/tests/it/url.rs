//! URLs keep their shape and lose their credentials.

use codewhale_mcp_redact::safe_url;

#[test]
fn credentials_are_hidden_and_the_rest_stays() {
    for (url, shown) in [
        ("https://h.test/mcp", "https://h.test/mcp"),
        ("https://h.test", "https://h.test"),
        ("https://me:pw@h.test:8080/a?b=c#d", "https://REDACTED@h.test:8080/a?b=c#d"),
        ("https://me@h.test/", "https://REDACTED@h.test/"),
        ("https://h.test/?api_key=x&b=1&token=y", "https://h.test/?api_key=REDACTED&b=1&token=REDACTED"),
        ("https://h.test/?to%6ben=y", "https://h.test/?to%6ben=REDACTED"),
        ("https://h.test/?q=sk-abcdefghijklmnopqrst", "https://h.test/?q=REDACTED"),
        ("https://h.test/cb?code=abc&iss=x", "https://h.test/cb?code=REDACTED&iss=x"),
        ("https://h.test/#access_token=abc", "https://h.test/#access_token=REDACTED"),
        ("https://h.test/sk-abcdefghijklmnopqrst/sse", "https://h.test/REDACTED/sse"),
        ("https://h.test/@scope/x?page=2", "https://h.test/@scope/x?page=2"),
        ("https://h.test/?X-Amz-Signature=PW&x=1", "https://h.test/?X-Amz-Signature=REDACTED&x=1"),
        (
            "https://hooks.slack.com/services/T0/B0/PW",
            "https://hooks.slack.com/services/REDACTED/REDACTED/REDACTED",
        ),
        ("https://h.test/api/webhooks/123/Pw", "https://h.test/api/webhooks/REDACTED/REDACTED"),
        ("https://h.test/webhooks/github", "https://h.test/webhooks/github"),
        ("https://h.test/bot123:abcdefgh/x", "https://h.test/REDACTED/x"),
        ("https://h.test/s/OTk3ZmY2aWQtYzE5Zi0xYQ/mcp", "https://h.test/s/REDACTED/mcp"),
        (
            "https://h.test/0f8fad5b-d9cb-469f-a165-70867728950e",
            "https://h.test/0f8fad5b-d9cb-469f-a165-70867728950e",
        ),
        ("postgres://u:p@db.test/x", "postgres://REDACTED@db.test/x"),
        ("https://${USER}:${PASS}@h.test/", "https://REDACTED@h.test/"),
        ("https://h.test/a\u{1b}[2J", "https://h.test/a\\u{1b}[2J"),
    ] {
        assert_eq!(safe_url(url), shown, "{url}");
    }
}

#[test]
fn what_is_no_url_hides_rather_too_much() {
    for url in [
        "https://u:sec/ret@h.test/",
        "u:secret@h.test",
        "https:u:secret@h.test/",
        "https:/\\u:secret@h.test/",
        "ht\ntps://u:secret@h.test/",
        " https://u:secret@h.test/",
        "https://u:sec?ret@h.test/",
        "//u:secret@h.test",
        "https://u:sec#ret@h.test/",
        "https://[bad/?token=secret",
        "http://u:secret@/",
    ] {
        let shown = safe_url(url);
        assert!(!shown.contains("secret") && !shown.contains("ret@"), "{url:?} shows {shown:?}");
    }
}
