//! `list` and `get` say what is configured, and start nothing.

use codewhale_cli::Exit;
use serde_json::json;

use crate::world::Machine;

const TEXT: &str = r#"{
  "timeouts": {"read_timeout": 7},
  "servers": {
    "files": {"command": "npx", "args": ["-y", "a b", "--token", "abc123"], "required": true, "env": {"HOME": "/x"}},
    "docs": {"url": "https://me:pw@h.test/mcp?api_key=k123456", "bearer_token_env_var": "T"},
    "off": {"command": "x", "disabled": true, "cwd": "sub"},
    "broken": {"url ": "https://h.test"},
    "My Server": {"command": "x"},
  },
}"#;

#[test]
fn every_server_has_its_row_in_the_order_of_the_file() {
    let machine = Machine::new();
    machine.write(&machine.config(), TEXT);
    let ran = machine.run(&["mcp", "list"]).ends(Exit::Ok);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let expected = [
        "NAME       SCOPE  TRANSPORT  STATE         AUTH        SERVER",
        "files      user   stdio      on, required  -           npx -y 'a b' --token REDACTED",
        "docs       user   http       on            bearer_env  https://REDACTED@h.test/mcp?api_key=REDACTED",
        "off        user   stdio      off           -           x",
        "broken     user   ?          refused       -",
        "My Server  user   stdio      on            -           x",
    ];
    assert_eq!(lines, expected);
    ran.says("did you mean `url`").says("read from ").hides("abc123").hides("k123456").hides(":pw@");
}

#[test]
fn get_shows_each_value_with_its_place() {
    let machine = Machine::new();
    machine.write(&machine.config(), TEXT);
    let ran = machine.run(&["mcp", "get", "files"]).ends(Exit::Ok).hides("abc123");
    let place = |place: &str| format!("{}:{place}", machine.config().display());
    for (key, value, from) in [
        ("command", "npx", place("4:26")),
        ("args[1]", "a b", place("4:48")),
        ("args[3]", "REDACTED", place("4:66")),
        ("required", "true", place("4:89")),
        ("env.HOME", "REDACTED", place("4:111")),
        ("read_timeout", "7", place("2:32")),
        ("connect_timeout", "30", "default".to_owned()),
    ] {
        let row = ran.stdout.lines().find(|line| line.starts_with(&format!("{key} "))).expect("the row");
        assert!(row.contains(value) && row.ends_with(&from), "{row} should end with {from}");
    }
    assert_eq!(machine.json(&["mcp", "get", "off"])["state"], "off");
    let mistyped = machine.run(&["mcp", "get", "fils"]).ends(Exit::Usage);
    mistyped.says("there is no server `fils`").says("did you mean `files`");
    machine.run(&["mcp", "get", "broken"]).ends(Exit::Ok).says("did you mean `url`");
}

#[test]
fn get_names_a_variable_that_is_missing_and_nothing_around_it() {
    let machine = Machine::new();
    machine.write(
        &machine.config(),
        r#"{"servers": {"a": {"command": "x", "env": {"K": "pre-${NOPE}-post"}}}}"#,
    );
    machine.run(&["mcp", "get", "a"]).ends(Exit::Ok).says("`NOPE`").hides("pre-");
}

#[test]
fn where_the_configuration_is_read_is_said_when_there_is_none() {
    let machine = Machine::new();
    machine
        .run(&["mcp", "list"])
        .ends(Exit::Ok)
        .says(".codewhale/mcp.json, which does not exist")
        .says("mcp add");
    for name in [".mcp.json", ".claude/mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"] {
        let machine = Machine::new();
        machine.write(&machine.work().join(name), "{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}");
        let ran = machine.run(&["mcp", "list"]).ends(Exit::Ok);
        ran.says(&format!("{name} is not read")).says(".codewhale/mcp.json").says("--config");
        assert_eq!(machine.json(&["mcp", "list"])["unread"].as_array().unwrap().len(), 1, "{name}");
    }
}

