//! Lists that do not end, fail half way, are empty, change or hold odd things.

use super::setup::Setup;
use crate::base::{Catalogue, Paging, Reply, TOOLS_CHANGED};
use crate::fault::{Context, Fault, Flow};
use crate::message::Message;
use crate::options::Options;

/// `--items` entries in each list, cut into `--pages`.
pub(crate) fn paged(options: &Options, setup: &mut Setup) {
    setup.base.paging = Paging::Size(page_size(options, setup));
}

/// As `paged`, but the second page is an error.
pub(crate) fn page_error(options: &Options, setup: &mut Setup) {
    setup.base.paging = Paging::SecondPageFails(page_size(options, setup));
}

/// The same page for ever with the same cursor, or with `--cycle N` cursors that come round.
pub(crate) fn endless_cursor(options: &Options, setup: &mut Setup) {
    setup.base.paging = Paging::Endless(options.count("cycle", 1).max(1));
}

/// `nextCursor` is the empty string, each time, or once with `--then-end`.
pub(crate) fn empty_cursor(options: &Options, setup: &mut Setup) {
    let ends = options.has("then-end");
    setup.base.paging = if ends { Paging::EmptyCursorThenEnd } else { Paging::EmptyCursor };
}

/// `nextCursor` is null, which is the end.
pub(crate) fn null_cursor(_: &Options, setup: &mut Setup) {
    setup.base.paging = Paging::NullCursor;
}

/// Declares everything and has nothing.
pub(crate) fn empty_list(_: &Options, setup: &mut Setup) {
    setup.base.catalogue = Catalogue::empty();
}

/// The first list is sound, further ones are errors.
pub(crate) fn list_once(_: &Options, setup: &mut Setup) {
    let mut listed = false;
    setup.on_reply("tools/list", move |reply, _| {
        if listed {
            *reply = Reply::error(&reply.id, -32603, "no list any more", None);
        }
        listed = true;
        Flow::Pass
    });
}

/// Three tools that say yes, no and nothing about whether they only read.
pub(crate) fn hints(_: &Options, setup: &mut Setup) {
    let rows = [
        ("reads", r#","annotations":{"readOnlyHint":true}"#),
        ("writes", r#","annotations":{"readOnlyHint":false}"#),
        ("silent", ""),
    ];
    let tools = rows
        .iter()
        .map(|(name, more)| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}{more}}}"#));
    setup.base.catalogue.tools = tools.collect();
}

/// So many tools, in one list.
pub(crate) fn many_tools(options: &Options, setup: &mut Setup) {
    let plain = options.plain.first().and_then(|count| count.parse().ok());
    let count = plain.unwrap_or_else(|| options.count("count", 1000));
    setup.base.catalogue.tools.clear();
    setup.base.catalogue.fill(count);
}

/// Ten tools of which some have schemas that are none, or odd ones.
pub(crate) fn bad_schemas(_: &Options, setup: &mut Setup) {
    let rows = [
        (
            "any_of",
            r#","inputSchema":{"anyOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]}"#,
        ),
        ("string_root", r#","inputSchema":{"type":"string"}"#),
        ("schema_only", r#","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}"#),
        ("missing", ""),
        ("null", r#","inputSchema":null"#),
        ("empty", r#","inputSchema":{}"#),
        ("true", r#","inputSchema":true"#),
        ("no_properties", r#","inputSchema":{"type":"object"}"#),
        (
            "refs",
            r##","inputSchema":{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}}"##,
        ),
        (
            "remote_ref",
            r#","inputSchema":{"type":"object","properties":{"q":{"$ref":"http://127.0.0.1:9/schema.json"}}}"#,
        ),
    ];
    let tools = rows.iter().map(|(name, schema)| format!(r#"{{"name":"{name}"{schema}}}"#));
    setup.base.catalogue.tools = tools.collect();
}

/// Names that need another name before a model may see them.
pub(crate) fn odd_names(_: &Options, setup: &mut Setup) {
    let long = "a_tool_whose_name_is_so_long_that_no_prefix_fits_before_it_x";
    let other = format!("{long}y");
    let names = ["查询 all", "do__thing", "a b", "a_b", "a.b", "Search (X)", "🐋", long, &other];
    let tools = names.iter().map(|name| {
        format!(r#"{{"name":"{name}","description":"{name}","inputSchema":{{"type":"object"}}}}"#)
    });
    setup.base.catalogue.tools = tools.collect();
}

/// Says that its list changed, `--burst` times, and grows by a tool each time unless `--same`.
pub(crate) fn list_changed(options: &Options, setup: &mut Setup) {
    if options.has("undeclared") {
        setup.base.capabilities = r#"{"tools":{}}"#.to_owned();
    }
    if options.has("empty-first") {
        setup.base.catalogue = Catalogue::empty();
    }
    setup.add(ListChanged {
        when: options.word("when", "list"),
        burst: options.count("burst", 1),
        once: !options.has("again"),
        grows: !options.has("same"),
    });
}

struct ListChanged {
    when: String,
    burst: usize,
    once: bool,
    grows: bool,
}

impl ListChanged {
    fn fire(&mut self, context: &mut Context<'_>) -> Flow {
        for _ in 0..self.burst {
            if self.grows {
                context.base.catalogue.grow();
            }
            context.base.changed(TOOLS_CHANGED, context.out);
        }
        if self.once {
            self.burst = 0;
        }
        Flow::Pass
    }
}

impl Fault for ListChanged {
    fn message(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        let now = match self.when.as_str() {
            "before" => message.is_method("initialize") || message.is_method("server/discover"),
            "call" => message.is_method("tools/call"),
            _ => false,
        };
        if now { self.fire(context) } else { Flow::Pass }
    }

    fn replied(&mut self, message: &Message, context: &mut Context<'_>) -> Flow {
        let now = self.when == "list" && message.is_method("tools/list");
        if now { self.fire(context) } else { Flow::Pass }
    }
}

fn page_size(options: &Options, setup: &mut Setup) -> usize {
    setup.base.catalogue.fill(options.count("items", 150));
    let items = setup.base.catalogue.tools.len();
    items.div_ceil(options.count("pages", 3).max(1)).max(1)
}
