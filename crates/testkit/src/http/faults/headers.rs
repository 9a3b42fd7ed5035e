//! Tools that ask for headers of their own: rightly, wrongly, and others than they did.

use crate::base::Reply;
use crate::fault::Flow;
use crate::faults::Setup;
use crate::http::mode::{Mode, row};
use crate::http::plan::{Eras, Passage, Plan};
use crate::http::response::Response;
use crate::json::quote;
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] = &[
    row("param-headers", "", "tools with valid and invalid x-mcp-header annotations", |_, plan| {
        plan.builders.push(annotated);
        plan.gate(|knock| {
            let name = knock.message.and_then(|message| message.param_text("name")).unwrap_or_default();
            if knock.method == "tools/call" && name.starts_with("bad_") {
                return Passage::Answer(Response::empty(400).body("a tool with an invalid annotation"));
            }
            Passage::Open
        });
    }),
    row("stale-headers", "[--always]", "-32020 for a call until the list of tools is fetched again", stale),
];

/// Names, and the properties of their input schemas.
const GOOD: [(&str, &str); 3] = [
    (
        "flat",
        r#""region":{"type":"string","x-mcp-header":"Region"},"count":{"type":"integer","x-mcp-header":"Count"},"dry":{"type":"boolean","x-mcp-header":"Dry-Run"},"plain":{"type":"string"}"#,
    ),
    (
        "nested",
        r#""where":{"type":"object","properties":{"zone":{"type":"object","properties":{"id":{"type":"string","x-mcp-header":"Zone_Id"}}}}},"method":{"type":"string","x-mcp-header":"Method"}"#,
    ),
    (
        "lookalike",
        r#""x-mcp-header":{"type":"string"},"mode":{"type":"string","default":"x-mcp-header","enum":["x-mcp-header","b"],"examples":[{"x-mcp-header":7}]},"fixed":{"const":{"x-mcp-header":"not an annotation"}}"#,
    ),
];

/// The same, each with one fault.
const BAD: [(&str, &str); 20] = [
    ("bad_empty", r#""a":{"type":"string","x-mcp-header":""}"#),
    ("bad_number", r#""a":{"type":"string","x-mcp-header":7}"#),
    ("bad_null", r#""a":{"type":"string","x-mcp-header":null}"#),
    ("bad_space", r#""a":{"type":"string","x-mcp-header":"My Region"}"#),
    ("bad_colon", r#""a":{"type":"string","x-mcp-header":"Region:"}"#),
    ("bad_foreign", r#""a":{"type":"string","x-mcp-header":"Région"}"#),
    ("bad_line", r#""a":{"type":"string","x-mcp-header":"A\r\nB"}"#),
    (
        "bad_twice",
        r#""a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"REGION"}"#,
    ),
    ("bad_on_number", r#""a":{"type":"number","x-mcp-header":"A"}"#),
    ("bad_on_object", r#""a":{"type":"object","x-mcp-header":"A"}"#),
    ("bad_on_array", r#""a":{"type":"array","x-mcp-header":"A"}"#),
    ("bad_on_null", r#""a":{"type":"null","x-mcp-header":"A"}"#),
    ("bad_on_union", r#""a":{"type":["string","null"],"x-mcp-header":"A"}"#),
    ("bad_on_nothing", r#""a":{"x-mcp-header":"A"}"#),
    ("bad_in_items", r#""a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}"#),
    ("bad_in_tuple", r#""a":{"type":"array","prefixItems":[{"type":"string","x-mcp-header":"A"}]}"#),
    (
        "bad_in_additional",
        r#""a":{"type":"object","additionalProperties":{"type":"string","x-mcp-header":"A"}}"#,
    ),
    (
        "bad_in_pattern",
        r#""a":{"type":"object","patternProperties":{"^x":{"type":"string","x-mcp-header":"A"}}}"#,
    ),
    ("bad_in_choice", r#""a":{"oneOf":[{"type":"string","x-mcp-header":"A"},{"type":"integer"}]}"#),
    (
        "bad_in_condition",
        r#""a":{"if":{"type":"string","x-mcp-header":"A"},"then":{"minLength":1},"else":{"type":"integer"}}"#,
    ),
];

/// Whole schemas that hold an annotation where none can be reached.
const BAD_SCHEMAS: [(&str, &str); 4] = [
    ("bad_at_root", r#"{"type":"object","x-mcp-header":"A","properties":{}}"#),
    (
        "bad_in_definition",
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}"##,
    ),
    (
        "bad_in_all",
        r#"{"type":"object","allOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
    ),
    (
        "bad_in_not",
        r#"{"type":"object","properties":{"a":{"type":"string"}},"not":{"properties":{"b":{"type":"string","x-mcp-header":"B"}}}}"#,
    ),
];

fn annotated(_: &Options, setup: &mut Setup) {
    let whole = |properties: &str| format!(r#"{{"type":"object","properties":{{{properties}}}}}"#);
    let properties = GOOD.iter().chain(&BAD).map(|(name, properties)| (*name, whole(properties)));
    let schemas = BAD_SCHEMAS.iter().map(|(name, schema)| (*name, (*schema).to_owned()));
    for (name, schema) in properties.chain(schemas) {
        setup.base.catalogue.add_tool(name, "", &format!(r#""inputSchema":{schema}"#));
    }
}

/// The list is another one each time it is fetched: `region` goes into a header of another name.
fn stale(options: &Options, plan: &mut Plan) {
    plan.eras = Eras::Modern;
    plan.builders.push(|_, setup| {
        let mut fetched = 0_u32;
        setup.on_reply("tools/list", move |reply, _| {
            fetched += 1;
            let header = format!("Region-{}", fetched.min(2));
            let tool = format!(
                r#"{{"name":"moved","inputSchema":{{"type":"object","properties":{{"region":{{"type":"string","x-mcp-header":{}}}}}}}}}"#,
                quote(&header)
            );
            reply.body = reply.body.replacen(r#""tools":["#, &format!(r#""tools":[{tool},"#), 1);
            Flow::Pass
        });
    });
    let (always, mut fetched) = (options.has("always"), 0_u32);
    plan.gate(move |knock| {
        fetched += u32::from(knock.method == "tools/list");
        let name = knock.message.and_then(|message| message.param_text("name")).unwrap_or_default();
        if knock.method != "tools/call" || name != "moved" {
            return Passage::Open;
        }
        let message = knock.message.expect("it has a method");
        let wanted = message.arguments().text("region");
        let fits = knock.request.header("mcp-param-region-2") == wanted.as_deref();
        let id = message.id().unwrap_or("null");
        if fits && !always && fetched > 1 {
            let result = r#""resultType":"complete","content":[{"type":"text","text":"moved"}]"#;
            return Passage::Answer(Response::json(200, Reply::result(id, result).render()));
        }
        let reply = Reply::error(id, -32020, "header mismatch: Mcp-Param-Region-2", None);
        Passage::Answer(Response::json(400, reply.render()))
    });
}
