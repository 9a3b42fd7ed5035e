//! Being a server, over streams that the caller brings.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::Machine;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
"#;

#[test]
fn settings_and_arguments_allow_together() {
    let machine = Machine::new();
    machine.write(&machine.home().join(".codewhale/config.toml"), "[mcp_server]\nallow = [\"edit_file\"]\n");
    let check = |arguments: &[&str], expected: &[&str]| {
        let ran = machine.trial().stdin(LIST).run(arguments);
        let ran = ran.ends(Exit::Ok);
        let answer: Value =
            serde_json::from_str(ran.stdout.lines().last().expect("an answer")).expect("a message");
        let tools = answer["result"]["tools"].as_array().expect("tools").iter();
        let names: Vec<&str> = tools.map(|tool| tool["name"].as_str().expect("a name")).skip(4).collect();
        assert_eq!(names, expected);
    };
    check(&["serve", "--mcp"], &["edit_file"]);
    check(
        &["serve", "--mcp", "--allow", "write_file, edit_file", "--allow", "shell"],
        &["write_file", "edit_file", "shell"],
    );
    check(&["mcp-server", "--json"], &["edit_file"]);
}

#[test]
fn our_own_folder_is_no_workspace() {
    let machine = Machine::new();
    machine.write(&machine.config(), &json!({"servers": {}}).to_string());
    let folder = machine.home().join(".codewhale");
    let ran = machine.run(&["serve", "--mcp", "--workspace", folder.to_str().expect("a plain path")]);
    ran.ends(Exit::Usage).says("belongs to codewhale itself").says("--workspace");
}

#[test]
fn what_may_count_as_settings_is_not_written() {
    let machine = Machine::new();
    let home = machine.home().to_owned();
    let text = |path: &std::path::Path| path.to_str().expect("a plain path").to_owned();
    let named = home.join("named/mcp.json");
    let paths =
        [".codewhale/mcp.json", ".deepseek/mcp.json", "named/mcp.json", "ours/config.toml", "given.json"];
    for path in paths {
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "write_file",
            "arguments": {"path": path, "text": "{}", "create_directories": true}}});
        let trial = machine.trial().variable("CODEWHALE_HOME", &text(&home.join("ours")));
        let trial = trial.variable("DEEPSEEK_MCP_CONFIG", &text(&named)).stdin(&format!("{LIST}{call}\n"));
        let ran = trial
            .run(
                &[
                    &["serve", "--mcp", "--allow", "write_file", "--workspace", &text(&home)][..],
                    &["--mcp-config", &text(&home.join("given.json")), "--mcp-config", "{\"mcpServers\":{}}"],
                ]
                .concat(),
            )
            .ends(Exit::Ok);
        assert!(ran.stdout.contains("\"isError\":true"), "{path}: {}", ran.stdout);
        assert!(!home.join(path).exists(), "{path}");
    }
}

#[test]
fn an_address_that_is_a_name_is_told_what_one_looks_like() {
    let ran = Machine::new().run(&["serve", "--mcp", "--listen", "localhost:8080"]);
    ran.ends(Exit::Usage).says("such as 127.0.0.1:8080");
}

#[test]
fn where_this_program_is_has_to_be_known_to_add_it() {
    let machine = Machine::new();
    machine.run(&["mcp", "add-self"]).ends(Exit::Usage).says("cannot be told");
    let program = machine.home().join("bin/codewhale");
    machine.write(&program, "");
    let path = program.parent().expect("it has a folder").to_str().expect("a plain path").to_owned();
    machine.trial().variable("PATH", &path).run(&["mcp", "add-self", "--name", "a b"]).ends(Exit::Usage);
    machine.trial().variable("PATH", &path).run(&["mcp", "add-self", "--name", "me"]).ends(Exit::Ok);
    let got = machine.json(&["mcp", "get", "me"]);
    assert!(got.to_string().contains(program.to_str().expect("a plain path")), "{got}");
}

#[test]
fn a_registration_allows_what_it_is_told_and_says_how_to_allow_more() {
    let machine = Machine::new();
    let program = machine.home().join("bin/codewhale");
    machine.write(&program, "");
    let path = program.parent().expect("it has a folder").to_str().expect("a plain path").to_owned();
    let add = |arguments: &[&str]| {
        machine.trial().variable("PATH", &path).run(&[&["mcp", "add-self", "--name"], arguments].concat())
    };
    let note = "its tools only read; write_file, edit_file, shell change something once `[mcp_server] allow`";
    add(&["reads"]).ends(Exit::Ok).says(note);
    add(&["writes", "--allow", "shell, write_file", "--allow", "shell"]).ends(Exit::Ok).hides(note);
    add(&["odd", "--allow", "read_file"])
        .ends(Exit::Usage)
        .says("--allow: `read_file` is no tool that can be");
    machine.write(&machine.home().join(".codewhale/config.toml"), "[mcp_server]\nallow = [\"edit_file\"]\n");
    add(&["settled"]).ends(Exit::Ok).hides(note);
    let file = std::fs::read_to_string(machine.config()).expect("it is written");
    let file: Value = serde_json::from_str(&file).expect("plain JSON");
    assert_eq!(file["servers"]["reads"]["args"], json!(["serve", "--mcp"]));
    assert_eq!(file["servers"]["writes"]["args"], json!(["serve", "--mcp", "--allow", "write_file,shell"]));
    assert_eq!(file["servers"]["odd"], Value::Null);
}
