//! The table of modes, and the way from a command line to a running server.

use crate::base::{Base, Era};
use crate::faults::{self, Setup};
use crate::features;
use crate::options::{COMMON, Options};
use crate::out::{Out, Record, Stdout};
use crate::serve::serve;
use crate::strict::strict;

/// One row of the table.
pub(crate) struct Mode {
    pub(crate) name: &'static str,
    /// The flags it takes beside the common ones, as they are shown.
    flags: &'static str,
    about: &'static str,
    kind: Kind,
}

/// Spoils a server that is being put together.
pub(crate) type Build = fn(&Options, &mut Setup);

enum Kind {
    /// Spoils a stdio server.
    Stdio(Build),
    /// Is a process of its own.
    Process(fn(&Options) -> i32),
}

/// What is to be run, once.
pub(crate) type Run = Box<dyn FnOnce() -> i32>;

/// The modes and their flags, a line each.
pub(crate) fn listing() -> String {
    let line = |mode: &Mode| format!("{:22} {} {}\n", mode.name, mode.about, mode.flags).replace(" \n", "\n");
    let mut text: String = MODES.iter().map(line).collect();
    text.push_str(&format!("{:22} for every mode: {COMMON}\n", ""));
    text
}

/// Reads `MODE[+MODE…] [flags]`.
pub(crate) fn select(arguments: &[String]) -> Result<Run, String> {
    let (names, rest) = arguments.split_first().ok_or("no mode given")?;
    let modes = names.split('+').map(find).collect::<Result<Vec<_>, _>>()?;
    let known = modes.iter().map(|mode| mode.flags).chain([COMMON]).collect::<Vec<_>>().join(" ");
    let free = modes.iter().any(|mode| mode.name == "echo-args");
    let options = if free { Options::default() } else { Options::parse(rest, &known)? };
    let record = Record::open(options.text("record"))?;
    let mut setup = Setup::new(base(&options, Era::parse(&options.word("era", "legacy"))?));
    for mode in modes {
        match mode.kind {
            Kind::Stdio(build) => build(&options, &mut setup),
            Kind::Process(run) => return Ok(Box::new(move || run(&options))),
        }
    }
    record.note("start", std::process::id().to_string().as_bytes());
    let out = Out::new(Box::new(Stdout { style: setup.style }), record.clone()).watched(setup.watch);
    Ok(Box::new(move || {
        let code = serve(setup.base, setup.faults, std::io::stdin().lock(), &out, &record);
        record.note("end", code.to_string().as_bytes());
        code
    }))
}

/// The builder and the flags of a mode that spoils a stdio server, for a server on another transport.
pub(crate) fn spoiler(name: &str) -> Option<(Build, &'static str)> {
    let mode = MODES.iter().find(|mode| mode.name == name)?;
    match mode.kind {
        Kind::Stdio(build) => Some((build, mode.flags)),
        Kind::Process(_) => None,
    }
}

fn find(name: &str) -> Result<&'static Mode, String> {
    let mode = MODES.iter().find(|mode| mode.name == name);
    mode.ok_or_else(|| format!("unknown mode {name}; codewhale-fake --list shows them"))
}

/// The server itself, with the flags that every mode takes.
pub(crate) fn base(options: &Options, era: Era) -> Base {
    let mut base = Base::new(era);
    base.version = options.text("version");
    base.instructions = options.text("instructions");
    base.ttl = options.number("ttl", base.ttl);
    base
}

const fn stdio(
    name: &'static str,
    flags: &'static str,
    about: &'static str,
    build: fn(&Options, &mut Setup),
) -> Mode {
    Mode { name, flags, about, kind: Kind::Stdio(build) }
}

const fn process(
    name: &'static str,
    flags: &'static str,
    about: &'static str,
    run: fn(&Options) -> i32,
) -> Mode {
    Mode { name, flags, about, kind: Kind::Process(run) }
}

fn nothing(_: &Options, _: &mut Setup) {}

