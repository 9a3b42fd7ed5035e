//! Scripts: what happens on a connection, a line each.
//!
//! The first four bytes choose the era, what is remembered, and the limits. Then `o` opens the link, with a digit for
//! how messages travel, and `c` closes it, `n` ends the exchange of the handshake's request (`h`) or of a ticket (a
//! digit) with a status, and perhaps a comma and an error code without its sign, `v` asks a legacy server for a new
//! session, `z` says that the other way is closed,
//! `w` lets milliseconds pass, `r` reserves a ticket with a budget and perhaps a limit on silence, `q` writes the
//! request of a ticket, `x` cancels and `f` releases it, `l` reserves one that listens. `p` asks a person something and
//! `d` has the answer, `y` answers the server's question of that number. Tickets are counted from 0 as they were given. Any other line
//! is a frame of the server, in which `$` and a digit stand for the id of that ticket, and `$h` for the last id that
//! the handshake used. `a` and two characters is one of the usual frames, for such an id.

use std::borrow::Cow;
use std::time::Duration;

use codewhale_mcp_protocol::{ClientCapabilities, Era, ErrorObject, Json};
use codewhale_mcp_session::{Binding, Budget, EraChoice, Limits, Memory, Settings, Unanswered};

const USUAL: &[&str] = &[
    r#"{"jsonrpc":"2.0","id":$,"result":{}}"#,
    r#"{"result":{"content":[]},"jsonrpc":"2.0","id":$}"#,
    r#"{"id":"$","result":null,"jsonrpc":"2.0","error":{"code":-32602,"message":"m"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$,"progress":1}}"#,
    r#"{"jsonrpc":"2.0","id":$,"result":{},"error":{"code":1,"message":"m"}}"#,
    r#"{"jsonrpc":"2.0","id":$}"#,
    r#"{"jsonrpc":"2.0","id":$,"result":{},"id":$}"#,
    r#"{"jsonrpc":"2.0","id":$,"method":"ping"}"#,
    r#"{"jsonrpc":"2.0","id":$,"result":{"supportedVersions":["2026-07-28"]}}"#,
    r#"{"jsonrpc":"2.0","id":$,"result":{"supportedVersions":["2025-03-26"]}}"#,
    r#"{"jsonrpc":"2.0","id":$,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","id":$,"error":{"code":-32022,"message":"","data":{"supported":["2026-07-28"]}}}"#,
    r#"{"jsonrpc":"2.0","id":$,"error":{"code":-32602,"message":"","data":{"supported":["2024-11-05"]}}}"#,
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}"#,
    r#"{"jsonrpc":"2.0","id":$,"method":"roots/list"}"#,
    r#"{"jsonrpc":"2.0","id":"$","method":"elicitation/create","params":{"message":"m"}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$}}}"#,
];

/// One step. Tickets are named by their number.
pub(crate) enum Command<'s> {
    Open(Binding),
    Close,
    /// `None` is the request of the handshake.
    NoAnswer(Option<usize>, Unanswered),
    Renew,
    OtherWayClosed,
    Wait(Duration),
    Reserve(Budget),
    Write(usize),
    Cancel(usize),
    Release(usize),
    Listen,
    AskPerson,
    PersonAnswers,
    Answer(usize),
    Frame(Cow<'s, [u8]>),
}

/// Settings out of at most four characters, such as `a-42`.
pub(crate) fn settings(text: &[u8]) -> Settings {
    let era = match text.first() {
        Some(b'm') => EraChoice::Modern,
        Some(b'l') => EraChoice::Legacy,
        _ => EraChoice::Auto,
    };
    let remembered = match text.get(1) {
        Some(b'm') => Some(Era::Modern),
        Some(b'l') => Some(Era::Legacy),
        _ => None,
    };
    let digit = |at: usize| text.get(at).map_or(4, |byte| usize::from(byte % 16));
    Settings {
        era,
        memory: Memory { era: remembered, event_stream: text.get(1).is_some_and(u8::is_ascii_uppercase) },
        limits: Limits { in_flight: digit(2).max(1), tombstones: digit(3), asks: 3 },
        capabilities: ClientCapabilities {
            roots: Some(Default::default()),
            elicitation: Some(Default::default()),
            ..ClientCapabilities::default()
        },
        ..Settings::default()
    }
}

pub(crate) fn commands(text: &[u8]) -> impl Iterator<Item = Command<'_>> {
    text.split(|byte| *byte == b'\n').map(|line| {
        let (letter, rest) = line.split_first().map_or((b' ', line), |(letter, rest)| (*letter, rest));
        match letter {
            b'o' => Command::Open(binding(rest)),
            b'n' => no_answer(rest),
            b'v' => Command::Renew,
            b'z' => Command::OtherWayClosed,
            b'c' => Command::Close,
            b'w' => Command::Wait(milliseconds(rest)),
            b'r' => Command::Reserve(budget(rest)),
            b'q' => Command::Write(number(rest)),
            b'x' => Command::Cancel(number(rest)),
            b'f' => Command::Release(number(rest)),
            b'l' => Command::Listen,
            b'p' => Command::AskPerson,
            b'd' => Command::PersonAnswers,
            b'y' => Command::Answer(number(rest)),
            b'a' => Command::Frame(Cow::Owned(usual(rest))),
            _ => Command::Frame(Cow::Borrowed(line)),
        }
    })
}

/// A letter for the frame and a digit or `h` for whose id it has.
fn usual(text: &[u8]) -> Vec<u8> {
    let [frame, whose] = [0, 1].map(|at| text.get(at).copied().unwrap_or(b'h'));
    let frame = USUAL[usize::from(frame) % USUAL.len()];
    frame.replace('$', &format!("${}", char::from(whose))).into_bytes()
}

fn binding(text: &[u8]) -> Binding {
    match text.first() {
        Some(b'1') => Binding::Streamable { has_other_way: false },
        Some(b'2') => Binding::Streamable { has_other_way: true },
        Some(b'3') => Binding::EventStream,
        _ => Binding::Stream,
    }
}

/// Whose exchange, `status` or `status,code`; the error names a revision of either era or none.
fn no_answer<'s>(text: &[u8]) -> Command<'s> {
    let (whose, rest) = text.split_first().map_or((b'h', text), |(whose, rest)| (*whose, rest));
    let mut parts = rest.splitn(2, |byte| *byte == b',');
    let status = number(parts.next().unwrap_or_default()) % 1000;
    let error = parts.next().map(|code| ErrorObject {
        code: -(number(code) as i64),
        data: match code.last() {
            Some(b'm') => Json::from_text(r#"{"supported":["2026-07-28"]}"#).ok(),
            Some(b'l') => Json::from_text(r#"{"supported":["2025-03-26"]}"#).ok(),
            _ => None,
        },
        ..ErrorObject::default()
    });
    let status = u16::try_from(status).expect("it is below 1000");
    let ticket = whose.is_ascii_digit().then(|| usize::from(whose - b'0'));
    Command::NoAnswer(ticket, Unanswered { status, error, said: None })
}

/// `total` or `total,idle`
fn budget(text: &[u8]) -> Budget {
    let mut parts = text.splitn(2, |byte| *byte == b',');
    let total = milliseconds(parts.next().unwrap_or_default());
    Budget { total, idle: parts.next().map(milliseconds) }
}

fn milliseconds(text: &[u8]) -> Duration {
    Duration::from_millis(number(text) as u64)
}

/// The digits that a text begins with, at most nine.
fn number(text: &[u8]) -> usize {
    let digits = text.iter().take(9).take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))
}
