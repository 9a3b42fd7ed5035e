//! Command lines show what runs and hide what opens doors.

use codewhale_mcp_redact::safe_args;

fn check(args: &[&str], shown: &[&str]) {
    assert_eq!(safe_args(args), shown, "{args:?}");
}

#[test]
fn harmless_arguments_stay_as_they_are() {
    for args in [
        &["-y", "@modelcontextprotocol/server-filesystem", "/home/me/My Docs"][..],
        &["--port", "8080", "--max-tokens", "100", "a=b", "-e", "NODE_ENV=production", "C:\\x\\y", "12:30"],
        &["https://h.test/mcp", "--url=https://h.test/?a=b", "{\"a\": [1, \"x\"]}"],
        &["--token-file", "/run/x"],
    ] {
        check(args, args);
    }
}

#[test]
fn secrets_are_hidden() {
    check(&["--token", "abc", "x"], &["--token", "REDACTED", "x"]);
    check(&["--tokens", "sk-secretvalue123", "x"], &["--tokens", "REDACTED", "x"]);
    check(&["--tokens=a,b"], &["--tokens=REDACTED"]);
    check(&["--api-keys", "abc"], &["--api-keys", "REDACTED"]);
    check(&["--apiKey", "abc"], &["--apiKey", "REDACTED"]);
    check(&["-token", "abc"], &["-token", "REDACTED"]);
    check(&["/token:abc"], &["/token:REDACTED"]);
    check(&["token", "abc"], &["token", "abc"]);
    check(&["sk-short12345", "a=sk-short12345"], &["REDACTED", "a=REDACTED"]);
    check(&["--api-key=abc def"], &["--api-key=REDACTED"]);
    check(&["--password", "--api-key", "abc"], &["--password", "REDACTED", "REDACTED"]);
    check(&["-H", "Authorization: Bearer abc"], &["-H", "Authorization: REDACTED"]);
    check(&["-HX-Api-Key: abc"], &["-HX-Api-Key: REDACTED"]);
    check(&["-H", "X-Thing: Bearer abcdef"], &["-H", "X-Thing: Bearer REDACTED"]);
    check(&["-e", "GITHUB_TOKEN=abc"], &["-e", "GITHUB_TOKEN=REDACTED"]);
    check(&["--env=DB_PASSWORD=abc"], &["--env=DB_PASSWORD=REDACTED"]);
    check(&["-u", "me:abc"], &["-u", "me:REDACTED"]);
    check(&["postgres://me:abc@h/db"], &["postgres://REDACTED@h/db"]);
    check(&["--db=postgres://me:abc@h/db", "x"], &["--db=postgres://REDACTED@h/db", "x"]);
    check(&["a http://u:p@h/ b http://v:q@i/"], &["a http://REDACTED@h/ b http://REDACTED@i/"]);
    check(&["ghp_abcdefghijklmnopqrstuvwxyz"], &["REDACTED"]);
    check(&["x=ghp_abcdefghijklmnopqrstuvwxyz"], &["x=REDACTED"]);
    check(&["{\"apiKey\": \"a\\\"b\", \"n\": 1}"], &["{\"apiKey\": \"REDACTED\", \"n\": 1}"]);
    check(&["Server=x;Password=y;Port=1"], &["Server=x;Password=REDACTED;Port=1"]);
}

#[test]
fn x02_arguments_are_one_safe_line() {
    check(&["a\u{1b}[2Jb\nc"], &["a\\u{1b}[2Jb\\nc"]);
}
