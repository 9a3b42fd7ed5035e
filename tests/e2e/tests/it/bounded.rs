//! What a server sends that nobody wants takes no memory: the peak of the real binary, as the system counts it.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use codewhale_e2e::TestEnvironment;
use codewhale_testkit::{HttpFake, binary};

/// More than any run here takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// The most memory that a process has had so far, in KiB; nothing of one that has ended.
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Calls a tool of a server in this mode: how the run ended, and the most memory it was seen with.
fn call(mode: &str, seconds: u32) -> (Option<i32>, u64) {
    let fake = HttpFake::start(mode);
    let trial = TestEnvironment::new();
    let url = fake.url();
    let added =
        trial.codewhale(["mcp", "add", "s", "--url", &url, "--execute-timeout", &seconds.to_string()]);
    assert_eq!(added.code, Some(0), "{added}");
    let mut command = trial.command(&binary("codewhale"), ["mcp", "call", "s", "echo", "text=x"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary can be started");
    let (end, mut most) = (Instant::now() + PATIENCE, 0);
    loop {
        most = most.max(peak(&child).unwrap_or_default());
        if let Some(status) = child.try_wait().expect("it is our child") {
            fake.wait(|fake| fake.open_connections() == 0);
            assert_eq!(fake.count("tools/call"), 1, "{mode}");
            return (status.code(), most);
        }
        assert!(Instant::now() < end, "{mode} has no end");
        std::thread::park_timeout(Duration::from_millis(1));
    }
}

#[test]
fn keep_alives_and_what_is_too_long_take_no_more_memory_than_a_message_may() {
    const MIB: u64 = 1024;
    let (code, usual) = call("everything --era modern", 60);
    assert_eq!(code, Some(0));
    for (mode, seconds, ends, more) in [
        ("keep-alives --era modern", 60, 0, 4 * MIB),
        ("keep-alives --era legacy", 60, 0, 4 * MIB),
        ("endless-keep-alives --era modern", 3, 6, 4 * MIB),
        ("endless-keep-alives --era legacy", 3, 6, 4 * MIB),
        // A message may have 64 MiB.
        ("huge-json --era modern", 60, 1, 100 * MIB),
        ("huge-event --era legacy", 60, 1, 100 * MIB),
    ] {
        let (code, most) = call(mode, seconds);
        assert_eq!(code, Some(ends), "{mode}");
        assert!(most < usual + more, "{mode}: {most} KiB instead of {usual} KiB");
    }
}
