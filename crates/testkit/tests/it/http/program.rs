//! The same servers as processes of their own.

use super::client::ask_modern;
use crate::play::Play;
use serde_json::json;

#[test]
fn the_program_says_its_url_and_ends_with_its_input() {
    let mut play = Play::start("--http everything --era modern");
    let url = play.hear();
    let port = url.strip_prefix("http://127.0.0.1:").unwrap().strip_suffix("/mcp").unwrap().parse().unwrap();
    assert_eq!(ask_modern(port, 1, "server/discover", json!({})).status, 200);
    play.follow("end 0");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_mode_need_not_be_named() {
    for arguments in ["--http", "--http --answers json"] {
        let mut play = Play::start(arguments);
        assert!(play.hear().ends_with("/mcp"));
    }
}

#[test]
fn the_program_exits_when_a_tool_says_so() {
    let mut play = Play::start("--http plain");
    let url = play.hear();
    let port = url.rsplit(':').next().unwrap().split('/').next().unwrap().parse().unwrap();
    let params = json!({"name": "exit", "arguments": {"code": 7}});
    drop(super::client::send_modern(port, 1, "tools/call", params));
    assert_eq!(play.exit(), Some(7));
}

#[test]
fn an_unknown_mode_or_flag_is_refused() {
    for arguments in ["--http no-such-mode", "--http everything --no-such-flag"] {
        let mut play = Play::start(arguments);
        assert_eq!(play.exit(), Some(2), "{arguments}");
    }
}
