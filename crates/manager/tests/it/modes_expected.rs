//! What each mode of the fake server has to come to.

use crate::rows::{Row, alike, each, fixed, within};

const FINE: &str = "ready in REVISION with 16; says WORDS; then lists 16";
const HEARD_NOTHING: &str = "failed, timed_out in handshake: the server was not ready within 2 s: it did not answer server/discover and initialize";
const CUT_OFF: &str =
    "failed, limit in handshake: the server was cut off: a message is longer than 67108864 bytes";
const CUT_OFF_IN_CALL: &str = "ready in REVISION with 16; the server was cut off (a message is longer than 67108864 bytes) before it answered; then gone, it was cut off (a message is longer than 67108864 bytes)";
const CALL_UNANSWERED: &str =
    "ready in REVISION with 16; the server did not answer tools/call within 0.5 s; then lists 16";
const NO_REVISION_IN_COMMON: &str =
    "failed, handshake_failed in handshake: the server speaks 2026-10-01, none of which we speak";
const NUMBERS: &str = r#"ready in REVISION with 16; says {"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001}, structured {"numbers":{"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001},"arguments":{"text":"WORDS"}}; then lists 16"#;
const REFUSED_FOUR_TIMES: &str = r#"ready in REVISION with 16; says roots/list error {"code":-32601,"message":"Method not found"}
sampling/createMessage error {"code":-32601,"message":"Method not found"}
elicitation/create error {"code":-32601,"message":"Method not found"}
x/unknown error {"code":-32601,"message":"Method not found"}; then lists 16"#;
/// A child that outlives its leader is no server, however far it has come: it is ended with it.
const LEFT: &str = "…the server exited with code 0 …";
const MODERN_ALONE: &str = "failed, handshake_failed in handshake: the server refused initialize: initialize is not supported, this server speaks 2026-07-28 (code -32601)";

/// A whole handshake that is not answered.
const SOON: &str = r#"{"connect_timeout": 2}"#;
/// A list that is not answered.
const LIST_SOON: &str = r#"{"read_timeout": 4}"#;
/// A call that is not answered.
const CALL_SOON: &str = r#"{"execute_timeout": 0.5}"#;

