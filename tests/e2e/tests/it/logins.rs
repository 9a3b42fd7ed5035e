//! Logins with the real binary: by an address that is opened by hand, and shared by many processes.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use codewhale_e2e::{MARKER, TestEnvironment};
use codewhale_testkit::{CommandLines, HttpFake, Secrets};
use serde_json::{Value, json};

use crate::random::{Random, seed, tell, trials, wait_until};

const CALL: [&str; 5] = ["mcp", "call", "s", "echo", "text=hello"];
/// How many share a login.
const MANY: usize = 10;

/// A trial in which the fake is configured as `s`.
fn trial(fake: &HttpFake) -> TestEnvironment {
    let trial = TestEnvironment::new();
    trial.write("home/.codewhale/mcp.json", &json!({"servers": {"s": {"url": fake.url()}}}).to_string());
    trial
}

fn start(trial: &TestEnvironment, arguments: &[&str]) -> Child {
    let mut command = trial.command(&codewhale_testkit::binary("codewhale"), arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

/// Logs in: goes where the address leads, as a browser would. Everything that was printed.
fn login(trial: &TestEnvironment) -> String {
    let mut child = start(trial, &["mcp", "login", "s", "--no-browser"]);
    let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let (mut said, mut address) = (String::new(), String::new());
    while !said.contains("waiting for the browser") {
        let mut line = String::new();
        assert_ne!(stderr.read_line(&mut line).expect("it is text"), 0, "it ended: {said}");
        if let Some(found) = line.strip_prefix("  http") {
            address = format!("http{}", found.trim());
        }
        said += &line;
    }
    said += &command_line(&child);
    let page = get(&redirect(&get(&address)));
    assert!(page.contains("You are logged in"), "{page}");
    stderr.read_to_string(&mut said).expect("it is text");
    let ended = child.wait_with_output().expect("it is our child");
    assert!(ended.status.success(), "{said}");
    said + &String::from_utf8_lossy(&ended.stdout)
}

/// What every process of the machine may see of a child.
fn command_line(child: &Child) -> String {
    std::fs::read_to_string(format!("/proc/{}/cmdline", child.id())).unwrap_or_default()
}

/// The whole answer to a GET.
fn get(url: &str) -> String {
    let (host, path) =
        url.strip_prefix("http://").expect("it is http").split_once('/').expect("it has a path");
    let mut stream = TcpStream::connect(host).expect("somebody listens");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    let mut lines = BufReader::new(stream);
    // A server that keeps the connection says with its head that there is no more.
    while lines.read_line(&mut answer).expect("it is text") > 0
        && !answer.ends_with("Content-Length: 0\r\n\r\n")
    {}
    answer
}

fn redirect(answer: &str) -> String {
    let location = answer.lines().find_map(|line| line.strip_prefix("Location: "));
    location.unwrap_or_else(|| panic!("it leads nowhere: {answer}")).to_owned()
}

fn file(trial: &TestEnvironment) -> PathBuf {
    trial.codewhale_home().join("credentials/credentials.json")
}

/// What is kept of the server.
fn kept(trial: &TestEnvironment) -> Value {
    let file: Value =
        serde_json::from_slice(&std::fs::read(file(trial)).expect("it is there")).expect("it is JSON");
    let entries = file["entries"].as_object().expect("it has entries");
    let (_, text) =
        entries.iter().find(|(name, _)| name.starts_with("server s ")).expect("it has this server");
    serde_json::from_str(text.as_str().expect("it is text")).expect("it is JSON")
}

/// Lets the token have ended long ago.
fn expire(trial: &TestEnvironment) {
    let file = file(trial);
    let mut document: Value =
        serde_json::from_slice(&std::fs::read(&file).expect("it is there")).expect("it is JSON");
    for (name, text) in document["entries"].as_object_mut().expect("it has entries") {
        if name.starts_with("server ") {
            let mut tokens: Value =
                serde_json::from_str(text.as_str().expect("it is text")).expect("it is JSON");
            tokens["expires_at"] = 1.into();
            *text = tokens.to_string().into();
        }
    }
    std::fs::write(&file, document.to_string()).expect("it can be written");
}

/// The refresh tokens that were spent, in their order.
fn spent(fake: &HttpFake) -> Vec<String> {
    let requests = fake.requests().into_iter().filter(|request| request.path == "/token");
    let forms = requests.map(|request| String::from_utf8(request.body).expect("it is text"));
    let token = |form: String| {
        form.split('&').find_map(|pair| pair.strip_prefix("refresh_token=").map(str::to_owned))
    };
    forms.filter_map(token).collect()
}

/// Nothing of what was secret on its way to the fake, or is kept, is seen in a text.
fn hides(fake: &HttpFake, kept: &Value, text: &str) {
    assert_eq!(secrets(fake, kept).seen_in(text), [""; 0], "{text}");
}

fn secrets(fake: &HttpFake, kept: &Value) -> Secrets {
    let mut secrets = Secrets::of(&fake.requests());
    secrets.add_json(kept);
    assert!(secrets.count() > 3, "an access token, a code, a verifier and a refresh token");
    secrets
}

fn watch(trial: &TestEnvironment) -> CommandLines {
    CommandLines::watch(&format!("{MARKER}={}", trial.marker()))
}

#[test]
fn a_login_lasts_until_a_logout_and_nobody_sees_its_secrets() {
    let fake = HttpFake::start("oauth");
    let trial = trial(&fake);
    let lines = watch(&trial);
    assert_eq!(trial.codewhale(CALL).code, Some(3));
    let mut seen = login(&trial);
    let kept = kept(&trial);
    let token = format!("text={}", kept["access_token"].as_str().expect("it is text"));
    for arguments in [
        &CALL[..],
        &["-v", "mcp", "call", "s", "echo", &token],
        &["--json", "mcp", "get", "s"],
        &["--json", "mcp", "list"],
        &["mcp", "logs", "s"],
        &["-v", "mcp", "validate"],
    ] {
        let run = trial.codewhale(arguments);
        assert_eq!(run.code, Some(0), "{run}");
        seen += &run.to_string();
    }
    assert!(seen.contains("hello") && seen.contains("logged_in"), "{seen}");
    assert_eq!(secrets(&fake, &kept).files_below(trial.root()), [file(&trial)]);
    let run = trial.codewhale(["mcp", "logout", "s", "--revoke"]);
    assert_eq!(run.code, Some(0), "{run}");
    seen += &run.to_string();
    let run = trial.codewhale(CALL);
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stderr.contains("OAuth authentication required: run codewhale mcp login s"), "{run}");
    hides(&fake, &kept, &(seen + &run.to_string()));
    // What was typed on a command line is not ours to hide there.
    hides(&fake, &kept, &lines.seen().replace(&token, ""));
    assert_eq!(secrets(&fake, &kept).files_below(trial.root()).len(), 0, "a logout leaves none");
}

#[test]
fn ten_processes_renew_a_token_once() {
    let fake = HttpFake::start("oauth --reuse revoke");
    let trial = trial(&fake);
    let lines = watch(&trial);
    let mut seen = login(&trial);
    let first = kept(&trial)["refresh_token"].clone();
    expire(&trial);
    let runs: Vec<Child> = (0..MANY).map(|_| start(&trial, &CALL)).collect();
    for run in runs {
        let ended = run.wait_with_output().expect("it is our child");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{said}");
        assert_eq!(String::from_utf8_lossy(&ended.stdout), "hello\n");
        seen += &said;
    }
    assert_eq!(spent(&fake), [first.as_str().expect("it is text")]);
    let newest = kept(&trial);
    let used: BTreeSet<String> = fake
        .requests_of("tools/call")
        .iter()
        .filter_map(|call| call.header("authorization").map(str::to_owned))
        .collect();
    hides(&fake, &newest, &(seen + &lines.seen()));
    let newest = format!("Bearer {}", newest["access_token"].as_str().expect("it is text"));
    assert_eq!(used, BTreeSet::from([newest]));
}

#[test]
fn one_of_ten_that_is_killed_at_any_moment_costs_the_others_nothing() {
    let fake = HttpFake::start("oauth");
    let trial = trial(&fake);
    let lines = watch(&trial);
    let mut seen = login(&trial);
    let usual = trial.codewhale(CALL).wall;
    let (trials, seed) = (trials(6), seed());
    let mut random = Random::new(seed);
    let (mut ended_itself, mut asked_twice) = (0, 0);
    for number in 0..trials {
        let first = kept(&trial)["refresh_token"].as_str().expect("it is text").to_owned();
        expire(&trial);
        let before = spent(&fake).len();
        let begin = Instant::now();
        let mut killed = start(&trial, &CALL);
        let others: Vec<Child> = (1..MANY).map(|_| start(&trial, &CALL)).collect();
        wait_until(begin, random.time(usual * 3 / 2 + Duration::from_millis(20)));
        ended_itself += u64::from(killed.try_wait().expect("it is our child").is_some());
        // One that has ended cannot be killed.
        let _ = killed.kill();
        killed.wait().expect("it is our child");
        for other in others {
            let ended = other.wait_with_output().expect("it is our child");
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            assert!(ended.status.success(), "seed {seed}, trial {number}: {said}");
            seen += &said;
        }
        // What the killed one spent is spent again by another, and by one more at most.
        let spent = spent(&fake).split_off(before);
        assert!((1..=2).contains(&spent.len()), "seed {seed}, trial {number}: {spent:?}");
        assert!(spent.iter().all(|token| *token == first), "seed {seed}, trial {number}: {spent:?}");
        asked_twice += u64::from(spent.len() == 2);
        let last = trial.codewhale(CALL);
        assert_eq!(last.code, Some(0), "seed {seed}, trial {number}: {last}");
        let token = format!("Bearer {}", kept(&trial)["access_token"].as_str().expect("it is text"));
        let used = fake.requests_of("tools/call").pop().expect("it was called");
        assert_eq!(used.header("authorization"), Some(&*token), "seed {seed}, trial {number}");
    }
    hides(&fake, &kept(&trial), &(seen + &lines.seen()));
    tell(&format!(
        "{trials} kills among {MANY} processes: {asked_twice} after the token was spent, {ended_itself} too late"
    ));
}
