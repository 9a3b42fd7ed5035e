//! Plays a script against the fake: lines to say, lines to hear, an exit code.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Far beyond what anything here takes; it ends a test that would wait for ever.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) const OPEN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
pub(crate) const OPENED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
pub(crate) const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;

/// A running fake.
pub(crate) struct Play {
    pub(crate) child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: Receiver<String>,
}

impl Play {
    /// Starts the fake with arguments that are separated by blanks; `_` stands for a blank within one.
    pub(crate) fn start(arguments: &str) -> Play {
        Play::start_with(arguments.split(' ').map(|word| word.replace('_', " ")))
    }

    #[expect(clippy::disallowed_methods, reason = "a test starts the binary under test")]
    pub(crate) fn start_with(arguments: impl IntoIterator<Item = String>) -> Play {
        let mut child = Command::new(env!("CARGO_BIN_EXE_codewhale-fake"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (sender, lines) = sync_channel(100_000);
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout.unwrap());
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let (sender, errors) = sync_channel(1000);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr.unwrap()).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Play { child, stdin, lines, stderr: errors }
    }

    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// One line with its end, as bytes.
    pub(crate) fn hear_bytes(&mut self) -> Vec<u8> {
        self.lines.recv_timeout(DEADLINE).expect("a line in time")
    }

    pub(crate) fn hear(&mut self) -> String {
        String::from_utf8_lossy(self.hear_bytes().trim_ascii()).into_owned()
    }

    /// Initializes and checks the answer.
    pub(crate) fn open(&mut self) {
        self.say(OPEN);
        let answer = self.hear();
        assert!(answer.contains("protocolVersion") && answer.contains(r#""id":0"#), "{answer}");
        self.say(OPENED);
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Asserts that the stream has ended.
    pub(crate) fn silence(&mut self) {
        match self.lines.recv_timeout(DEADLINE) {
            Err(end) => assert_eq!(end, RecvTimeoutError::Disconnected),
            Ok(line) => panic!("not the end but {} bytes: {}", line.len(), start_of(&line)),
        }
    }

    /// Waits for the exit code.
    pub(crate) fn exit(&mut self) -> Option<i32> {
        let end = Instant::now() + DEADLINE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::yield_now();
        }
        panic!("the fake did not end")
    }

    /// The next line of stderr.
    pub(crate) fn first_error(&mut self) -> String {
        self.stderr.recv_timeout(DEADLINE).expect("a line of stderr in time")
    }

    /// Plays a script, a step a line:
    /// `open`, `> LINE`, `call ID NAME [ARGUMENTS]`, `list ID [CURSOR]`, `< PART … PART` (the next line has all
    /// parts), `same N < …` (so many such lines), `gone CODE` (ends by itself), `end CODE` (ends with its input).
    pub(crate) fn follow(&mut self, script: &str) {
        for step in script.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
            let mut parts = rest.splitn(3, ' ');
            let mut part = || parts.next().unwrap_or_default();
            match word {
                "open" => self.open(),
                ">" => self.say(rest),
                "call" => {
                    let (id, name, arguments) = (part(), part(), part());
                    self.say(&call(id, name, arguments));
                }
                "list" => self.say(&list(part(), part())),
                "<" => self.expect(rest),
                "same" => {
                    let (count, parts) = rest.split_once(" < ").unwrap();
                    for _ in 0..count.parse::<u32>().unwrap() {
                        self.expect(parts);
                    }
                }
                "gone" => {
                    self.silence();
                    assert_eq!(self.exit(), rest.parse().ok());
                }
                "end" => {
                    self.close_stdin();
                    self.silence();
                    assert_eq!(self.exit(), rest.parse().ok());
                }
                _ => panic!("unknown step {step}"),
            }
        }
    }

    fn expect(&mut self, parts: &str) {
        let line = self.hear();
        for part in parts.split(" … ") {
            assert!(line.contains(part), "no {part} in {}", start_of(line.as_bytes()));
        }
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Enough of a line to know it by.
fn start_of(line: &[u8]) -> String {
    String::from_utf8_lossy(&line[..line.len().min(2000)]).into_owned()
}

pub(crate) fn call(id: &str, name: &str, arguments: &str) -> String {
    let arguments = if arguments.is_empty() { "{}" } else { arguments };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},"_meta":{{"progressToken":"p{id}"}}}}}}"#
    )
}

pub(crate) fn list(id: &str, cursor: &str) -> String {
    let cursor = if cursor.is_empty() { String::new() } else { format!(r#""cursor":{cursor}"#) };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{{cursor}}}}}"#)
}
