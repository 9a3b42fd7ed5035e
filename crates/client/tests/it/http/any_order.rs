//! Whatever a server and the callers do, in any order: every call ends in its time, a tool runs once, and nothing is
//! left behind.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use codewhale_mcp_client::{Client, Options};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::web::{Got, Web, reply, text};
use super::wire::Stream;

const CALLERS: u64 = 40;

/// Numbers that look random and are the same each time (xorshift).
#[derive(Clone)]
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// What the server saw and did.
#[derive(Default)]
struct Seen {
    sessions: u64,
    /// For each number that a tool was called with: how often it came, and how often it was turned away unread.
    calls: HashMap<u64, (u32, u32)>,
    requests: HashSet<String>,
    cancelled: HashSet<String>,
    gets: u32,
    deletes: u32,
    /// Answers that can be had by taking up their stream.
    recorded: HashMap<String, Value>,
    /// Exchanges that hang, and streams that stay open.
    hung: Vec<Got>,
    open: Vec<Stream>,
}

impl Seen {
    fn session(&self) -> String {
        format!("s-{}", self.sessions)
    }

    fn serve(&mut self, got: Got, dice: &mut Dice) {
        match got.verb {
            "DELETE" => {
                self.deletes += 1;
                got.empty(200);
            }
            "GET" => self.stream(got, dice),
            _ => match got.method() {
                "initialize" if dice.below(4) == 0 => got.empty(503),
                "initialize" => {
                    self.sessions += 1;
                    let session = self.session();
                    got.result_in_session(
                        &session,
                        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}),
                    );
                }
                "notifications/cancelled" => {
                    let id = got.body["params"]["requestId"].to_string();
                    assert!(self.requests.contains(&id), "only what was asked is cancelled");
                    assert!(self.cancelled.insert(id), "and once");
                    got.empty(202);
                }
                "tools/call" => {
                    let number = got.body["params"]["arguments"]["number"].as_u64().expect("a number");
                    let (came, away) = self.calls.entry(number).or_default();
                    assert_eq!(came, away, "a tool that may have run is not called again");
                    *came += 1;
                    if self.request(got, dice) {
                        self.calls.get_mut(&number).expect("it came").1 += 1;
                    }
                }
                "tools/list" => drop(self.request(got, dice)),
                _ => got.empty(202),
            },
        }
    }

    /// Answers a request in some way; true when it was turned away unread.
    fn request(&mut self, got: Got, dice: &mut Dice) -> bool {
        assert!(self.requests.insert(got.body["id"].to_string()), "an id is used once");
        let modern = got.header("mcp-method").is_some();
        if !modern && got.header("mcp-session-id") != Some(&self.session()) {
            got.empty(404);
            return true;
        }
        let answer = match got.method() {
            "tools/list" => reply(&got.body, json!({"tools": []})),
            _ => reply(&got.body, text("ok")),
        };
        match dice.below(10) {
            0 if !modern => {
                // It has forgotten everybody.
                self.sessions += 1;
                got.empty(404);
                return true;
            }
            0 | 1 => got.json(200, &answer),
            2 => drop(got),
            3 => got.empty(500),
            4 => self.hung.push(got),
            5 => {
                let stream = got.events();
                stream.raw("data: {\"jsonrpc\"");
                stream.breaks();
            }
            6 => {
                let event = format!("e-{}", self.recorded.len());
                got.events().raw(&format!("id: {event}\nretry: 300\ndata:\n\n"));
                self.recorded.insert(event, answer);
            }
            7 => self.open.push(got.events()),
            _ => {
                let stream = got.events();
                stream.notify("notifications/message", json!({"level": "info", "data": 1}));
                stream.say(&answer);
                self.open.push(stream);
            }
        }
        false
    }

    fn stream(&mut self, got: Got, dice: &mut Dice) {
        self.gets += 1;
        let recorded = got.header("last-event-id").and_then(|id| self.recorded.get(id).cloned());
        match (recorded, dice.below(4)) {
            (_, 0) => got.empty(503),
            (None, 1) => got.empty(405),
            (Some(answer), 1..3) => got.events().say(&answer),
            _ => self.open.push(got.events()),
        }
    }
}

/// One caller, who may lose patience. True when there was a result.
async fn caller(client: Client, number: u64, mut dice: Dice) -> bool {
    tokio::time::sleep(Duration::from_millis(dice.below(3000))).await;
    let budget = Duration::from_millis(1 + dice.below(20_000));
    let patience = Duration::from_millis(dice.below(40_000));
    let begun = Instant::now();
    let asking = async {
        if number.is_multiple_of(4) {
            return client.list_tools_page(None).timeout(budget).send().await.is_ok();
        }
        client.call_tool("x", &json!({"number": number})).timeout(budget).send().await.is_ok()
    };
    let done = tokio::time::timeout(patience, asking).await.unwrap_or(false);
    // The pauses before another try count, too.
    assert!(
        begun.elapsed() <= budget + Duration::from_millis(2),
        "it took {:?} of {budget:?}",
        begun.elapsed()
    );
    done
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_in_its_time_and_no_tool_runs_twice() {
    let mut done = 0;
    for seed in 1..=60_u64 {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (seed << 20));
        let modern = seed % 3 == 0;
        let revision = if modern { "2026-07-28" } else { "2025-11-25" };
        let (client, mut web) = Web::connected(revision, Options::default()).await;
        let callers: Vec<_> = (0..CALLERS)
            .map(|number| {
                dice.below(2);
                tokio::spawn(caller(client.clone(), number, dice.clone()))
            })
            .collect();
        let mut seen = Seen { sessions: 1, ..Seen::default() };
        let calls = async {
            let mut count = 0;
            for caller in callers {
                count += usize::from(caller.await.expect("the task ends"));
            }
            client.close().await;
            count
        };
        let mut calls = std::pin::pin!(calls);
        done += loop {
            tokio::select! {
                count = &mut calls => break count,
                Some(got) = web.next() => seen.serve(got, &mut dice),
            }
        };
        assert!(seen.calls.values().all(|(came, _)| (1..=2).contains(came)), "{:?}", seen.calls);
        assert!(seen.hung.iter().all(Got::is_gone), "no exchange is left");
        assert!(
            seen.open.iter().all(Stream::is_gone) || modern || {
                // What comes after an answer is read for a second.
                tokio::time::sleep(Duration::from_secs(1)).await;
                seen.open.iter().all(Stream::is_gone)
            }
        );
        assert!(!modern || (seen.gets, seen.deletes, seen.cancelled.len()) == (0, 0, 0), "the legacy era's");
        assert!(seen.deletes <= 1);
        web.hears_nothing_for(Duration::from_secs(100)).await;
    }
    assert!(done > 400, "some come through: {done}");
}
