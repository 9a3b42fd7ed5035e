//! Command lines show what runs and hide what opens doors.

use codewhale_mcp_redact::{safe_args, secrets_in_args};

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
        &["npm:react@latest", "me/image:1.2@sha256:abcdef", "git@github.com:me/x.git", "a:b@1.2.3"],
        &["--user", "1000:1000", "--user=0:0", "docker run -u 1000:1000 x"],
        &["--user", "root", "-c", "server --port 80; echo \"--done\" x:y", "--random-seed", "42"],
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
fn secrets_within_a_command_line_are_hidden() {
    check(&["--user=bob:PW"], &["--user=bob:REDACTED"]);
    check(&["-ubob:PW"], &["-ubob:REDACTED"]);
    check(&["curl -u bob:PW http://x"], &["curl -u bob:REDACTED http://x"]);
    check(&["serve --github-token PW -v"], &["serve --github-token REDACTED -v"]);
    check(&["a; serve --secret \"PW x\"; b"], &["a; serve --secret \"REDACTED\"; b"]);
    check(&["exec s \"--token\", 'PW'"], &["exec s \"--token\", 'REDACTED'"]);
    check(&["sh -c 'x --secret \"PW x\" -y'"], &["sh -c 'x --secret \"REDACTED\" -y'"]);
    check(&["(serve --token PW)"], &["(serve --token REDACTED)"]);
    check(&["bob:PW@host/db"], &["bob:REDACTED@host/db"]);
    check(&["--db=bob:P@W@10.0.0.1:5432/db"], &["--db=bob:REDACTED@10.0.0.1:5432/db"]);
    check(&["--totp-seed", "PW"], &["--totp-seed", "REDACTED"]);
    check(&["--creds", "u,PW"], &["--creds", "REDACTED"]);
}

#[test]
fn every_hidden_part_can_be_looked_for() {
    fn found(args: &[&str], secrets: &[&str]) {
        let found = secrets_in_args(args);
        let found: Vec<&str> = found.iter().map(|secret| secret.expose().as_str()).collect();
        assert_eq!(found, secrets, "{args:?}");
    }
    found(
        &["https://bob:topsecret1@db/x?api_key=topsecret2&b=1"],
        &["bob:topsecret1", "topsecret1", "topsecret2"],
    );
    found(&["X: y --token=A --secret=B"], &["A", "B"]);
    found(&["Server=x;Password=A;Api-Key=B"], &["A", "B"]);
    found(&["https://bob:p%40ss+1@db/"], &["bob:p%40ss+1", "p%40ss+1", "bob:p@ss+1", "p@ss+1"]);
    found(&["--creds", "u,PW1", "-H", "X-Key: Bearer abc1"], &["u,PW1", "PW1", "Bearer abc1", "abc1"]);
    found(&["--port", "80", "--root", "/srv"], &[]);
}

#[test]
fn x02_arguments_are_one_safe_line() {
    check(&["a\u{1b}[2Jb\nc"], &["a\\u{1b}[2Jb\\nc"]);
}

#[test]
fn no_part_of_a_text_is_trouble() {
    let text =
        "ä 'é --token \"ü\" --user=ß:ö@ü.é/ https://ä:ö@ü/é?token=ß&x#é' tökén: \"é\\\" -uä:ö ü:é@h;(‘";
    let boundaries: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
    for (number, start) in boundaries.iter().enumerate() {
        for end in &boundaries[number..] {
            let part = &text[*start..*end];
            let secrets = secrets_in_args(&["--x", part]);
            assert_eq!(safe_args(&["--x", part])[1] == part, secrets.is_empty(), "{part}");
        }
    }
}
