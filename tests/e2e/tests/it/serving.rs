//! `codewhale serve --mcp`: our own client uses it, and nothing of it outlives whoever started it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use codewhale_e2e::{MARKER, TestEnvironment, survivors, wait_until_none_survive};
use codewhale_testkit::binary;
use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a server may take to leave: a second, and what a busy machine adds.
const SOON: Duration = Duration::from_secs(8);

const OPEN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;
/// A command with a child, neither of which leaves when it is asked to.
const STUBBORN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shell","arguments":{"command":"trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 601; done' & sleep 602; wait"}}}
"#;

/// A trial whose commands are found again.
fn trial() -> TestEnvironment {
    let trial = TestEnvironment::new();
    trial.write(
        "home/.codewhale/config.toml",
        &format!("[mcp_server]\nallow = [\"shell\"]\nshell_env = [\"{MARKER}\"]\n"),
    );
    trial
}

/// A server under way, with a session open.
struct Serving {
    child: Child,
    input: Option<ChildStdin>,
    lines: BufReader<ChildStdout>,
}

impl Serving {
    fn new(trial: &TestEnvironment, program: &str, arguments: &[&str]) -> Self {
        Self::start(trial.command(program.as_ref(), arguments))
    }

    fn start(mut command: std::process::Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let mut serving = Self { child, input, lines: BufReader::new(output) };
        serving.send(OPEN);
        assert!(serving.line().contains(r#""serverInfo""#));
        serving
    }

    fn send(&mut self, text: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(text.as_bytes()).expect("the server reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("the server writes text");
        line
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Waits for its end; how long that took.
    fn end(&mut self) -> (Option<i32>, Duration) {
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return (status.code(), begin.elapsed());
            }
            std::thread::park_timeout(Duration::from_millis(1));
        }
        self.child.kill().expect("it is our child");
        panic!("it does not end");
    }
}

/// Waits until a process of the trial has this in its command line.
fn reach(trial: &TestEnvironment, what: &str) -> Pid {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Some(found) = survivors(trial.marker()).into_iter().find(|found| found.command.contains(what))
        {
            return Pid::from_raw(found.pid.cast_signed()).expect("a number above 0");
        }
        std::thread::park_timeout(Duration::from_millis(2));
    }
    panic!("{what} does not start: {:?}", survivors(trial.marker()));
}

fn serve(trial: &TestEnvironment) -> Serving {
    let program = binary("codewhale");
    let mut serving = Serving::new(trial, program.to_str().expect("a plain path"), &["serve", "--mcp", "-v"]);
    serving.send(STUBBORN);
    reach(trial, "sleep 601");
    reach(trial, "sleep 602");
    serving
}

#[test]
fn our_own_client_uses_what_add_self_registers() {
    let trial = TestEnvironment::new();
    trial.write("workspace/src/notes.md", "one\nneedle\n");
    let workspace = trial.workspace().to_str().expect("a plain path").to_owned();
    let run = trial.codewhale(["mcp", "add-self", "--workspace", &workspace]);
    assert_eq!(run.code, Some(0), "{run}");
    let file = std::fs::read_to_string(trial.codewhale_home().join("mcp.json")).expect("it is written");
    let file: serde_json::Value = serde_json::from_str(&file).expect("plain JSON");
    let program = binary("codewhale");
    let expected = serde_json::json!({
        "command": program, "args": ["serve", "--mcp", "--workspace", workspace], "cwd": workspace,
    });
    assert_eq!(file["servers"]["codewhale"], expected);

    let again = trial.codewhale(["mcp", "add-self"]);
    assert_eq!(again.code, Some(2), "{again}");
    assert!(again.stderr.contains("exists already") && again.stderr.contains("--name"), "{again}");
    assert_eq!(trial.codewhale(["mcp", "add-self", "--name", "here"]).code, Some(0));

    let run = trial.codewhale(["mcp", "validate"]);
    assert_eq!(run.code, Some(0), "{run}");
    let run = trial.codewhale(["mcp", "tools", "codewhale", "--json"]);
    assert!(run.stdout.contains("search_text") && !run.stdout.contains("write_file"), "{run}");
    for server in ["codewhale", "here"] {
        let run = trial.codewhale(["mcp", "call", server, "search_text", "pattern=needle"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "src/notes.md:2:needle\n"), "{run}");
    }
    let run = trial.codewhale(["mcp", "call", "codewhale", "read_file", "path=../home/.codewhale/mcp.json"]);
    assert_eq!(run.code, Some(5), "{run}");
    assert!(run.stdout.contains("outside of the workspace"), "{run}");
}

#[test]
fn what_may_not_be_called_is_told_with_who_allows_it() {
    let trial = TestEnvironment::new();
    for (name, more) in [("reads", &[][..]), ("writes", &["--allow", "write_file"])] {
        let run = trial.codewhale([&["mcp", "add-self", "--name", name], more].concat());
        assert_eq!(run.code, Some(0), "{run}");
    }
    let write =
        |server| trial.codewhale(["mcp", "call", server, "write_file", "path=new.md", "text=one", "--yes"]);
    let run = write("reads");
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("`reads` has no tool `write_file`"), "{run}");
    assert!(run.stderr.contains("`--allow write_file` behind `serve --mcp`"), "{run}");
    assert!(run.stderr.contains("`allow = [\"write_file\"]` below [mcp_server]"), "{run}");
    assert!(!run.stderr.contains("--root") && !run.stderr.contains("did you mean"), "{run}");
    let run = trial.codewhale(["mcp", "tools", "reads", "shell"]);
    assert!(run.stderr.contains("`--allow shell` behind `serve --mcp`"), "{run}");
    let run = write("writes");
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(std::fs::read_to_string(trial.workspace().join("new.md")).expect("it is written"), "one");
}

