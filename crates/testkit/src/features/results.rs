//! Tools whose results are of every kind: structured rightly and wrongly, and with all sorts of content.

use crate::base::{Answer, Base, Feature, PDF, PNG, WAV};
use crate::json::text_block;
use crate::message::Message;
use crate::out::Out;

/// Tools that give a fixed result.
pub(super) struct Results;

impl Results {
    pub(super) fn new(base: &mut Base) -> Results {
        for (name, since, rest, _) in TOOLS {
            base.catalogue.add_tool(name, since, rest);
        }
        Results
    }
}

impl Feature for Results {
    fn answer(&mut self, message: &Message, base: &mut Base, _: &Out) -> Option<Answer> {
        if !message.is_method("tools/call") {
            return None;
        }
        let name = message.param_text("name").filter(|name| base.catalogue.has_tool(name))?;
        let (.., members) = TOOLS.iter().find(|(known, ..)| *known == name)?;
        Some(Answer::Now(base.result(message, &members(base.revision(message)))))
    }
}

type Members = fn(&str) -> String;

/// The schema that the structured ones share.
const WEATHER: &str = r#""inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"celsius":{"type":"number"},"sky":{"enum":["clear","cloudy"]}},"required":["celsius","sky"]}"#;
const RIGHT: &str = r#"{"celsius":21.5,"sky":"clear"}"#;
const WRONG: &str = r#"{"celsius":"warm"}"#;
const NUMBERS: &str = r#"{"exact":9007199254740993,"large":1e30,"minus_zero":-0,"longer":123456789012345678901234567890,"fraction":0.10000000000000000001}"#;

/// Name, the revision it came with, the rest of its definition, the inside of its result.
const TOOLS: [(&str, &str, &str, Members); 8] = [
    ("structured", "2025-06-18", WEATHER, |_| structured(RIGHT, "")),
    ("structured_wrong", "2025-06-18", WEATHER, |_| structured(WRONG, "")),
    ("structured_missing", "2025-06-18", WEATHER, |_| content("no structure here", "")),
    ("structured_error", "2025-06-18", WEATHER, |_| content("the sky is away", r#","isError":true"#)),
    (
        "structured_array",
        "2026-07-28",
        r#""inputSchema":{"type":"object"},"outputSchema":{"type":"array","items":{"type":"integer"}}"#,
        |_| structured("[1,2,3]", ""),
    ),
    (
        "structured_null",
        "2026-07-28",
        r#""inputSchema":{"type":"object"},"outputSchema":{"type":"null"}"#,
        |_| structured("null", ""),
    ),
    (
        "numbers",
        "2025-06-18",
        r#""description":"Numbers that fit no double","inputSchema":{"type":"object"}"#,
        |_| structured(NUMBERS, ""),
    ),
    ("contents", "", r#""description":"Content of every kind","inputSchema":{"type":"object"}"#, contents),
];

/// The text repeats the structured value, as it should.
fn structured(value: &str, rest: &str) -> String {
    format!(r#""content":[{}],"structuredContent":{value}{rest}"#, text_block(value))
}

fn content(text: &str, rest: &str) -> String {
    format!(r#""content":[{}]{rest}"#, text_block(text))
}

/// A block of each kind that the revision knows, one that none knows, and members that none knows.
fn contents(revision: &str) -> String {
    let mut blocks = vec![
        r#"{"type":"text","text":"a text","annotations":{"audience":["user"],"priority":1},"_meta":{"com.example/kept":[1]}}"#
            .to_owned(),
        format!(r#"{{"type":"image","data":"{PNG}","mimeType":"image/png"}}"#),
        r#"{"type":"resource","resource":{"uri":"text://note","mimeType":"text/plain","text":"a note"}}"#.to_owned(),
        format!(
            r#"{{"type":"resource","resource":{{"uri":"blob://paper","mimeType":"application/pdf","blob":"{PDF}"}}}}"#
        ),
    ];
    if revision >= "2025-03-26" {
        blocks.push(format!(r#"{{"type":"audio","data":"{WAV}","mimeType":"audio/wav"}}"#));
    }
    if revision >= "2025-06-18" {
        blocks.push(
            r#"{"type":"resource_link","uri":"text://greeting","name":"greeting","title":"A greeting","mimeType":"text/plain","size":5}"#
                .to_owned(),
        );
    }
    blocks.push(
        r#"{"type":"hologram","text":"not a text","depth":9007199254740993,"parts":[{"x":null}]}"#.to_owned(),
    );
    format!(r#""content":[{}],"com.example/unknown":{{"kept":true}}"#, blocks.join(","))
}
