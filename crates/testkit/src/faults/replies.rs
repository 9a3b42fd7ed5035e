//! Answers that are there but spoilt: ids, members, arrays, sizes.

use super::setup::Setup;
use crate::base::Reply;
use crate::fault::Flow;
use crate::json::text_block;
use crate::options::Options;

/// Every answer twice.
pub(crate) fn duplicate(_: &Options, setup: &mut Setup) {
    setup.on_reply("*", |reply, context| {
        context.out.message(reply.render());
        Flow::Pass
    });
}

/// Ids come back as strings: `1` as `"1"`, or with `--form zero`, `space`, `float` as `"01"`, `" 1"`, `"1.0"`.
pub(crate) fn id_as_string(options: &Options, setup: &mut Setup) {
    let form = options.word("form", "string");
    setup.on_reply("*", move |reply, _| {
        let id = reply.id.trim_matches('"');
        reply.id = match form.as_str() {
            "zero" => format!(r#""0{id}""#),
            "space" => format!(r#"" {id}""#),
            "float" => format!(r#""{id}.0""#),
            _ => format!(r#""{id}""#),
        };
        Flow::Pass
    });
}

/// An error that belongs to no request before a call's answer; `--null` gives it a null id, `--instead`
/// leaves the answer out.
pub(crate) fn error_no_id(options: &Options, setup: &mut Setup) {
    let id = if options.has("null") { r#""id":null,"# } else { "" };
    let line = format!(r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"parse error"}}}}"#);
    let instead = options.has("instead");
    setup.on_reply("tools/call", move |_, context| {
        context.out.message(&line);
        if instead { Flow::Handled } else { Flow::Pass }
    });
}

/// A call's answer has a result and an error.
pub(crate) fn both_result_and_error(_: &Options, setup: &mut Setup) {
    setup.on_reply("tools/call", |reply, _| {
        reply.body.push_str(r#","error":{"code":-32603,"message":"and an error"}"#);
        Flow::Pass
    });
}

/// A call's answer has neither.
pub(crate) fn neither(_: &Options, setup: &mut Setup) {
    setup.on_reply("tools/call", |reply, _| {
        r#""note":"nothing here""#.clone_into(&mut reply.body);
        Flow::Pass
    });
}

/// Call answers come in arrays with a notification between, `--replies` to an array; `--empty` sends an
/// empty array before each.
pub(crate) fn batch(options: &Options, setup: &mut Setup) {
    let (size, empty) = (options.count("replies", 1), options.has("empty"));
    let mut held: Vec<Reply> = Vec::new();
    setup.on_reply("tools/call", move |reply, context| {
        held.push(reply.clone());
        if held.len() < size {
            return Flow::Handled;
        }
        if empty {
            context.out.message("[]");
        }
        let log =
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"batch"}}"#;
        let replies: Vec<String> = held.drain(..).map(|reply| reply.render()).collect();
        context.out.message(format!("[{},{log}]", replies.join(&format!(",{log},"))));
        Flow::Handled
    });
}

/// A call's answer is one valid line of so many bytes of text.
pub(crate) fn huge_line(options: &Options, setup: &mut Setup) {
    let bytes = options.count("bytes", 20 << 20);
    setup.on_reply("tools/call", move |reply, _| {
        reply.body = format!(r#""result":{{"content":[{}]}}"#, text_block(&"y".repeat(bytes)));
        Flow::Pass
    });
}

/// Numbers that fit no double, in structured content and in an error's data.
pub(crate) fn big_numbers(_: &Options, setup: &mut Setup) {
    setup.on_answer("tools/call", |message, reply, _| {
        let numbers = r#"{"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001}"#;
        let arguments = message.arguments().raw;
        reply.body = format!(
            r#""result":{{"content":[{}],"structuredContent":{{"numbers":{numbers},"arguments":{arguments}}}}}"#,
            text_block(numbers)
        );
        Flow::Pass
    });
}
