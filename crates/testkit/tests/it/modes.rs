//! The table: a mode, a script.

use crate::play::{DISCOVER, OPEN, Play, call, list};

/// Mode with flags, script; see [`Play::follow`].
const TABLE: &[(&str, &str)] = &[
    (
        "plain",
        r#"
        open
        list 1
        < "id":1 … "tools":[{"name":"echo" … "name":"delete_all" … "destructiveHint":true
        call 2 echo {"text":"héllo\n"}
        < "id":2,"result":{"content":[{"type":"text","text":"héllo\n"}]}
        call 3 add {"a":1.5,"b":2}
        < "structuredContent":{"sum":3.5}
        call 4 fail
        < "isError":true … denied
        call 5 reflect {"n":9007199254740993,"m":-0}
        < "structuredContent":{"arguments":{"n":9007199254740993,"m":-0}}
        call 6 none
        < "id":6,"error":{"code":-32602
        > {"jsonrpc":"2.0","id":"7","method":"ping"}
        < "id":"7","result":{}
        > {"jsonrpc":"2.0","id":8,"method":"foo/bar"}
        < "id":8,"error":{"code":-32601
        > not json
        < "id":null,"error":{"code":-32700
        > {"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"text://greeting"}}
        < "text":"hello"
        > {"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":"text:/nowhere"}}
        < "code":-32002
        > {"jsonrpc":"2.0","id":11,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"Ada"}}}
        < Say hello to Ada
        > {"jsonrpc":"2.0","id":12,"method":"resources/templates/list"}
        < "resourceTemplates":[{"uriTemplate":"text://{name}"
        end 0"#,
    ),
    (
        "plain",
        r#"
        open
        call 1 big {"bytes":5}
        < "text":"xxxxx"
        call 2 image
        < "type":"image","data":"iVBOR
        call 3 audio
        < "type":"audio","data":"UklGR
        call 4 blob
        < "blob":"JVBERi0
        call 5 link
        < resource_link
        call 6 log {"n":2,"level":"warning"}
        same 2 < notifications/message … "level":"warning"
        < "id":6
        call 7 ansi
        < \u001b[2J
        call 8 env {"name":"NO_SUCH_VARIABLE"}
        < is not set … "isError":true
        call 9 slow {"ms":30,"every":10}
        < "progressToken":"p9","progress":1,"total":3,"message":"step 1 of 3"
        same 2 < notifications/progress
        < "id":9 … done after 30 ms
        call 10 exit {"code":4}
        gone 4"#,
    ),
    (
        "plain",
        r#"
        list 1
        < -32600 … initialize first
        > {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{}}
        < "id":2,"error":{"code":-32601"#,
    ),
    (
        "echo-args a_b --any",
        r#"
        open
        call 1 args
        < "args":["echo-args","a b","--any"],"cwd":"/"#,
    ),
    (
        "junk-first",
        r#"
        same 36 < [INFO] starting module
        < ready
        open"#,
    ),
    (
        "junk-between",
        r#"
        > INITIALIZE
        < handling
        < { not json
        < red
        < "id":0"#,
    ),
    (
        "bad-utf8",
        r#"
        > INITIALIZE
        < notifications/message
        < "id":0"#,
    ),
    (
        "unknown-notifications",
        r#"
        > INITIALIZE
        < notifications/stderr
        < notifications/x
        < tools/list_changed
        < notifications/progress
        < notifications/cancelled
        < notifications/y
        < "id":0"#,
    ),
    (
        "split-bytes",
        r#"
        > INITIALIZE
        < naïve — 漢字 🐋
        end 0"#,
    ),
    (
        "stderr-flood --count 3 --bytes 100000",
        r#"
        open
        list 1
        < "id":1"#,
    ),
    (
        "notify-burst",
        r#"
        open
        call 1 echo {"text":"x"}
        < notifications/progress … "progress":1,"total":1000
        same 1999 < "method":"notifications/
        < "id":1"#,
    ),
    (
        "flood --bytes 100000",
        r#"
        open
        call 1 echo
        list 2
        < xxxxxxxxxx … x{"jsonrpc":"2.0","id":2
        end 0"#,
    ),
    (
        "reverse --batch 3",
        r#"
        open
        call 1 echo
        call 2 echo
        call 3 echo
        < "id":3
        < "id":2
        < "id":1
        call 4 echo
        call 5 echo
        < "id":5
        < "id":4"#,
    ),
    (
        "slow --delay 20",
        r#"
        open
        call 1 echo
        < "id":1"#,
    ),
    ("slow-start --delay 20", "open"),
    (
        "slow-list --delay 50",
        r#"
        open
        list 1
        call 2 echo
        < "id":2
        < "id":1"#,
    ),
    (
        "late --delay 50",
        r#"
        open
        call 1 echo
        list 2
        < "id":2
        < "id":1"#,
    ),
    (
        "hang",
        r#"
        > INITIALIZE
        list 1
        end 0"#,
    ),
    (
        "hang-call",
        r#"
        open
        call 1 echo
        list 2
        < "id":2
        end 0"#,
    ),
    (
        "duplicate",
        r#"
        > INITIALIZE
        same 2 < "id":0
        end 0"#,
    ),
    (
        "id-as-string",
        r#"
        > INITIALIZE
        < "id":"0""#,
    ),
    (
        "id-as-string --form zero",
        r#"
        > INITIALIZE
        < "id":"00""#,
    ),
    (
        "id-as-string --form space",
        r#"
        > INITIALIZE
        < "id":" 0""#,
    ),
    (
        "id-as-string --form float",
        r#"
        > INITIALIZE
        < "id":"0.0""#,
    ),
    (
        "error-no-id",
        r#"
        open
        call 1 echo
        < {"jsonrpc":"2.0","error":{"code":-32700
        < "id":1"#,
    ),
    (
        "error-no-id --null --instead",
        r#"
        open
        call 1 echo
        < "id":null,"error"
        list 2
        < "id":2"#,
    ),
    (
        "both-result-and-error",
        r#"
        open
        call 1 echo
        < "id":1,"result":{ … ,"error":{"code":-32603"#,
    ),
    (
        "neither",
        r#"
        open
        call 1 echo
        < {"jsonrpc":"2.0","id":1,"note":"nothing here"}"#,
    ),
    (
        "batch --replies 2 --empty",
        r#"
        open
        call 1 echo
        call 2 echo
        < []
        < [{"jsonrpc":"2.0","id":1, … },{"jsonrpc":"2.0","method":"notifications/message" … "id":2"#,
    ),
    (
        "huge-line --bytes 1000000",
        r#"
        open
        call 1 echo
        < "id":1 … yyyyyyyy"#,
    ),
    (
        "big-numbers",
        r#"
        open
        call 1 echo {"n":1e30}
        < "exact":9007199254740993 … "minus_zero":-0 … "arguments":{"n":1e30}"#,
    ),
    (
        "die-on-call --code 3 --stderr gone",
        r#"
        open
        call 1 echo
        gone 3"#,
    ),
    (
        "die-on-call --half",
        r#"
        open
        call 1 echo
        < {"jsonrpc":"2.0","id":1,"result":{"content":[
        gone 1"#,
    ),
    ("die-on-start --code 3", "gone 3"),
    ("exit-on-unknown", "open\nlist 1\n< \"id\":1\nend 0"),
    ("exit-on-unknown", "> DISCOVER\ngone 1"),
    ("ignore-probe", "> DISCOVER\nopen"),
    ("wedge", "> DISCOVER\n> INITIALIZE\nend 0"),
    ("wedge", "open"),
    ("wedge --always", "> INITIALIZE\nend 0"),
    (
        "no-initialize",
        r#"
        list 1
        < "tools":[
        > INITIALIZE
        < "error":{"code":-32601"#,
    ),
    (
        "wrong-version",
        r#"
        > INITIALIZE
        < "protocolVersion":"1999-01-01""#,
    ),
    (
        "modern-refuse",
        r#"
        > DISCOVER
        < "code":-32022 … "supported":["2026-07-28"],"requested":"2026-07-28"
        > DISCOVER
        < "supportedVersions":["2026-07-28"]"#,
    ),
    (
        "modern-refuse --none",
        r#"
        > DISCOVER
        < "supported":["2026-10-01"]
        > DISCOVER
        < -32022"#,
    ),
    (
        "paged --items 30 --pages 3",
        r#"
        open
        list 1
        < "name":"echo" … "nextCursor":"from-10"
        list 2 "from-10"
        < "nextCursor":"from-20"
        list 3 "from-20"
        < "name":"item_29" … "inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}}]}
        list 4 "nonsense"
        < -32602
        > {"jsonrpc":"2.0","id":5,"method":"prompts/list"}
        < "nextCursor":"from-10"
        call 6 item_29 {"text":"x"}
        < "arguments":{"text":"x"}"#,
    ),
    (
        "page-error",
        r#"
        open
        list 1
        < "nextCursor":"from-50"
        list 2 "from-50"
        < "error":{"code":-32602"#,
    ),
    (
        "endless-cursor",
        r#"
        open
        list 1
        < "nextCursor":"turn-1"
        list 2 "turn-1"
        < "nextCursor":"turn-1""#,
    ),
    (
        "endless-cursor --cycle 2",
        r#"
        open
        list 1
        < "nextCursor":"turn-1"
        list 2 "turn-1"
        < "nextCursor":"turn-2"
        list 3 "turn-2"
        < "nextCursor":"turn-1""#,
    ),
    (
        "empty-cursor",
        r#"
        open
        list 1
        < "nextCursor":""
        list 2 ""
        < "nextCursor":"""#,
    ),
    (
        "empty-cursor --then-end",
        r#"
        open
        list 1
        < "name":"echo" … "nextCursor":""
        list 2 ""
        < "name":"args" … }]}}"#,
    ),
    ("null-cursor", "open\nlist 1\n< \"nextCursor\":null"),
    ("empty-list", "open\nlist 1\n< \"tools\":[]}"),
    ("many-tools 3", "open\nlist 1\n< \"tools\":[{\"name\":\"item_0\" … \"name\":\"item_2\""),
    (
        "bad-schemas",
        r#"
        open
        list 1
        < {"name":"missing"} … "inputSchema":null … "anyOf" … $defs/Q"#,
    ),
    ("odd-names", "open\nlist 1\n< \"name\":\"查询 all\" … do__thing"),
    (
        "list-changed --burst 2",
        r#"
        open
        list 1
        < "id":1
        same 2 < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        list 2
        < item_16 … item_17
        list 3
        < "id":3"#,
    ),
    (
        "list-changed --when before --undeclared --empty-first",
        r#"
        > INITIALIZE
        < list_changed
        < "capabilities":{"tools":{}}"#,
    ),
    (
        "list-changed --when call --same --again",
        r#"
        open
        call 1 echo
        < list_changed
        < "id":1
        call 2 echo
        < list_changed"#,
    ),
    (
        "ping-first",
        r#"
        > INITIALIZE
        < "id":"ask-1","method":"ping"
        > {"jsonrpc":"2.0","id":"ask-1","result":{}}
        < "id":0
        < "id":"ask-2","method":"ping"
        > {"jsonrpc":"2.0","id":"ask-2","result":{}}
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        call 1 echo {"text":"x"}
        < "id":"ask-3"
        > {"jsonrpc":"2.0","id":"ask-3","result":{}}
        < "id":1 … "text":"x"
        call 2 echo {"text":"x"}
        < "id":"ask-4"
        > {"jsonrpc":"2.0","id":"ask-4","error":{"code":-32601,"message":"no"}}
        < "id":2 … "isError":true"#,
    ),
    (
        "server-requests",
        r#"
        open
        call 1 echo
        < "id":"ask-1","method":"roots/list"
        < sampling/createMessage
        < elicitation/create
        < "id":"ask-4","method":"x/unknown"
        > {"jsonrpc":"2.0","id":"ask-1","result":{"roots":[]}}
        > {"jsonrpc":"2.0","id":"ask-2","error":{"code":-1,"message":"no"}}
        > {"jsonrpc":"2.0","id":"ask-3","result":{"action":"decline"}}
        > {"jsonrpc":"2.0","id":"ask-4","error":{"code":-32601,"message":"no"}}
        < "id":1 … roots/list result {\"roots\":[]}\nsampling … "isError":false"#,
    ),
    ("slow-list+duplicate --delay 10", "> INITIALIZE\nsame 2 < \"id\":0"),
];

#[test]
fn every_mode_plays_its_script() {
    for (mode, script) in TABLE {
        let script = script.replace("> INITIALIZE", &format!("> {OPEN}"));
        let script = script.replace("> DISCOVER", &format!("> {DISCOVER}"));
        let played = std::panic::catch_unwind(|| {
            Play::start(mode).follow(&script);
        });
        assert!(played.is_ok(), "mode {mode}");
    }
}

#[test]
fn no_mode_is_left_out() {
    let mut play = Play::start("--list");
    play.close_stdin();
    let played: String =
        [include_str!("modes.rs"), include_str!("http.rs"), include_str!("processes.rs")].concat();
    let mut modes = 0;
    loop {
        let line = play.hear();
        let name = line.split(' ').next().unwrap().to_owned();
        if name == "for" {
            break;
        }
        modes += 1;
        let (alone, more) = (format!("\"{name}\""), format!("\"{name} "));
        assert!(played.contains(&alone) || played.contains(&more), "{name} is played by no test");
    }
    assert!(modes > 50, "{modes}");
}

#[test]
fn crlf_marks_the_start_and_ends_lines_with_a_return() {
    let mut play = Play::start("crlf");
    play.say(OPEN);
    assert_eq!(play.hear_bytes(), b"\xef\xbb\xbf\r\n");
    let line = play.hear_bytes();
    assert!(line.starts_with(b"{") && line.ends_with(b"}\r\n"));
    play.say(OPEN);
    assert_eq!(play.hear_bytes(), b"\r\n");
}

#[test]
fn a_bad_line_is_no_utf_8() {
    let mut play = Play::start("bad-utf8");
    play.say(OPEN);
    assert!(String::from_utf8(play.hear_bytes()).is_err());
}

#[test]
fn a_cancelled_call_is_never_answered() {
    let mut play = Play::start("plain");
    play.open();
    play.say(&call("1", "slow", r#"{"ms":1,"every":1}"#));
    play.follow("< progress\n< \"id\":1");
    play.say(&call("2", "slow", r#"{"ms":600000,"every":600000}"#));
    play.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#);
    play.say(&list("3", ""));
    play.follow("< \"id\":3");
    assert_eq!(play.first_error(), "cancelled 2");
    play.follow("end 0");
}

#[test]
fn a_failing_start_says_why_on_stderr() {
    let mut play = Play::start("die-on-start --code 2 --stderr FATAL:_MY-TOKEN_is_not_set");
    assert_eq!(play.exit(), Some(2));
    assert_eq!(play.first_error(), "FATAL: MY-TOKEN is not set");
}

#[test]
fn a_flag_of_another_mode_is_refused() {
    let mut play = Play::start("plain --burst 7");
    assert_eq!(play.exit(), Some(2));
    assert!(play.first_error().contains("--burst"));
}
