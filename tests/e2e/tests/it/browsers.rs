//! Addresses that a server names, with the real binary and what opens addresses on a system.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use codewhale_e2e::TestEnvironment;
use codewhale_testkit::HttpFake;
use serde_json::json;

/// Keeps its arguments, a line each.
const OPENER: &str = "#!/bin/sh\nfor one in \"$@\"; do echo \"$one\"; done >arguments.part\n/bin/mv arguments.part arguments\n";

/// What a shell would do something about.
const HOSTILE: &str = "authorization_endpoint=https://login.example/a;touch${IFS}PWNED|touch${IFS}PWNED?b=$(touch${IFS}PWNED)&c=`touch${IFS}PWNED`&d='--x";

#[test]
fn an_address_is_one_argument_that_no_shell_reads() {
    let fake = HttpFake::start_with(&["oauth", "--says", HOSTILE]);
    let trial = TestEnvironment::new();
    trial.write("home/.codewhale/mcp.json", &json!({"servers": {"s": {"url": fake.url()}}}).to_string());
    let opener = trial.write("bin/xdg-open", OPENER);
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o700)).expect("it is ours");
    let folder = opener.parent().expect("it has one").to_str().expect("temporary paths are plain").to_owned();
    let trial = trial.with("PATH", &folder);
    let mut command = trial.command(&codewhale_testkit::binary("codewhale"), ["mcp", "login", "s"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut login = command.spawn().expect("the binary starts");
    let (arguments, begin) = (trial.workspace().join("arguments"), Instant::now());
    while !arguments.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    login.kill().expect("it still waits");
    login.wait().expect("it is our child");
    let text = std::fs::read_to_string(&arguments).expect("it was opened");
    let [address] = text.lines().collect::<Vec<_>>()[..] else { panic!("more than one argument: {text}") };
    let expected = "https://login.example/a;touch$%7BIFS%7DPWNED|touch$%7BIFS%7DPWNED?b=%24%28touch%24%7BIFS%7DPWNED%29&";
    assert!(address.starts_with(expected), "{address}");
    for folder in [trial.workspace(), trial.home()] {
        assert!(!folder.join("PWNED").exists());
    }
}