#[test]
fn a_link_to_the_program_is_registered_as_the_link() {
    let trial = TestEnvironment::new();
    let link = trial.home().join("bin/whale");
    std::fs::create_dir_all(link.parent().expect("below the home")).expect("a folder of the trial");
    std::os::unix::fs::symlink(binary("codewhale"), &link).expect("a link of the trial");
    let run = codewhale_e2e::run(trial.command(&link, ["mcp", "add-self"]), "");
    assert_eq!(run.code, Some(0), "{run}");
    let run = trial.codewhale(["mcp", "get", "codewhale", "--json"]);
    assert!(run.stdout.contains(link.to_str().expect("a plain path")), "{run}");
}

#[test]
fn a_server_ends_with_its_input_and_its_commands_with_it() {
    let trial = trial();
    let mut serving = serve(&trial);
    serving.input = None;
    let (code, took) = serving.end();
    assert_eq!(code, Some(0));
    assert!(took < SOON, "{took:?}");
    wait_until_none_survive(trial.marker(), SOON).expect("nothing is left");
}

#[test]
fn nothing_is_left_of_a_server_that_is_killed() {
    for signal in [Signal::KILL, Signal::TERM, Signal::INT] {
        let trial = trial();
        let mut serving = serve(&trial);
        kill_process(serving.pid(), signal).expect("it is our child");
        let (code, _) = serving.end();
        let expected = match signal {
            Signal::TERM => Some(143),
            Signal::INT => Some(130),
            _ => None,
        };
        assert_eq!(code, expected, "{signal:?}");
        wait_until_none_survive(trial.marker(), SOON).expect("nothing is left");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_left_its_group_ends_with_its_call_and_with_the_server() {
    const STRAY: &str = "setsid -f sh -c 'trap \"\" TERM; while :; do sleep 603; done' >&- 2>&-";
    let call = |id: u64, command: &str| {
        let params = serde_json::json!({"name": "shell", "arguments": {"command": command}});
        let call = serde_json::json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        format!("{call}\n")
    };
    for signal in [None, Some(Signal::TERM), Some(Signal::KILL)] {
        let trial = trial();
        let program = binary("codewhale");
        let mut serving = Serving::new(&trial, program.to_str().expect("a plain path"), &["serve", "--mcp"]);
        serving.send(&call(1, &format!("{STRAY}; echo ended")));
        assert!(serving.line().contains("ended"));
        let left = survivors(trial.marker()).into_iter().any(|left| left.command.contains("sleep 603"));
        assert!(!left, "it ends with its call");
        serving.send(&call(2, &format!("{STRAY}; sleep 604")));
        reach(&trial, "sleep 603");
        match signal {
            None => serving.input = None,
            Some(signal) => kill_process(serving.pid(), signal).expect("it is our child"),
        }
        serving.end();
        wait_until_none_survive(trial.marker(), SOON).expect("nothing is left");
    }
}

/// The system's administrator may read everything, so this is somebody else, whoever runs the tests.
#[cfg(target_os = "linux")]
#[test]
fn a_command_reads_nothing_of_the_environment_of_the_server() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let trial = trial().with("SERVER_TOKEN", "hush-hush");
    // Somebody else may not reach where it was built; written by ourselves, it would be open in whoever forks meanwhile.
    let (built, program) = (binary("codewhale"), trial.root().join("codewhale"));
    let copied = trial.command("/bin/cp".as_ref(), [&built, &program]).status().expect("it starts");
    assert!(copied.success(), "it is copied");
    let mut command = trial.command(&program, ["serve", "--mcp", "--allow", "shell"]);
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
        for folder in [trial.root().to_owned(), trial.home(), trial.codewhale_home(), trial.workspace()] {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).expect("it is ours");
        }
    }
    let what = "tr '\\0' ' ' </proc/$PPID/cmdline; cat /proc/$PPID/environ /proc/$PPID/maps /proc/$PPID/mem";
    let params = serde_json::json!({"name": "shell", "arguments": {"command": what}});
    let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut serving = Serving::start(command);
    serving.send(&format!("{call}\n"));
    let answer: serde_json::Value = serde_json::from_str(&serving.line()).expect("an answer");
    let output = answer["result"]["structuredContent"]["output"].as_str().expect("it ran");
    assert!(output.contains("serve --mcp"), "it is the server that it looks at: {output}");
    assert_eq!(output.matches("Permission denied").count(), 3, "{output}");
    assert!(!output.contains("hush-hush"), "{output}");
    serving.input = None;
    assert_eq!(serving.end().0, Some(0));
}

