//! Scripts of spoilt answers, ends, openings, lists and questions.

/// Mode with flags, script; see [`crate::play::Play::follow`].
pub(crate) const SCRIPTS: &[(&str, &str)] = &[
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
    ("list-once", "open\nlist 1\n< \"tools\":[\nlist 2\n< \"error\":{\"code\":-32603"),
    ("hints", "open\nlist 1\n< \"readOnlyHint\":true … \"readOnlyHint\":false … {\"name\":\"silent\""),
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
    (
        "another-revision",
        r#"
        > DISCOVER
        < "supportedVersions"
        > {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
        < "code":-32022 … "supported":["2026-07-28"],"requested":"2026-07-28"
        > {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
        < "id":2 … "tools""#,
    ),
    (
        "another-revision --at server/discover",
        r#"
        > DISCOVER
        < "code":-32022
        > DISCOVER
        < "supportedVersions""#,
    ),
];
