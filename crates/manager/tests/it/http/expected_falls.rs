//! What modes come to that refuse, are elsewhere, forget or break off.

use crate::http::expected::{FINE, FINE_LEGACY, FINE_MODERN};
use crate::rows::{Row, alike, each, fixed, within};

/// Two messages of Streamable HTTP come first.
const FINE_BY_EVENTS: &str = "ready in 2025-11-25 with 36; says WORDS; then lists 36; 7 posts";
/// Two messages open a new session, and one goes out again.
const RENEWED: &str = "ready in 2025-11-25 with 36; says WORDS; then lists 36; 9 posts";

pub(crate) const FALLS: &[Row] = &[
    // A status that says it all.
    alike("401", "needs_login, needs_login in handshake: the server asks for a login; 1 posts, ran 0 times"),
    alike(
        "401 --token other --challenge Basic",
        "needs_login, needs_login in handshake: the server asks for a login; 1 posts, ran 0 times",
    ),
    // More scopes are a login too.
    alike(
        "403",
        "needs_login, missing_scopes in handshake: missing scopes: files:write; 1 posts, ran 0 times",
    ),
    alike(
        "oauth --scope a",
        "needs_login, needs_login in handshake: the server asks for a login; 1 posts, ran 0 times",
    ),
    alike(
        "oauth --metadata no --register no --revocation no --refresh no --client c --declines yes --device yes --pending 1 \
         --expires 1 --uses 1 --reuse revoke --needs a --at tools/call",
        "needs_login, needs_login in handshake: the server asks for a login; 1 posts, ran 0 times",
    ),
    // Whatever it says of itself, nobody is asked and nothing is looked up.
    alike(
        "oauth --told file:///x --says issuer=x --resource-says resource=x --iss none --error x --padding 9 --loops yes \
         --also a=b --twice scope --withholds a",
        "needs_login, needs_login in handshake: the server asks for a login; 1 posts, ran 0 times",
    ),
    alike(
        "403 --at tools/call --challenge Bearer",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 403; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    each(
        "429 --at tools/list",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 6 posts",
    ),
    alike(
        "429 --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 429: <!DOCTYPE html><html><body><h1>429</h1>… and asks for a pause of 1 s; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    each(
        "429",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 6 posts",
    ),
    alike(
        "429 --times 1 --retry-after 60 --at tools/list",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 429: <!DOCTYPE html><html><body><h1>429</h1>… and asks for a pause of 60 s; says WORDS; then lists TOOLS; POSTS posts",
    ),
    each(
        "503 --at tools/list",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 6 posts",
    ),
    alike(
        "503 --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 503: <!DOCTYPE html><html><body><h1>503</h1>… and asks for a pause of 1 s; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    each(
        "503",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 6 posts",
    ),
    each(
        "503 --times 9 --retry-after 0 --at tools/list",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 503: <!DOCTYPE html><html><body><h1>503</h1>… and asks for a pause of 0 s; says WORDS; then fails, no answer to tools/list: the server answered with status 503: <!DOCTYPE html><html><body><h1>503</h1>… and asks for a pause of 0 s; 10 posts",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 503: <!DOCTYPE html><html><body><h1>503</h1>… and asks for a pause of 0 s; says WORDS; then fails, no answer to tools/list: the server answered with status 503: <!DOCTYPE html><html><body><h1>503</h1>… and asks for a pause of 0 s; 8 posts",
    ),
    alike(
        "500-html",
        "failed, refused in handshake: the server turned down POST server/discover: status 500: <!DOCTYPE html><html><body><h1>500</h1>…; 1 posts, ran 0 times",
    ),
    alike(
        "500-html --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 500: <!DOCTYPE html><html><body><h1>500</h1>…; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    alike(
        "500-html --at tools/list",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 500: <!DOCTYPE html><html><body><h1>500</h1>…; says WORDS; then fails, no answer to tools/list: the server answered with status 500: <!DOCTYPE html><html><body><h1>500</h1>…; POSTS posts",
    ),
    alike(
        "502-empty",
        "failed, refused in handshake: the server turned down POST server/discover: status 502; 1 posts, ran 0 times",
    ),
    alike(
        "502-empty --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 502; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    alike(
        "502-empty --at tools/list",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 502; says WORDS; then fails, no answer to tools/list: the server answered with status 502; POSTS posts",
    ),
    alike(
        "status --status 418 --type text/plain --body no-tea",
        "failed, refused in handshake: the server turned down POST server/discover: status 418: no-tea; 1 posts, ran 0 times",
    ),
    alike(
        "status --status 408 --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 408; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    alike(
        "status --status 429 --retry-after 1 --at tools/call",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 429 and asks for a pause of 1 s; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    alike(
        "status --status 404",
        "failed, refused in handshake: the server turned down POST server/discover: status 404; POST initialize: status 404; GET of an event stream (HTTP+SSE): the server does not open an event stream: status 404 with nothing that has a name; 2 posts, ran 0 times",
    ),
    each(
        "status --status 404 --at tools/call --type text/html --body gone",
        "ready in REVISION with TOOLS; no answer to tools/call: the server no longer knows the session; then lists TOOLS; 9 posts, ran 0 times",
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 404: gone; then lists TOOLS; POSTS posts, ran 0 times",
    ),
    alike(
        "status --status 415",
        "failed, refused in handshake: the server turned down POST server/discover: status 415; POST initialize: status 415; 2 posts, ran 0 times",
    ),
    alike(
        "status --status 500 --at server/discover",
        "failed, refused in handshake: the server turned down POST server/discover: status 500; 1 posts, ran 0 times",
    ),
    each(
        "status --status 404 --at initialize",
        r#"failed, refused in handshake: the server turned down POST server/discover: status 400: Bad Request: Unsupported protocol version (code -32000); POST initialize: status 404; GET of an event stream (HTTP+SSE): the server does not open an event stream: status 400 with JSON: {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Mcp-Session-Id header is required"}}; 2 posts, ran 0 times"#,
        FINE,
    ),
    // Somewhere else.
    each(
        "redirect-307",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 12 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
    ),
    each(
        "redirect-307 --hops 3",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 24 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 16 posts",
    ),
    alike(
        "redirect-307 --hops 11",
        "blocked, redirected in handshake: the server answered with status 307 and sends us to http://127.0.0.1:PORT/hop/6, after too many others; 6 posts, ran 0 times",
    ),
    each(
        "redirect-308-slash",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 12 posts",
        "ready in REVISION with TOOLS; says WORDS; then lists TOOLS; 8 posts",
    ),
    alike(
        "redirect-301",
        "blocked, redirected in handshake: the server answered with status 301 and sends us to http://127.0.0.1:PORT/mcp/, which differs in the slash at its end: the URL has to be written that way; 1 posts, ran 0 times",
    ),
    alike(
        "redirect-302",
        "blocked, redirected in handshake: the server answered with status 302 and sends us to http://127.0.0.1:PORT/mcp/, which differs in the slash at its end: the URL has to be written that way; 1 posts, ran 0 times",
    ),
    alike(
        "redirect-303",
        "blocked, redirected in handshake: the server answered with status 303 and sends us to http://127.0.0.1:PORT/mcp/, which differs in the slash at its end: the URL has to be written that way; 1 posts, ran 0 times",
    ),
    alike(
        "redirect-other-origin",
        "blocked, redirected in handshake: the server answered with status 307 and sends us to http://127.0.0.1:OTHER/mcp, which is another origin; 1 posts, ran 0 times",
    ),
    alike(
        "redirect-other-origin --to https://other.test/mcp",
        "blocked, redirected in handshake: the server answered with status 307 and sends us to https://other.test/mcp, which is another origin; 1 posts, ran 0 times",
    ),
    alike(
        "redirect-loop",
        "blocked, redirected in handshake: the server answered with status 307 and sends us to http://127.0.0.1:PORT/mcp, after too many others; 6 posts, ran 0 times",
    ),
    alike(
        "redirect-nowhere",
        "failed, refused in handshake: the server turned down POST server/discover: status 307; 1 posts, ran 0 times",
    ),
    // Sessions.
    fixed("session-lost-404", RENEWED),
    fixed("session-lost-404 --after 1", RENEWED),
    fixed("session-lost-404 --after 3", RENEWED),
    fixed("session-lost-404 --always", "ready in 2025-11-25 with 36; says WORDS; then lists 36; 12 posts"),
    fixed("session-lost-400", RENEWED),
    fixed("session-lost-400 --after 1", RENEWED),
    fixed("session-lost-400 --after 3", RENEWED),
    fixed("session-lost-400 --always", "ready in 2025-11-25 with 36; says WORDS; then lists 36; 12 posts"),
    fixed("session-lost-200", RENEWED),
    fixed(
        "session-lost-200 --after 1",
        r#"ready in 2025-11-25 with 36, but it sends lines that are no messages, the first is `{"error":"Session not found"}`; says WORDS; then lists 36; 9 posts"#,
    ),
    fixed("session-lost-200 --after 3", RENEWED),
    fixed("session-lost-200 --always", "ready in 2025-11-25 with 36; says WORDS; then lists 36; 12 posts"),
    fixed("session-lost-404 --body <html>", RENEWED),
    fixed(
        "session-lost-400 --body no",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server answered with status 400: no; then fails, no answer to tools/list: the server answered with status 400: no; 6 posts, ran 0 times",
    ),
    fixed(
        "session-lost-200 --body {}",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server answered with status 200: {}; then fails, no answer to tools/list: the server answered with status 200: {}; 6 posts, ran 0 times",
    ),
    fixed("session-none", FINE_LEGACY),
    fixed(
        "session-odd",
        "degraded in 2025-11-25 with 0, list_failed: no answer to tools/list: the server answered with status 400: Bad Request: Mcp-Session-Id header is required (code -32000); no answer to tools/call: the server answered with status 400: Bad Request: Mcp-Session-Id header is required (code -32000); then fails, no answer to tools/list: the server answered with status 400: Bad Request: Mcp-Session-Id header is required (code -32000); 6 posts, ran 0 times",
    ),
    fixed("session-modern", FINE_MODERN),
    // The stream of a session.
    fixed("get-404", FINE_LEGACY),
    fixed("get-405", FINE_LEGACY),
    fixed("get-406", FINE_LEGACY),
    fixed("get-400", FINE_LEGACY),
    fixed("get-ends", FINE_LEGACY),
    fixed("get-ends --retry 60000", FINE_LEGACY),
    fixed("answer-on-get", FINE_LEGACY),
    // Answers that break off, stall or are to be fetched.
    alike(
        "cut --bytes 0",
        "ready in REVISION with TOOLS; no answer to tools/call: the connection broke: connection closed before message completed; then lists TOOLS; POSTS posts",
    ),
    alike(
        "cut --bytes 60",
        "ready in REVISION with TOOLS; no answer to tools/call: the connection broke: connection closed before message completed; then lists TOOLS; POSTS posts",
    ),
    each(
        "cut --bytes 250",
        FINE,
        "ready in REVISION with TOOLS; no answer to tools/call: the connection broke: error reading a body from connection: end of file before message length reached; then lists TOOLS; POSTS posts",
    ),
    alike("cut --bytes 100000 --retry 20", FINE),
    alike("cut --as-asked", FINE),
    each(
        "cut --bytes 0 --at tools/list",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the connection broke: connection closed before message completed; says WORDS; then fails, no answer to tools/list: the connection broke: connection closed before message completed; 10 posts",
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the connection broke: connection closed before message completed; says WORDS; then fails, no answer to tools/list: the connection broke: connection closed before message completed; 8 posts",
    ),
    each(
        "cut --bytes 200 --at server/discover",
        FINE,
        "failed, closed in handshake: the connection broke: error reading a body from connection: end of file before message length reached; 3 posts, ran 0 times",
    ),
    each(
        "cut --bytes 200 --at initialize",
        "failed, closed in handshake: the connection broke: error reading a body from connection: end of file before message length reached; 4 posts, ran 0 times",
        FINE,
    ),
    each(
        "no-answer",
        FINE,
        "ready in REVISION with TOOLS; no answer to tools/call: the server answered with status 200 without an answer; then lists TOOLS; POSTS posts",
    ),
    each(
        "no-answer --at tools/list",
        FINE,
        "degraded in REVISION with 0, list_failed: no answer to tools/list: the server answered with status 200 without an answer; says WORDS; then fails, no answer to tools/list: the server answered with status 200 without an answer; POSTS posts",
    ),
    alike("no-answer --at initialize", FINE),
    fixed(
        "no-event-ids",
        "ready in 2025-11-25 with 36; no answer to tools/call: the connection broke: error reading a body from connection: unexpected EOF during chunk size line; then lists 36; 6 posts",
    ),
    fixed("broken-stream", FINE_LEGACY),
    fixed("polling", FINE_LEGACY),
    fixed("polling --retry 700", FINE_LEGACY),
    within(
        r#"{"execute_timeout": 2}"#,
        fixed(
            "polling-never --retry 1",
            "ready in 2025-11-25 with 36; the server did not answer tools/call within 2 s; then lists 36; 6 posts",
        ),
    ),
    fixed(
        "resume-refused",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server broke off its answer; then lists 36; 6 posts",
    ),
    fixed(
        "resume-refused --status 404 --retry 10",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server broke off its answer; then lists 36; 6 posts",
    ),
    alike("answer-twice", FINE),
    within(
        r#"{"connect_timeout": 2}"#,
        alike(
            "silent",
            "failed, timed_out in handshake: the server was not ready within 2 s: it did not answer server/discover; 1 posts, ran 0 times",
        ),
    ),
    within(
        r#"{"execute_timeout": 2}"#,
        alike(
            "silent --at tools/call",
            "ready in REVISION with TOOLS; the server did not answer tools/call within 2 s; then lists TOOLS; POSTS posts, ran 0 times",
        ),
    ),
    within(
        r#"{"read_timeout": 2}"#,
        alike(
            "silent --at tools/list",
            "degraded in REVISION with 0, list_timed_out: the server did not answer tools/list within 2 s; says WORDS; then fails, the server did not answer tools/list within 2 s; POSTS posts",
        ),
    ),
    within(
        r#"{"execute_timeout": 2}"#,
        alike(
            "stalled-head",
            "ready in REVISION with TOOLS; the server did not answer tools/call within 2 s; then lists TOOLS; POSTS posts",
        ),
    ),
    within(
        r#"{"read_timeout": 2}"#,
        alike(
            "stalled-head --at tools/list",
            "degraded in REVISION with 0, list_timed_out: the server did not answer tools/list within 2 s; says WORDS; then fails, the server did not answer tools/list within 2 s; POSTS posts",
        ),
    ),
    within(
        r#"{"execute_timeout": 2}"#,
        alike(
            "stalled-body",
            "ready in REVISION with TOOLS; the server did not answer tools/call within 2 s; then lists TOOLS; POSTS posts",
        ),
    ),
    within(
        r#"{"connect_timeout": 2}"#,
        each(
            "stalled-body --at initialize",
            "failed, timed_out in handshake: the server was not ready within 2 s: it did not answer initialize; 2 posts, ran 0 times",
            FINE,
        ),
    ),
    // The deprecated transport.
    fixed("sse", FINE_BY_EVENTS),
    fixed("sse --post 404", FINE_BY_EVENTS),
    fixed("sse --post 400", FINE_BY_EVENTS),
    fixed(
        "sse --post 500",
        "failed, refused in handshake: the server turned down POST server/discover: status 500; 1 posts, ran 0 times",
    ),
    fixed("sse-absolute", FINE_BY_EVENTS),
    fixed("sse-relative", FINE_BY_EVENTS),
    fixed("sse-query", FINE_BY_EVENTS),
    fixed("sse-network-path", FINE_BY_EVENTS),
    fixed(
        "sse-other-origin",
        "failed, refused in handshake: the server turned down POST server/discover: status 405; POST initialize: status 405; GET of an event stream (HTTP+SSE): the event stream cannot be used: the address for messages is on another origin: http://127.0.0.1:OTHER/weather/messages?session=REDACTED; 2 posts, ran 0 times",
    ),
    fixed(
        "sse-other-scheme",
        "failed, refused in handshake: the server turned down POST server/discover: status 405; POST initialize: status 405; GET of an event stream (HTTP+SSE): the event stream cannot be used: the address for messages is on another origin: https://127.0.0.1:PORT/weather/messages?session=REDACTED; 2 posts, ran 0 times",
    ),
    fixed(
        "sse-userinfo",
        "failed, refused in handshake: the server turned down POST server/discover: status 405; POST initialize: status 405; GET of an event stream (HTTP+SSE): the event stream cannot be used: the address for messages holds a user or a password: http://REDACTED@127.0.0.1:PORT/weather/messages?session=REDACTED; 2 posts, ran 0 times",
    ),
    fixed("sse-second-endpoint", FINE_BY_EVENTS),
    fixed(
        "sse-dies",
        "ready in 2025-11-25 with 36; the server closed the connection before it answered; then gone, it closed the connection; 6 posts, ran 0 times",
    ),
    fixed(
        "sse-refuses-post",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server answered with status 400: no; then lists 36; 7 posts, ran 0 times",
    ),
    fixed(
        "sse-refuses-post --status 503",
        "ready in 2025-11-25 with 36; no answer to tools/call: the server answered with status 503: no; then lists 36; 7 posts, ran 0 times",
    ),
    within(
        r#"{"connect_timeout": 2}"#,
        fixed(
            "sse-no-endpoint",
            "failed, timed_out in handshake: the event stream of the server (HTTP+SSE) did not open within 2 s; 2 posts, ran 0 times",
        ),
    ),
];
