//! Sessions whose standard error nobody reads.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use codewhale_e2e::TestEnvironment;
use codewhale_testkit::{ModelFake, binary};
use serde_json::{Value, json};

/// More than a session takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_standard_error_that_nobody_reads_freezes_no_session() {
    let model = ModelFake::start(r#"[{"status": 503}, {"text": "fine"}]"#);
    let trial = TestEnvironment::new();
    let settings = format!("[model]\nbase_url = \"{}\"\nmodel = \"m\"\n", model.base_url());
    trial.write("home/.codewhale/config.toml", &settings);
    let words = ["--input-format", "stream-json", "--output-format", "stream-json"];
    let mut command = trial.command(&binary("codewhale"), words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary can be started");
    let mut input = child.stdin.take().expect("it is a pipe");
    let mut said = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
    // Each of these is told of on standard error too, where there is room for a part of them.
    let odd = json!({"type": "x".repeat(500)}).to_string();
    let mut next = || -> Value {
        let line = said.next().expect("it has not ended").expect("it can be read");
        serde_json::from_str(&line).expect("it is JSON")
    };
    for _ in 0..1_000 {
        writeln!(input, "{odd}").expect("it reads");
        assert_eq!(next()["type"], "error");
    }
    let prompt = json!({"type": "user", "message": {"role": "user", "content": "hi"}});
    writeln!(input, "{prompt}").expect("it reads");
    let result = loop {
        let message = next();
        if message["type"] == "result" {
            break message;
        }
    };
    assert_eq!(result["result"], "fine");
    drop(input);
    // It ends, too, and what was said is there for whoever reads at last.
    let end = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        assert!(Instant::now() < end, "it does not end");
        std::thread::park_timeout(Duration::from_millis(5));
    };
    assert!(status.success(), "{status:?}");
    let told = BufReader::new(child.stderr.take().expect("it is a pipe")).lines().next();
    assert!(
        told.expect("there is some").expect("it can be read").starts_with("warning: message 1 of the input")
    );
}
