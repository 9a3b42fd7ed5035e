//! A run that is stuck in a write to somebody who does not read.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use codewhale_e2e::{TestEnvironment, wait_until_none_survive};
use rustix::process::{Pid, Signal, kill_process};

const PATIENCE: Duration = Duration::from_secs(10);

#[test]
fn a_second_signal_ends_a_run_whose_output_nobody_reads() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let trial = TestEnvironment::new();
        let server = trial.fake("plain").join(" ");
        let binary = codewhale_testkit::binary("codewhale");
        let arguments = ["mcp", "call", "--stdio", &server, "big", "bytes=5000000", "--full"];
        let mut command = trial.command(&binary, arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut run = command.spawn().expect("the binary starts");
        // From the first byte on it writes, and soon the pipe is full.
        let mut output = run.stdout.take().expect("it is a pipe");
        output.read_exact(&mut [0]).expect("it writes");
        let pid = Pid::from_child(&run);
        let began = Instant::now();
        let status = loop {
            if let Some(status) = run.try_wait().expect("it is our child") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "{signal:?} did not end it");
            kill_process(pid, signal).expect("it has not been reaped");
            std::thread::park_timeout(Duration::from_millis(200));
        };
        assert_eq!(status.code(), Some(code));
        drop(output);
        wait_until_none_survive(trial.marker(), PATIENCE).expect("the guard ends the server");
    }
}
