//! The floor against the server, in every scenario.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "programs are run as they are, in a test"
)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

const SERVER: &str = env!("CARGO_BIN_EXE_bench-server");
const FLOOR: &str = env!("CARGO_BIN_EXE_bench-floor");

/// Runs the floor to its end and gives the line it prints.
#[track_caller]
fn measured(options: &[&str]) -> String {
    let output = Command::new(FLOOR).args(options).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "{options:?}");
    let line = String::from_utf8(output.stdout).unwrap();
    assert!(line.contains(r#""wall_us":"#) && line.contains(r#""rss_kb":"#), "{line}");
    line
}

#[test]
fn calls_over_a_pipe() {
    for size in ["100", "3000000"] {
        for kind in ["plain", "esc"] {
            let line = measured(&[
                "seq", "--server", SERVER, "--size", size, "--kind", kind, "--n", "3", "--warmup", "1",
            ]);
            assert!(line.contains(r#""n":3,"#) && line.contains(r#""p99_us":"#), "{line}");
            assert!(line.contains(r#""server_cpu_us":"#), "{line}");
        }
    }
    let line = measured(&["pipe", "--server", SERVER, "--n", "5000", "--inflight", "256"]);
    assert!(!line.contains(r#""server_cpu_us":0"#), "so many calls show: {line}");
    measured(&["pipe", "--server", SERVER, "--n", "5000", "--inflight", "4096"]);
}

#[test]
fn lists_over_a_pipe() {
    measured(&["connect", "--server", SERVER, "--servers", "5"]);
    for paged in ["", " --page 7", " --discover ok --page 7"] {
        measured(&["list", "--server", &format!("{SERVER} --tools 50{paged}")]);
    }
}

#[test]
fn calls_over_http() {
    for way in [&["--http", "0"][..], &["--http", "0", "--sse"]] {
        let (mut server, url) = serve(way);
        measured(&["http-seq", "--url", &url, "--n", "5", "--size", "3000000"]);
        measured(&["http-pipe", "--url", &url, "--n", "2000", "--inflight", "64"]);
        server.kill().unwrap();
        server.wait().unwrap();
    }
}

fn serve(options: &[&str]) -> (Child, String) {
    let mut server = Command::new(SERVER).args(options).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().strip_prefix("PORT ").unwrap();
    (server, format!("http://127.0.0.1:{port}/mcp"))
}
