//! Tools as servers really have them: odd schemas, odd names, lists without end, results of every kind.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, fake};

fn machine(args: &[&str]) -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("s", args)]);
    machine
}

#[test]
fn a_tool_with_an_odd_schema_is_named_can_be_called_and_hides_no_other() {
    let machine = machine(&["bad-schemas"]);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("10 tools");
    for (tool, fault) in [
        ("any_of", "does not say \"type\": \"object\""),
        ("string_root", "says \"type\": \"string\""),
        ("schema_only", "does not say \"type\""),
        ("missing", "has no inputSchema"),
        ("null", "has no inputSchema"),
        ("true", "is a boolean"),
    ] {
        let told = format!("warning: tool `{tool}`: it");
        let line = ran.stdout.lines().find(|line| line.contains(&told));
        assert!(line.is_some_and(|line| line.contains(fault)), "{tool}: {ran}");
    }
    assert!(!ran.stdout.contains("tool `no_properties`") && !ran.stdout.contains("tool `refs`"), "{ran}");
    for tool in ["string_root", "schema_only", "missing", "null", "empty", "true", "no_properties"] {
        machine.run(&["mcp", "call", "s", tool]).ends(Exit::Ok);
        machine.run(&["mcp", "call", "s", tool, "any=thing"]).ends(Exit::Ok);
    }
    machine.run(&["mcp", "call", "s", "any_of", "b=1"]).ends(Exit::Ok);
    machine.run(&["mcp", "call", "s", "any_of", "c=1"]).ends(Exit::Usage);
}

#[test]
fn a_schema_is_handed_on_whole_and_its_references_count() {
    let machine = machine(&["bad-schemas"]);
    let tools = machine.json(&["mcp", "tools", "s"]);
    let tools = tools["servers"][0]["tools"].as_array().unwrap();
    let schema = |name: &str| &tools.iter().find(|tool| tool["raw_name"] == name).unwrap()["definition"]["inputSchema"];
    assert_eq!(schema("refs")["properties"]["q"], json!({"$ref": "#/$defs/Q"}));
    assert!(schema("refs")["$defs"]["Q"]["properties"].is_object());
    assert_eq!(*schema("no_properties"), json!({"type": "object"}));
    machine.run(&["mcp", "tools", "s", "--schema"]).ends(Exit::Ok).prints("\"$ref\": \"#/$defs/Q\"");
    machine.run(&["mcp", "call", "s", "refs", "q:={\"text\": \"x\"}"]).ends(Exit::Ok);
    machine.run(&["mcp", "call", "s", "refs", "q:={\"text\": 1}"]).ends(Exit::Usage).says("/q/text");
}

#[test]
fn a_reference_elsewhere_is_not_fetched_and_holds_nothing_up() {
    let ran = machine(&["bad-schemas"]).run(&["mcp", "call", "s", "remote_ref", "q=x"]).ends(Exit::Ok);
    ran.says("the arguments were not checked");
}

#[test]
fn exposed_names_fit_every_model_and_the_wire_gets_the_servers_own() {
    let machine = Machine::new();
    let record = machine.work().join("record");
    let server = json!({"command": fake(), "args": ["odd-names", "--record", record]});
    let text = json!({"servers": {"my__server (X) with a name that is rather long for one": server}});
    machine.write(&machine.config(), &text.to_string());
    let tools = machine.json(&["mcp", "tools"]);
    let tools = tools["servers"][0]["tools"].as_array().unwrap();
    let word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    for tool in tools {
        let (name, raw) = (tool["name"].as_str().unwrap(), tool["raw_name"].as_str().unwrap());
        assert!(name.len() <= 64 && !name.is_empty() && name.chars().all(word), "{name}");
        let server = "my__server (X) with a name that is rather long for one";
        machine.run(&["mcp", "call", server, name, "text=x"]).ends(Exit::Ok);
        let sent = std::fs::read_to_string(&record).unwrap();
        let call = sent.lines().rfind(|line| line.contains("tools/call")).unwrap();
        assert!(call.contains(&format!("\"name\":{}", Value::from(raw))), "{raw}: {call}");
    }
}