#[test]
fn the_file_is_chosen_by_flag_then_environment_then_settings() {
    let machine = Machine::new();
    let file = |name: &str| {
        let path = machine.work().join(name);
        machine.write(&path, &json!({"servers": {name: {"command": "x"}}}).to_string());
        path.to_string_lossy().into_owned()
    };
    let (flag, first, second, set) = (file("flag"), file("first"), file("second"), file("set"));
    machine.write(&machine.home().join(".codewhale/config.toml"), &format!("mcp_config_path = {set:?}\n"));
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("set ");
    let list = ["mcp", "list"];
    machine.trial().variable("DEEPSEEK_MCP_CONFIG", &second).run(&list).ends(Exit::Ok).prints("second ");
    let both =
        || machine.trial().variable("DEEPSEEK_MCP_CONFIG", &second).variable("CODEWHALE_MCP_CONFIG", &first);
    both().run(&list).ends(Exit::Ok).prints("first ");
    both().run(&["mcp", "list", "--config", &flag]).ends(Exit::Ok).prints("flag ").hides("first ");
    machine
        .run(&["mcp", "list", "--config", "/no/such"])
        .ends(Exit::Usage)
        .says("does not exist")
        .says("mcp init");
}

#[test]
fn servers_of_the_command_line_win_and_the_last_of_them_wins() {
    let machine = Machine::new();
    machine.write(
        &machine.config(),
        "{\"servers\": {\"a\": {\"command\": \"user\"}, \"b\": {\"command\": \"user\"}}}",
    );
    let (one, other) = (r#"{"servers":{"a":{"command":"one"}}}"#, r#"{"servers":{"a":{"command":"other"}}}"#);
    let json = machine.json(&["--mcp-config", one, "mcp", "list", "--mcp-config", other]);
    let a = &json["servers"][0];
    assert_eq!((&a["name"], &a["scope"], &a["command"]), (&json!("a"), &json!("flag"), &json!("other")));
    assert_eq!(a["overrides"].as_array().unwrap().len(), 2);
    assert_eq!(json["servers"][1]["name"], "b");
    let strict = machine.json(&["mcp", "list", "--strict-mcp-config", "--mcp-config", one]);
    assert_eq!(strict["servers"].as_array().unwrap().len(), 1);
    assert!(strict["config"].is_null());
    machine.run(&["mcp", "list", "--mcp-config", one]).ends(Exit::Ok).prints("overridden");
}

#[test]
fn a_file_outside_the_workspace_is_refused_before_any_output() {
    let machine = Machine::new();
    let (home, outside) = (machine.home(), machine.home().join("x.json"));
    let (home, outside) = (home.to_str().expect("plain"), outside.to_str().expect("plain"));
    machine.write(outside.as_ref(), "{}");
    let ran = machine.run(&["mcp", "list", "--mcp-config", outside]).ends(Exit::Usage);
    assert_eq!(ran.stdout, "");
    ran.says("MCP config escapes the admitted Workspace");
    machine.run(&["mcp", "list", "--workspace", home, "--mcp-config", outside]).ends(Exit::Ok);
    machine.run(&["mcp", "list", "--workspace", "nowhere"]).ends(Exit::Usage).says("nowhere");
}

#[test]
fn what_will_keep_a_server_from_starting_is_known_before_it_is_started() {
    let machine = Machine::new();
    machine.write(
        &machine.config(),
        r#"{"servers": {"a": {"command": "x", "args": ["${NOTSET}"], "env": {"API_KEY": "sk-abcdefghijklmnop12"}}}}"#,
    );
    let ran = machine.run(&["mcp", "list"]).ends(Exit::Ok).says("`NOTSET`, which is not set");
    ran.says("API_KEY").hides("sk-abcdefghijklmnop12");
    let told = machine.json(&["mcp", "list"]);
    assert_eq!(told["servers"][0]["problems"].as_array().map(Vec::len), Some(1), "{told}");
}

#[test]
fn a_folder_within_a_project_is_led_to_the_project() {
    let machine = Machine::new();
    machine.write(&machine.project(), r#"{"servers": {"team": {"command": "x"}}}"#);
    std::fs::create_dir(machine.work().join("sub")).unwrap();
    let project = machine.work().display().to_string();
    let within = machine.run(&["mcp", "list", "--workspace", "sub"]).ends(Exit::Ok);
    within.says(&format!("--workspace {project} uses the project's own servers"));
    let within = machine.run(&["trust", "--workspace", "sub"]).ends(Exit::Usage);
    within.says(&format!("the project begins above: `codewhale trust {project}`"));
}
