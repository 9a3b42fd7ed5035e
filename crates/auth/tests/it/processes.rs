//! Credentials that many processes share, one of which may be killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use codewhale_mcp_auth::credentials::{CredentialStore as _, Entry};
use codewhale_mcp_auth::store::InFile;

use crate::kept::{server, text};

/// A worker that runs. Dropped, it is killed.
struct Worker {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Worker {
    #[expect(clippy::disallowed_methods, reason = "the test starts its own program")]
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auth-worker"));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits for a line that begins so; what follows.
    fn expect(&mut self, begin: &str) -> String {
        let lines = self.lines.by_ref().map(Result::unwrap);
        let found = lines.into_iter().find_map(|line| line.strip_prefix(begin).map(str::to_owned));
        found.unwrap_or_else(|| panic!("it ended without `{begin}`"))
    }

    fn end(mut self) -> bool {
        self.child.wait().unwrap().success()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A provider whose refresh tokens can be spent once. To one who lost the answer it says the same again, as long as
/// the token it gave was not used.
struct Provider {
    address: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let provider = Self { address, seen: Arc::clone(&seen) };
        std::thread::spawn(move || {
            let mut current = 0;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut token = String::new();
                // One that was killed may have connected and asked nothing, or half of something.
                let _ = BufReader::new(&stream).read_line(&mut token);
                if !token.ends_with('\n') {
                    continue;
                }
                let token = token.trim().to_owned();
                seen.lock().unwrap().push(token.clone());
                if token == format!("rt-{current}") {
                    current += 1;
                }
                let answer = match token == format!("rt-{}", current - 1) {
                    true => format!("at-{current} rt-{current}"),
                    false => "invalid_grant".to_owned(),
                };
                let _ = writeln!(stream, "{answer}");
            }
        });
        provider
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn no_change_of_ten_processes_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let workers: Vec<Worker> = (0..10).map(|_| Worker::start(&["count", path, "20"])).collect();
    assert!(workers.into_iter().all(Worker::end));
    let key = server("shared");
    assert_eq!(InFile::new(path).load(&key).await.unwrap(), Some(Entry::new(text("200"))));
}

#[tokio::test]
async fn o27_ten_processes_refresh_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let store = InFile::new(path);
    store.swap(&server("shared"), None, Some(&text("expired rt-0"))).await.unwrap();
    let provider = Provider::start();
    let start = |_| Worker::start(&["refresh", path, &provider.address]);
    let mut workers: Vec<Worker> = (0..10).map(start).collect();
    for worker in &mut workers {
        assert_eq!(worker.expect("done "), "fresh at-1 rt-1");
    }
    assert!(workers.into_iter().all(Worker::end));
    assert_eq!(provider.seen(), ["rt-0"]);
    let stored = store.load(&server("shared")).await.unwrap();
    assert_eq!(stored, Some(Entry::new(text("fresh at-1 rt-1"))));
}

#[tokio::test]
async fn whoever_is_killed_holds_nobody_up_and_loses_nothing() {
    for (phase, asked) in
        [("started", 1), ("expired", 1), ("held", 1), ("asked", 2), ("answered", 2), ("stored", 1)]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let store = InFile::new(path);
        store.swap(&server("shared"), None, Some(&text("expired rt-0"))).await.unwrap();
        let provider = Provider::start();
        let mut killed = Worker::start(&["refresh", path, &provider.address, phase]);
        killed.expect(phase);
        let start = |_| Worker::start(&["refresh", path, &provider.address]);
        let mut others: Vec<Worker> = (0..9).map(start).collect();
        others.iter_mut().for_each(|other| drop(other.expect("started")));
        drop(killed);
        for other in &mut others {
            assert_eq!(other.expect("done "), "fresh at-1 rt-1", "{phase}");
        }
        assert!(others.into_iter().all(Worker::end), "{phase}");
        let seen = provider.seen();
        assert!(seen.len() <= asked && seen.iter().all(|token| token == "rt-0"), "{phase}: {seen:?}");
        let stored = store.load(&server("shared")).await.unwrap();
        assert_eq!(stored, Some(Entry::new(text("fresh at-1 rt-1"))), "{phase}");
    }
}

/// All start at once, and one is killed while it runs on, after it said so many things.
#[tokio::test]
async fn one_of_ten_that_is_killed_at_any_moment_costs_the_others_nothing() {
    for said in (0..7).cycle().take(21) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let store = InFile::new(path);
        store.swap(&server("shared"), None, Some(&text("expired rt-0"))).await.unwrap();
        let provider = Provider::start();
        let start = |_| Worker::start(&["refresh", path, &provider.address]);
        let mut workers: Vec<Worker> = (0..10).map(start).collect();
        let mut killed = workers.remove(0);
        killed.lines.by_ref().take(said).for_each(drop);
        drop(killed);
        for worker in &mut workers {
            assert_eq!(worker.expect("done "), "fresh at-1 rt-1", "{said}");
        }
        assert!(workers.into_iter().all(Worker::end), "{said}");
        assert!(provider.seen().iter().all(|token| token == "rt-0"), "{said}: {:?}", provider.seen());
        let stored = store.load(&server("shared")).await.unwrap();
        assert_eq!(stored, Some(Entry::new(text("fresh at-1 rt-1"))), "{said}");
    }
}