pub(crate) const ROWS: &[Row] = &[
    alike("plain", FINE),
    fixed("echo-args a --b=c", FINE),
    each(
        "everything --rounds 2 --state-only 1 --no-state --endless --undeclared --honour tools --end result --end-at ack",
        "ready in REVISION with 36; says WORDS; then lists 36",
        "ready in REVISION with 35; says WORDS; then lists 35",
    ),
    each(
        "everything --page 5",
        "ready in REVISION with 36; says WORDS; then lists 5",
        "ready in REVISION with 35; says WORDS; then lists 5",
    ),
    each(
        "everything --tasks required --poll 5 --get-as-task",
        "ready in REVISION with 44; says WORDS; then lists 44",
        "ready in REVISION with 43; says WORDS; then lists 43",
    ),
    alike("strict", FINE),
    each(
        "strict+everything --page 5 --tasks optional",
        "ready in REVISION with 44; says WORDS; then lists 5",
        "ready in REVISION with 43; says WORDS; then lists 5",
    ),
    alike(
        "hostile-text --undeclared",
        "ready in REVISION with 9, 2 lines of up to 205 bytes on stderr; says WORDS; then lists 9",
    ),
    // Noise.
    alike(
        "junk-first --count 36",
        "ready in REVISION with 16, but it sends lines that are no messages, the first is `[INFO] starting module 1 of 36`; says WORDS; then lists 16",
    ),
    alike(
        "junk-between",
        "ready in REVISION with 16, but it sends lines that are no messages, the first is `handling a request`; says WORDS; then lists 16",
    ),
    alike(
        "bad-utf8",
        "ready in REVISION with 16, but it sends lines that are no messages, the first is `{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data`; says WORDS; then lists 16",
    ),
    alike("split-bytes", FINE),
    alike("crlf", FINE),
    alike("flood --at start", CUT_OFF),
    alike("flood --at call --bytes 100000000", CUT_OFF_IN_CALL),
    alike(
        "stderr-flood --count 200 --bytes 45000",
        "ready in REVISION with 16, 15 lines of up to 4099 bytes on stderr; says WORDS; then lists 16",
    ),
    alike(
        "notify-burst --count 1000",
        "ready in REVISION with 16; says WORDS, progress to 1000; then lists 16",
    ),
    alike("unknown-notifications", "ready in REVISION with 16; says WORDS, told of 1 change; then lists 16"),
    // Time.
    alike("reverse --batch 3 --delay 10", FINE),
    alike("slow --delay 200", FINE),
    alike("slow-start --delay 1000", FINE),
    alike("slow-list --delay 1000", FINE),
    within(
        LIST_SOON,
        alike(
            "slow-list --delay 60000",
            "degraded in REVISION with 0, list_timed_out: the server did not answer tools/list within 4 s; says WORDS; then fails, the server did not answer tools/list within 4 s",
        ),
    ),
    within(CALL_SOON, alike("late --delay 60000", CALL_UNANSWERED)),
    within(SOON, alike("hang", HEARD_NOTHING)),
    within(SOON, alike("hang-no-read", HEARD_NOTHING)),
    within(CALL_SOON, alike("hang-call", CALL_UNANSWERED)),
    // Spoilt answers.
    alike("duplicate", FINE),
    alike("id-as-string --form string", FINE),
    within(SOON, alike("id-as-string --form zero", HEARD_NOTHING)),
    within(SOON, alike("id-as-string --form space", HEARD_NOTHING)),
    within(SOON, alike("id-as-string --form float", HEARD_NOTHING)),
    alike("error-no-id", FINE),
    alike("error-no-id --null", FINE),
    within(CALL_SOON, alike("error-no-id --instead", CALL_UNANSWERED)),
    alike(
        "both-result-and-error",
        "ready in REVISION with 16; the server's answer to tools/call cannot be used: a response has both a result and an error; then lists 16",
    ),
    alike(
        "neither",
        "ready in REVISION with 16; the server's answer to tools/call cannot be used: a response has neither a result nor an error; then lists 16",
    ),
    alike("batch --replies 1", FINE),
    alike("batch --empty", FINE),
    alike("huge-line --bytes 20971520", "ready in REVISION with 16; says 20971520 bytes; then lists 16"),
    alike("big-numbers", NUMBERS),
    // Ends.
    alike(
        "die-on-call --code 3 --stderr MY-TOKEN-is-not-set",
        "ready in REVISION with 16; the server exited with code 3 before it answered; then gone, it exited with code 3",
    ),
    alike(
        "die-on-call --half",
        "ready in REVISION with 16; the server exited with code 1 before it answered; then gone, it exited with code 1",
    ),
    alike("die-on-call --after 1", FINE),
    alike(
        "die-on-start --code 3 --stderr MY-TOKEN-is-not-set",
        "failed, exited in handshake: the server exited with code 3 before it was ready: the server closed the connection before it answered initialize (3), started 2 times, on stderr `MY-TOKEN-is-not-set`",
    ),
    // The modern revision has no initialize, so a modern server that wants it first can only be told apart by
    // what it says.
    each(
        "exit-on-unknown --code 9",
        "ready in REVISION with 16, started 2 times; says WORDS; then lists 16",
        "failed, handshake_failed in handshake: the server refused initialize: initialize is not supported, this server speaks 2026-07-28 (code -32601), started 2 times",
    ),
    alike(
        "close-stdout --at start",
        "failed, closed in handshake: the server closed the connection before it answered initialize, started 2 times",
    ),
    alike(
        "close-stdout --at call",
        "ready in REVISION with 16; the server closed the connection before it answered; then gone, it closed the connection",
    ),
    // Openings.
    alike("ignore-probe", FINE),
    within(SOON, alike("wedge", HEARD_NOTHING)),
    within(SOON, alike("wedge --always", HEARD_NOTHING)),
    each(
        "no-initialize",
        "failed, handshake_failed in handshake: the server refused initialize: method initialize not found (code -32601)",
        FINE,
    ),
    each(
        "wrong-version",
        "failed, handshake_failed in handshake: the server speaks 1999-01-01, none of which we speak",
        FINE,
    ),
    each(
        "wrong-version --answer 2026-07-28",
        "failed, protocol in handshake: the server's answer to initialize cannot be used: 2026-07-28 is not a revision with a handshake",
        FINE,
    ),
    // These are modern whatever they are told to be.
    fixed("modern-refuse", "ready in 2026-07-28 with 16; says WORDS; then lists 16"),
    fixed("another-revision --at tools/list", "ready in 2026-07-28 with 16; says WORDS; then lists 16"),
    fixed("modern-refuse --none", NO_REVISION_IN_COMMON),
    fixed("modern-refuse --none --offer 2025-06-18", MODERN_ALONE),
    // Lists.
    alike("paged --items 150 --pages 3", "ready in REVISION with 150; says WORDS; then lists 50"),
    alike(
        "page-error --items 150 --pages 3",
        "degraded in REVISION with 0, list_failed: the server answered tools/list with an error: this page cannot be read (code -32602); says WORDS; then lists 50",
    ),
    alike(
        "endless-cursor",
        "degraded in REVISION with 0, list_endless: the server repeats the cursor \"turn-1\" of tools/list after 2 pages; says WORDS; then lists 16",
    ),
    alike(
        "endless-cursor --cycle 3",
        "degraded in REVISION with 0, list_endless: the server repeats the cursor \"turn-1\" of tools/list after 4 pages; says WORDS; then lists 16",
    ),
    alike(
        "empty-cursor",
        "ready in REVISION with 16, but the server names an empty cursor where its list ends; says WORDS; then lists 16",
    ),
    alike("empty-cursor --then-end", "ready in REVISION with 16; says WORDS; then lists 8"),
    alike("null-cursor", FINE),
    alike(
        "empty-list",
        "degraded in REVISION with 0, list_empty: the server says that it has tools, and lists none; says WORDS; then lists 0",
    ),
    alike("many-tools --count 3000", "ready in REVISION with 3000; says WORDS; then lists 3000"),
    alike(
        "list-once",
        "ready in REVISION with 16; says WORDS; then fails, the server answered tools/list with an error: no list any more (code -32603)",
    ),
    alike("hints", "ready in REVISION with 3; says WORDS; then lists 3"),
    alike("bad-schemas", "ready in REVISION with 10, 7 warnings; says WORDS; then lists 10"),
    alike("odd-names", "ready in REVISION with 9; says WORDS; then lists 9"),
    alike("list-changed --when before --empty-first", "ready in REVISION with 1; says WORDS; then lists 1"),
    alike("list-changed --when list --undeclared", "ready in REVISION with 16; says WORDS…; then lists 17"),
    // A modern server tells those who subscribed, and nobody did.
    each(
        "list-changed --when call --burst 3 --again --same",
        "ready in REVISION with 16; says WORDS, told of 3 changes; then lists 16",
        FINE,
    ),
    // Questions, which a modern server must not ask: it gets no answer.
    within(CALL_SOON, each("ping-first", FINE, CALL_UNANSWERED)),
    within(CALL_SOON, each("server-requests", REFUSED_FOUR_TIMES, CALL_UNANSWERED)),
    // Processes.
    alike("grandchild", "ready in REVISION with 16, on stderr `grandchild N`; says WORDS; then lists 16"),
    alike(
        "grandchild --ignore-term --detached",
        "ready in REVISION with 16, on stderr `grandchild N`; says WORDS; then lists 16",
    ),
    alike("stay", FINE),
    fixed(
        "launcher --serve plain",
        "ready in REVISION with 16, on stderr `grandchild N`; says WORDS; then lists 16",
    ),
    fixed("launcher --serve plain --leave", LEFT),
    within(SOON, fixed("linger", HEARD_NOTHING)),
    within(SOON, fixed("linger --ignore-term", HEARD_NOTHING)),
    fixed("ignore-term", FINE),
];
