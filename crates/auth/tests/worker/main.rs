//! What tests start as a process of its own: it shares credentials with others of its kind, or opens a browser.
//!
//! `count FOLDER TIMES` adds one to a number, so many times. `refresh FOLDER PROVIDER [PHASE]` spends a refresh token
//! at a provider on this machine as all who share it must: in its turn, and only if nobody else did. It says each
//! phase, and stays in the one named. `open URL` sends the system's browser there.
#![expect(clippy::print_stdout, reason = "it talks to the test that started it")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use codewhale_mcp_auth::browser::{BrowserUrl, Opener as _, SystemBrowser};
use codewhale_mcp_auth::credentials::{CredentialStore as _, Entry, Key, Swapped};
use codewhale_mcp_auth::store::InFile;
use codewhale_mcp_redact::Secret;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let key = Key::Server { name: "shared".to_owned(), url: "https://mcp.example/".to_owned() };
    match arguments.as_slice() {
        ["count", folder, times] => {
            let store = InFile::new(*folder);
            for _ in 0..times.parse().expect("a number") {
                count(&store, &key).await;
            }
        }
        ["refresh", folder, provider] => refresh(&InFile::new(*folder), &key, provider, "").await,
        ["refresh", folder, provider, phase] => refresh(&InFile::new(*folder), &key, provider, phase).await,
        ["open", url] => {
            let url = BrowserUrl::parse(url).expect("a browser may go there");
            SystemBrowser.open(&url).expect("there is a browser");
        }
        other => panic!("not understood: {other:?}"),
    }
}

/// Adds one, however often others are faster.
async fn count(store: &InFile, key: &Key) {
    let mut seen = store.load(key).await.expect("it is readable");
    loop {
        let number = seen.as_ref().map_or(0, |entry| entry.text.expose().parse().expect("a number"));
        let next = Secret::new(u32::to_string(&(number + 1)));
        let version = seen.as_ref().map(|entry| &entry.version);
        match store.swap(key, version, Some(&next)).await.expect("it is writable") {
            Swapped::Done => return,
            Swapped::Other(other) => seen = other,
        }
    }
}

/// The stored text is `expired REFRESH` or `fresh ACCESS REFRESH`.
async fn refresh(store: &InFile, key: &Key, provider: &str, stay_in: &str) {
    let reach = |phase: &str| {
        println!("{phase}");
        if phase == stay_in {
            loop {
                std::thread::park();
            }
        }
    };
    reach("started");
    let mut entry = load(store, key).await;
    if entry.text.expose().starts_with("expired ") {
        reach("expired");
        let _turn = store.hold(key).await.expect("a turn comes");
        reach("held");
        entry = load(store, key).await;
        if let Some(token) = entry.text.expose().strip_prefix("expired ") {
            let text = Secret::new(format!("fresh {}", ask(provider, token, &reach)));
            reach("answered");
            let swapped = store.swap(key, Some(&entry.version), Some(&text)).await.expect("it is writable");
            assert_eq!(swapped, Swapped::Done, "nobody else writes in this turn");
            entry = Entry::new(text);
            reach("stored");
        }
    }
    println!("done {}", entry.text.expose());
}

async fn load(store: &InFile, key: &Key) -> Entry {
    store.load(key).await.expect("it is readable").expect("it is there")
}

fn ask(provider: &str, token: &str, reach: &impl Fn(&str)) -> String {
    let mut stream = TcpStream::connect(provider).expect("the provider listens");
    writeln!(stream, "{token}").expect("the provider reads");
    reach("asked");
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).expect("the provider answers");
    answer.trim().to_owned()
}
