//! What modes come to that differ in what they say.

use crate::http::expected::{FINE, FINE_LEGACY, FINE_MODERN};
use crate::rows::{Row, alike, each, fixed, within};

pub(crate) const ANSWERS: &[Row] = &[
    // Everything is right.
    alike("everything", FINE),
    alike("everything --answers json", FINE),
    alike("everything --answers events", FINE),
    fixed("everything --page 5", "ready in 2026-07-28 with 35; says WORDS; then lists 5; 10 posts"),
    alike("strict", FINE),
    each(
        "strict+everything --answers events --tasks optional",
        "ready in REVISION with 44; says WORDS; then lists 44; POSTS posts",
        "ready in REVISION with 43; says WORDS; then lists 43; POSTS posts",
    ),
    // What a probe gets, and versions that are refused.
    fixed("probe-400-empty", FINE_LEGACY),
    fixed("probe-400-server", FINE_LEGACY),
    fixed("probe-400-request", FINE_LEGACY),
    fixed("probe-400-params", FINE_LEGACY),
    fixed("probe-404-html", FINE_LEGACY),
    fixed("probe-405", FINE_LEGACY),
    fixed("probe-406", FINE_LEGACY),
    fixed("probe-200-method", FINE_LEGACY),
    fixed("probe-404-method", FINE_LEGACY),
    fixed("probe-200-params", FINE_LEGACY),
    fixed("probe-200-result", FINE_LEGACY),
    fixed("probe-202", FINE_LEGACY),
    fixed("version-refused-once", "ready in 2026-07-28 with 35; says WORDS; then lists 35; 5 posts"),
    fixed(
        "version-refused-once --at tools/call",
        "ready in 2026-07-28 with 35; says WORDS; then lists 35; 5 posts",
    ),
    fixed(
        "version-unknown",
        "failed, handshake_failed in handshake: the server speaks 2026-10-01, none of which we speak; 1 posts, ran 0 times",
    ),
    fixed("version-legacy-only", FINE_LEGACY),
    fixed(
        "version-without-data",
        "failed, handshake_failed in handshake: the server refuses the revisions that we speak, and names none of its own; 1 posts, ran 0 times",
    ),
    // Headers of tools, and names that no header can hold.
    each(
        "param-headers",
        "ready in REVISION with 63; says WORDS; then lists 63; POSTS posts",
        "ready in REVISION with 38, 24 warnings; says WORDS; then lists 38; POSTS posts",
    ),
    fixed("stale-headers", "ready in 2026-07-28 with 36; says WORDS; then lists 36; 4 posts"),
    fixed("stale-headers --always", "ready in 2026-07-28 with 36; says WORDS; then lists 36; 4 posts"),
    each(
        "wrapped-names",
        "ready in REVISION with 43; says WORDS; then lists 43; POSTS posts",
        "ready in REVISION with 42; says WORDS; then lists 42; POSTS posts",
    ),
    // Every form of events.
    alike("events-crlf", FINE),
    alike("events-cr", FINE),
    alike("events-mixed", FINE),
    alike("events-bom", FINE),
    alike("events-spread", FINE),
    alike("events-split", FINE),
    alike("events-unnamed", FINE),
    alike("events-comments", FINE),
    fixed("events-batch", "ready in 2025-03-26 with 24; says WORDS; then lists 24; 6 posts"),
    // Kinds of answers.
    alike("type-charset", FINE),
    each(
        "type-missing",
        r#"failed, refused in handshake: the server turned down POST server/discover: status 400: Bad Request: Unsupported protocol version (code -32000); POST initialize: status 200: {"jsonrpc":"2.0","id":…; 2 posts, ran 0 times"#,
        r#"failed, refused in handshake: the server turned down POST server/discover: status 200: {"jsonrpc":"2.0","id":…; POST initialize: status 404: initialize is not supported, this server speaks 2026-07-28 (code -32601); 2 posts, ran 0 times"#,
    ),
    each(
        "type-html",
        r#"failed, refused in handshake: the server turned down POST server/discover: status 400: Bad Request: Unsupported protocol version (code -32000); POST initialize: status 200: {"jsonrpc":"2.0","id":…; 2 posts, ran 0 times"#,
        r#"failed, refused in handshake: the server turned down POST server/discover: status 200: {"jsonrpc":"2.0","id":…; POST initialize: status 404: initialize is not supported, this server speaks 2026-07-28 (code -32601); 2 posts, ran 0 times"#,
    ),
    alike(
        "page",
        "failed, refused in handshake: the server turned down POST server/discover: status 200: <!DOCTYPE html><html><body><h1>200</h1>…; POST initialize: status 200: <!DOCTYPE html><html><body><h1>200</h1>…; 2 posts, ran 0 times",
    ),
    alike(
        "empty-200",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 200 without an answer; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    within(
        r#"{"execute_timeout": 2}"#,
        each(
            "empty-202",
            "ready in REVISION with TOOLS; the server did not answer tools/call within 2 s; then lists TOOLS; POSTS posts, ran 0 times",
            "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 202 without an answer; then lists TOOLS; POSTS posts, ran 0 times",
        ),
    ),
    alike(
        "no-json",
        r#"ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 200: {"jsonrpc":"2.0","id":…; POSTS posts, ran 0 times"#,
    ),
    fixed("modern-asks", FINE_MODERN),
    // A call can meet the end of the connection; what changes nothing goes out again then.
    alike("connection-dropped", "ready in REVISION with TOOLS; …; then lists TOOLS; …"),
    fixed("list-changed", FINE_MODERN),
    // What notifications get.
    fixed("notified-200", FINE_LEGACY),
    fixed("notified-204", FINE_LEGACY),
    fixed("notified-json", FINE_LEGACY),
    fixed("notified-500", FINE_LEGACY),
    // More than anybody wants.
    alike(
        "huge-json",
        "ready in REVISION with TOOLS; no answer to tools/call: the answer's body has more than 67108864 bytes; then lists TOOLS; POSTS posts",
    ),
    alike("huge-json --bytes 1000000", FINE),
    alike(
        "huge-event",
        "ready in REVISION with TOOLS; no answer to tools/call: the answer's event has more than 67108864 bytes; then lists TOOLS; POSTS posts",
    ),
    alike("huge-event --bytes 1000000", FINE),
    alike("keep-alives", FINE),
    alike("keep-alives --bytes 1000000", FINE),
    within(
        r#"{"execute_timeout": 2}"#,
        alike(
            "endless-keep-alives",
            "ready in REVISION with TOOLS; the server did not answer tools/call within 2 s; then lists TOOLS; POSTS posts",
        ),
    ),
    alike("endless-keep-alives --bytes 1000", FINE),
    alike(
        "huge-head",
        "failed, limit in handshake: the answer's head has more than 262144 bytes; 1 posts, ran 0 times",
    ),
    alike(
        "huge-head --bytes 1000",
        "failed, refused in handshake: the server turned down POST server/discover: status 200 without an answer; POST initialize: status 200 without an answer; 2 posts, ran 0 times",
    ),
    alike(
        "huge-page",
        "failed, refused in handshake: the server turned down POST server/discover: status 500: <p><p>…; 1 posts, ran 0 times",
    ),
    alike(
        "huge-page --bytes 100000",
        "failed, refused in handshake: the server turned down POST server/discover: status 500: <p><p>…; 1 posts, ran 0 times",
    ),
    // Messages that are spoilt as they are on stdio.
    alike("slow-list --delay 300", "ready in REVISION with 16; says WORDS; then lists 16; POSTS posts"),
    alike(
        "duplicate",
        "ready in REVISION with 16; says WORDS; then lists 16; POSTS posts, AMISS: ran 2 times",
    ),
    alike("id-as-string --form string", "ready in REVISION with 16; says WORDS; then lists 16; POSTS posts"),
    alike(
        "both-result-and-error",
        "ready in REVISION with 16; the server's answer to tools/call cannot be used: a response has both a result and an error; then lists 16; POSTS posts",
    ),
    alike(
        "neither",
        "ready in REVISION with 16; the server's answer to tools/call cannot be used: a response has neither a result nor an error; then lists 16; POSTS posts, ran 0 times",
    ),
    alike("bad-schemas", "ready in REVISION with 10, 7 warnings; says WORDS; then lists 10; POSTS posts"),
    alike(
        "big-numbers",
        r#"ready in REVISION with 16; says {"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001}, structured {"numbers":{"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001},"arguments":{"text":"WORDS"}}; then lists 16; POSTS posts, ran 0 times"#,
    ),
    each(
        "paged --items 150 --pages 3",
        "ready in REVISION with 150; says WORDS; then lists 50; 8 posts",
        "ready in REVISION with 150; says WORDS; then lists 50; 6 posts",
    ),
    within(
        r#"{"execute_timeout": 2}"#,
        each(
            "hang-call",
            "ready in REVISION with 16; the server did not answer tools/call within 2 s; then lists 16; POSTS posts, ran 0 times",
            "ready in REVISION with 16; no answer to tools/call: the server answered with status 200 without an answer; then lists 16; POSTS posts, ran 0 times",
        ),
    ),
    alike(
        "notify-burst --count 300",
        "ready in REVISION with 16; says WORDS, progress to 300; then lists 16; POSTS posts",
    ),
    alike("reverse", "ready in REVISION with 16; says WORDS; then lists 16; POSTS posts"),
];