/// Every mode there is.
const MODES: &[Mode] = &[
    stdio("plain", "", "does everything right", nothing),
    stdio("everything", features::EVERYTHING_FLAGS, "the whole protocol, in every era", features::everything),
    stdio("strict", "", "-32600 and a violation in the record for broken rules", strict),
    stdio("hostile-text", "[--undeclared]", "control characters in every text", features::hostile_text),
    stdio("echo-args", "", "plain, takes any arguments; tool args reports them", nothing),
    stdio("junk-first", "--count N", "a banner of 36 lines on stdout first", faults::junk_first),
    stdio("junk-between", "", "plain lines on stdout before every answer", faults::junk_between),
    stdio("bad-utf8", "", "a line that is no UTF-8 before every answer", faults::bad_utf8),
    stdio("split-bytes", "", "one byte a write, multi-byte text", faults::split_bytes),
    stdio("crlf", "", "BOM, CRLF and blank lines", faults::crlf),
    stdio("flood", "--bytes N --at start|call", "x without a line feed for ever", faults::flood),
    stdio(
        "stderr-flood",
        "--count N --bytes N",
        "200 x 45 KB on stderr within tools/list",
        faults::stderr_flood,
    ),
    stdio(
        "notify-burst",
        "--count N",
        "1000 progress and log lines before a call's answer",
        faults::notify_burst,
    ),
    stdio("unknown-notifications", "", "unknown and ill-timed notifications", faults::unknown_notifications),
    stdio("reverse", "--batch N --delay MS", "answers calls in reverse order", faults::reverse),
    stdio("slow", "--delay MS", "every answer is late by 200 ms", faults::slow),
    stdio("slow-start", "--delay MS", "reads nothing for a second", faults::slow_start),
    stdio("slow-list", "--delay MS", "lists are late by a second", faults::slow_list),
    stdio("late", "--delay MS", "calls are answered after 3 s", faults::late),
    stdio("hang", "", "never answers, reads on", faults::hang),
    stdio(
        "hang-no-read",
        "",
        "never answers, reads nothing, ignores the end of its input",
        faults::hang_no_read,
    ),
    stdio("hang-call", "", "never answers calls", faults::hang_call),
    stdio("duplicate", "", "every answer twice", faults::duplicate),
    stdio("id-as-string", "--form string|zero|space|float", "ids come back as strings", faults::id_as_string),
    stdio(
        "error-no-id",
        "[--null] [--instead]",
        "an error without an id before a call's answer",
        faults::error_no_id,
    ),
    stdio("both-result-and-error", "", "a call's answer has both", faults::both_result_and_error),
    stdio("neither", "", "a call's answer has neither result nor error", faults::neither),
    stdio("batch", "--replies N [--empty]", "call answers come in arrays", faults::batch),
    stdio("huge-line", "--bytes N", "a call's answer is a line of 20 MiB", faults::huge_line),
    stdio("big-numbers", "", "numbers beyond a double in results", faults::big_numbers),
    stdio(
        "die-on-call",
        "--code N --stderr TEXT [--half] --after N",
        "exits when a tool is called",
        faults::die_on_call,
    ),
    stdio("die-on-start", "--code N --stderr TEXT", "exits before it reads", faults::die_on_start),
    stdio("exit-on-unknown", "--code N", "exits unless initialize comes first", faults::exit_on_unknown),
    stdio("close-stdout", "--at start|call", "closes stdout and stays", faults::close_stdout),
    stdio("ignore-probe", "", "no answer to methods it does not know", faults::ignore_probe),
    stdio("wedge", "[--always]", "a probe makes it deaf, also to initialize", faults::wedge),
    stdio("no-initialize", "", "needs no handshake, refuses initialize", faults::no_initialize),
    stdio("wrong-version", "--answer V", "initialize answers 1999-01-01", faults::wrong_version),
    stdio("modern-refuse", "[--none] --offer V", "-32022 once, or always", faults::modern_refuse),
    stdio(
        "another-revision",
        "--at METHOD",
        "-32022 once for tools/list or METHOD",
        faults::another_revision,
    ),
    stdio("paged", "--items N --pages N", "150 entries on 3 pages", faults::paged),
    stdio("page-error", "--items N --pages N", "the second page is an error", faults::page_error),
    stdio("endless-cursor", "--cycle N", "the same page for ever", faults::endless_cursor),
    stdio("empty-cursor", "[--then-end]", "nextCursor is the empty string", faults::empty_cursor),
    stdio("null-cursor", "", "nextCursor is null", faults::null_cursor),
    stdio("empty-list", "", "has capabilities and empty lists", faults::empty_list),
    stdio("list-once", "", "the first list is sound, further ones are errors", faults::list_once),
    stdio("hints", "", "tools that say yes, no and nothing about reading only", faults::hints),
    stdio("many-tools", "--count N", "1000 tools, or N given plainly", faults::many_tools),
    stdio("bad-schemas", "", "ten tools with odd input schemas", faults::bad_schemas),
    stdio("odd-names", "", "tool names no model may see as they are", faults::odd_names),
    stdio(
        "list-changed",
        "--when before|list|call --burst N [--again] [--same] [--undeclared] [--empty-first]",
        "says that its list changed, once",
        faults::list_changed,
    ),
    stdio("ping-first", "", "pings around initialize and in calls", faults::ping_first),
    stdio("server-requests", "", "asks the client four things in a call", faults::server_requests),
    stdio("grandchild", "[--ignore-term] [--detached]", "starts a child that stays", faults::grandchild),
    stdio("stay", "", "plain, then stays after the end of its input", faults::stay),
    process("launcher", "--serve MODE [--leave]", "starts the real server as its child", faults::launcher),
    process("linger", "[--ignore-term]", "does nothing for ten minutes", faults::linger),
    process("ignore-term", "", "stay, and deaf to SIGTERM", faults::ignore_term),
];