#[test]
fn a_server_ends_with_whoever_started_it_though_its_input_is_held_open() {
    let trial = trial();
    let program = binary("codewhale");
    let script = format!("{} serve --mcp; true", program.to_str().expect("a plain path"));
    let mut launcher = Serving::new(&trial, "/bin/sh", &["-c", &script]);
    launcher.send(STUBBORN);
    reach(&trial, "sleep 602");
    kill_process(launcher.pid(), Signal::KILL).expect("it is our child");
    launcher.end();
    assert!(launcher.input.is_some(), "its input is open all the while");
    wait_until_none_survive(trial.marker(), SOON).expect("nothing is left");
}

#[test]
fn only_messages_leave_on_standard_output() {
    let trial = trial();
    trial.write(
        "home/.codewhale/config.toml",
        "unknown = 1\n[mcp]\nserver_definitions = [{ command = \"touch started\" }]\n",
    );
    let input =
        OPEN.to_owned() + "no message\n" + r#"{"jsonrpc":"2.0","id":"1","method":"tools/list"}"# + "\n";
    for arguments in [&["serve", "--mcp", "-v", "--allow", "write_file,shell"][..], &["mcp-server", "-v"]] {
        let run = trial.codewhale_with(arguments.iter(), &input);
        assert_eq!(run.code, Some(0), "{run}");
        let lines: Vec<serde_json::Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).expect("a message")).collect();
        assert_eq!(lines.len(), 3, "{run}");
        assert_eq!(lines[2]["id"], "1");
        let tools = lines[2]["result"]["tools"].as_array().map(Vec::len);
        assert_eq!(tools, Some(if arguments.len() > 2 { 6 } else { 4 }), "{run}");
        assert!(run.stderr.contains("unknown") && run.stderr.contains("serving "), "{run}");
    }
    assert!(!trial.workspace().join("started").exists());
}

