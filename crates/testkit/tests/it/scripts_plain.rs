//! Scripts of the well-behaved server, of noise and of time.

/// Mode with flags, script; see [`crate::play::Play::follow`].
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
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
];
