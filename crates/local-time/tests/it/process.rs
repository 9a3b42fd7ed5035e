//! The program over its standard input and output, and over HTTP.
#![expect(clippy::unwrap_used, reason = "what a test cannot read is a failure of the test")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[expect(clippy::disallowed_methods, reason = "a test of a program starts it")]
fn started(arguments: &[&str]) -> Started {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local-time"));
    command.args(arguments).env("TZ", "UTC");
    Started(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Waits for its end, which comes within a second, and has room for a loaded machine.
fn ends(mut server: Started, well: bool) {
    let began = Instant::now();
    loop {
        if let Some(status) = server.0.try_wait().unwrap() {
            assert_eq!(status.success(), well, "{status}");
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "it goes on");
        std::thread::yield_now();
    }
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

fn call(id: i64, name: &str, arguments: Value) -> Value {
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": name, "arguments": arguments, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[test]
fn a_host_starts_it_and_closes_its_input() {
    let mut server = started(&[]);
    let (mut input, output) = (server.0.stdin.take().unwrap(), server.0.stdout.take().unwrap());
    let mut output = BufReader::new(output);
    let mut next = move || -> Value {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let client = json!({"name": "x", "version": "1"});
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    input.write_all(&line(&initialize)).unwrap();
    assert_eq!(next()["result"]["serverInfo"]["name"], "local-time");
    // A long answer comes whole, and so do many short ones.
    let zones =
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_timezones"}});
    let mut all = Vec::new();
    (0..50).for_each(|_| all.extend(line(&zones)));
    (3..1000).for_each(|id| all.extend(line(&json!({"jsonrpc": "2.0", "id": id, "method": "ping"}))));
    let writer = std::thread::spawn(move || {
        input.write_all(&all).unwrap();
        input
    });
    for _ in 0..50 {
        assert!(next()["result"]["content"][0]["text"].as_str().unwrap().len() > 5000);
    }
    for id in 3..1000 {
        assert_eq!(next(), json!({"jsonrpc": "2.0", "id": id, "result": {}}));
    }
    drop(writer.join().unwrap());
    ends(server, true);
}

#[test]
fn it_ends_when_nobody_reads_any_more() {
    let mut server = started(&[]);
    let (mut input, output) = (server.0.stdin.take().unwrap(), server.0.stdout.take().unwrap());
    let writer = std::thread::spawn(move || {
        let zones = line(&call(1, "list_timezones", json!({})));
        // Until the server has left.
        while input.write_all(&zones).is_ok() {}
    });
    let mut first = String::new();
    BufReader::new(output).read_line(&mut first).unwrap();
    ends(server, true);
    writer.join().unwrap();
}

#[test]
fn it_ends_with_its_input_though_its_output_is_full() {
    let mut server = started(&[]);
    let (mut input, output) = (server.0.stdin.take().unwrap(), server.0.stdout.take().unwrap());
    let zones = line(&call(1, "list_timezones", json!({})));
    // Far more answers than a pipe holds, in few bytes.
    for _ in 0..60 {
        input.write_all(&zones).unwrap();
    }
    drop(input);
    ends(server, true);
    drop(output);
}

#[test]
fn over_http_it_answers_the_same() {
    let mut server = started(&["--listen", "127.0.0.1:0"]);
    let mut url = String::new();
    BufReader::new(server.0.stderr.take().unwrap()).read_line(&mut url).unwrap();
    let (address, path) = url.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
    let body = call(1, "get_current_time", json!({})).to_string();
    let head = format!(
        "POST /{path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\n\
         mcp-name: get_current_time\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(r#""timezone":"UTC""#), "{answer}");
}

#[test]
fn a_wrong_command_line_is_said() {
    for (words, expected, well) in [
        (&["--help"][..], "usage: local-time", true),
        (&["--help-me"], "error: usage: local-time", false),
        (&["--listen", "localhost"], "error: \"localhost\" is no ADDRESS:PORT", false),
        (&["--listen", "192.0.2.1:80"], "error: cannot serve at 192.0.2.1:80: ", false),
    ] {
        let mut server = started(words);
        let mut said = String::new();
        server.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.starts_with(expected), "{said}");
        ends(server, well);
    }
}