#[test]
fn what_makes_no_sense_is_told_before_anything_is_served() {
    let check = |settings: &str, arguments: &[&str], expected: &str| {
        let trial = TestEnvironment::new();
        trial.write("home/.codewhale/config.toml", settings);
        let run = trial.codewhale(arguments.iter());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
        assert!(run.stderr.contains(expected), "{run}");
    };
    check("", &["serve"], "--mcp");
    check("", &["serve", "--mcp", "--allow", "shel"], "`shel` is no tool that can be allowed");
    check("[mcp_server]\nallow = [\"rm\"]", &["serve", "--mcp"], "config.toml:2:");
    check("", &["serve", "--mcp", "--workspace", "/"], "root of the system");
    check("", &["serve", "--mcp", "--workspace", "nothing"], "nothing");
}

#[test]
fn a_workspace_has_no_say_in_what_is_allowed() {
    let trial = TestEnvironment::new();
    trial.write("workspace/.codewhale/config.toml", "[mcp_server]\nallow = [\"shell\"]\n");
    let input = OPEN.to_owned()
        + r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shell","arguments":{"command":"touch made"}}}"#
        + "\n";
    let run = trial.codewhale_with(["serve", "--mcp"], &input);
    assert!(run.stdout.contains("has not allowed `shell`") && run.stdout.contains("-32602"), "{run}");
    assert!(!trial.workspace().join("made").exists());
}

/// A server over HTTP under way, with the address that it said.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    fn new(trial: &TestEnvironment, more: &[&str]) -> Self {
        let arguments = [&["serve", "--mcp", "--listen", "127.0.0.1:0"], more].concat();
        let mut command = trial.command(&binary("codewhale"), arguments);
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let url = lines.find_map(|line| Some(line.expect("text").strip_prefix("serving at ")?.to_owned()));
        Self { child, url: url.expect("it says where it is") }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn our_own_client_uses_a_server_over_http() {
    let trial = TestEnvironment::new();
    trial.write("workspace/notes.md", "needle\n");
    let mut serving = Listening::new(&trial, &[]);
    let run = trial.codewhale(["mcp", "call", "--url", &serving.url, "search_text", "pattern=needle"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "notes.md:1:needle\n"), "{run}");
    kill_process(Pid::from_child(&serving.child), Signal::TERM).expect("it is our child");
    assert_eq!(serving.child.wait().expect("it is our child").code(), Some(143));
}

#[test]
fn over_http_changes_are_made_for_those_alone_who_bring_the_token() {
    let trial = TestEnvironment::new().with("OURS", "a-token-of-ours").with("OTHER", "a-token-of-ourt");
    let serving = Listening::new(&trial, &["--allow", "write_file", "--bearer-token-env-var", "OURS"]);
    let write = |token: &[&str]| {
        let call = ["mcp", "call", "--url", &serving.url, "write_file", "path=made", "text=x", "--yes"];
        trial.codewhale([&call[..], token].concat())
    };
    for token in [&[][..], &["--bearer-token-env-var", "OTHER"]] {
        let run = write(token);
        assert_ne!(run.code, Some(0), "{run}");
        assert!(!trial.workspace().join("made").exists());
    }
    let run = write(&["--bearer-token-env-var", "OURS"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(trial.workspace().join("made").exists());
}

#[test]
fn an_address_that_harms_is_refused() {
    let check = |arguments: &[&str], expected: &str| {
        let trial = TestEnvironment::new().with("TOKEN", "t").with("EMPTY", "");
        let run = trial.codewhale([&["serve", "--mcp", "--listen"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run}");
        assert!(run.stderr.contains(expected), "{run}");
    };
    check(&["0.0.0.0:0"], "other machines");
    check(&["0.0.0.0:0", "--bearer-token-env-var", "TOKEN"], "--host");
    check(&["0.0.0.0:0", "--host", "me.example"], "--bearer-token-env-var");
    check(&["127.0.0.1:0", "--allow", "shell"], "--bearer-token-env-var");
    check(&["127.0.0.1:0", "--bearer-token-env-var", "EMPTY"], "`EMPTY` is not set");
    check(&["localhost"], "--listen");
    check(&["localhost:8080"], "such as 127.0.0.1:8080");
}