#[test]
fn a_list_that_never_ends_is_stopped_and_one_with_an_empty_cursor_is_read_once() {
    for args in [&["endless-cursor"][..], &["endless-cursor", "--cycle", "3"]] {
        let ran = machine(args).run(&["mcp", "tools"]).ends(Exit::Failed).says("repeats the cursor");
        assert!(!ran.stdout.contains("mcp_s_"), "{ran}");
        machine(args).run(&["mcp", "call", "s", "echo", "text=x"]).ends(Exit::Failed).says("are not known");
    }
    for args in [&["empty-cursor"][..], &["empty-cursor", "--then-end"], &["null-cursor"]] {
        let machine = Machine::new();
        let record = machine.work().join("record");
        machine.with_fakes(&[("s", &[args, &["--record", record.to_str().expect("plain")]].concat())]);
        let tools = machine.json(&["mcp", "tools"]);
        let tools = tools["servers"][0]["tools"].as_array().unwrap();
        let mut names: Vec<&str> = tools.iter().map(|tool| tool["raw_name"].as_str().unwrap()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert!(count > 1 && names.len() == count, "{names:?}");
        let asked = std::fs::read_to_string(&record).unwrap().matches("\"method\":\"tools/list\"").count();
        assert!(asked <= 2, "{args:?} was asked {asked} times");
    }
}

#[test]
fn every_page_counts_and_a_page_that_fails_is_no_short_list() {
    let tools = machine(&["paged", "--items", "150", "--pages", "3"]).json(&["mcp", "tools"]);
    assert_eq!(tools["servers"][0]["tools"].as_array().unwrap().len(), 150);
    let ran = machine(&["page-error"]).run(&["mcp", "tools"]).ends(Exit::Failed);
    assert_eq!(ran.stdout, "", "{ran}");
}

#[test]
fn an_output_schema_only_ever_warns_and_never_hides_the_tools_own_error() {
    let machine = machine(&["everything"]);
    let ran = machine.run(&["mcp", "call", "s", "structured_error"]).ends(Exit::ToolFailed);
    let ran = ran.prints("the sky is away");
    assert!(!ran.stderr.contains("outputSchema"), "{ran}");
    machine
        .run(&["mcp", "call", "s", "structured_wrong"])
        .ends(Exit::Ok)
        .says("does not match")
        .prints("warm");
    machine.run(&["mcp", "call", "s", "structured_missing"]).ends(Exit::Ok).says("no structuredContent");
    let json = machine.json(&["mcp", "call", "s", "structured_wrong"]);
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
    let ran = machine.run(&["mcp", "call", "s", "structured"]).ends(Exit::Ok);
    assert!(!ran.stderr.contains("warning"), "{ran}");
}

#[test]
fn content_of_every_kind_is_shown_or_described_and_whole_as_json() {
    for era in ["legacy", "modern"] {
        let machine = machine(&["everything", "--era", era]);
        let ran = machine.run(&["mcp", "call", "s", "contents", "--save", "out"]).ends(Exit::Ok);
        let parts = [
            "a text\n",
            "image: image/png, 70 B, saved to ",
            "resource: text://note (text/plain)\na note\n",
            "resource: blob://paper (application/pdf), 15 B, saved to ",
            "audio: audio/wav, 44 B, saved to ",
            "resource link: A greeting text://greeting (text/plain)",
            "content of the kind `hologram`",
        ];
        let mut from = 0;
        for part in parts {
            let at = ran.stdout[from..].find(part).unwrap_or_else(|| panic!("{part:?} is missing: {ran}"));
            from += at + part.len();
        }
        let ran = ran.hides("iVBOR");
        assert_eq!(std::fs::read_dir(machine.work().join("out")).unwrap().count(), 3, "{ran}");
        let json = machine.json(&["mcp", "call", "s", "contents"]);
        let content = json["result"]["content"].as_array().unwrap();
        assert!(content.iter().any(|block| block["type"] == "hologram"), "{json}");
        assert!(
            content.iter().any(|block| block["data"].as_str().is_some_and(|data| data.starts_with("iVBOR")))
        );
    }
}
