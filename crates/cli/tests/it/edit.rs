//! Commands that change a file change one entry, or nothing.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::Machine;

fn written(machine: &Machine) -> Value {
    serde_json::from_slice(&std::fs::read(machine.config()).expect("the file")).expect("plain JSON")
}

#[test]
fn init_writes_once_and_keeps_a_backup_when_forced() {
    let machine = Machine::new();
    machine.run(&["mcp", "init"]).ends(Exit::Ok).prints("wrote ");
    let starter = std::fs::read_to_string(machine.config()).unwrap();
    machine.write(&machine.config(), "{\"mine\": 1}");
    machine.run(&["mcp", "init"]).ends(Exit::Usage).says("exists already").says("hint: add --force");
    assert_eq!(std::fs::read_to_string(machine.config()).unwrap(), "{\"mine\": 1}");
    let ran = machine.json(&["mcp", "init", "--force"]);
    assert_eq!(std::fs::read_to_string(ran["backup"].as_str().unwrap()).unwrap(), "{\"mine\": 1}");
    assert_eq!(std::fs::read_to_string(machine.config()).unwrap(), starter);
}

#[test]
fn init_says_that_an_older_file_no_longer_counts() {
    let machine = Machine::new();
    machine.write(&machine.home().join(".deepseek/mcp.json"), "{\"servers\": {\"a\": {\"command\": \"x\"}}}");
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("a ").says(".deepseek/mcp.json");
    machine.run(&["mcp", "init"]).ends(Exit::Ok).says(".deepseek/mcp.json is no longer read");
    machine.run(&["mcp", "list"]).ends(Exit::Ok).says(".deepseek/mcp.json is not read");
}

#[test]
fn an_added_program_keeps_its_arguments_exactly() {
    let machine = Machine::new();
    machine.run(&["mcp", "add", "h", "--", "/opt/My App/bin/srv", "--x", "a b", "", "--json"]).ends(Exit::Ok);
    let other = ["mcp", "add", "i", "--command", "/opt/My App/bin/srv", "--arg", "--x", "--arg", "a b"];
    machine.run(&other).ends(Exit::Ok);
    let text = written(&machine);
    assert_eq!(text["servers"]["h"]["command"], "/opt/My App/bin/srv");
    assert_eq!(text["servers"]["h"]["args"], json!(["--x", "a b", "", "--json"]));
    assert_eq!(text["servers"]["i"]["args"], json!(["--x", "a b"]));
}

#[test]
fn every_flag_of_add_becomes_a_member() {
    let machine = Machine::new();
    let flags = "mcp add r --url https://h.test/mcp --header X-A=b=c --env-header X-B=VAR --bearer-token-env-var TOK \
        --transport sse --oauth-client-id id --oauth-resource https://h.test --scope a --scope b \
        --connect-timeout 1.5 --execute-timeout 2 --read-timeout 3 --required --disabled";
    machine.run(&flags.split_whitespace().collect::<Vec<_>>()).ends(Exit::Ok);
    machine
        .run(&["mcp", "add", "s", "--command", "x", "--env", "A=b=c", "--env", "B=", "--cwd", "sub"])
        .ends(Exit::Ok);
    let text = written(&machine);
    let remote = json!({
        "url": "https://h.test/mcp", "transport": "sse", "headers": {"X-A": "b=c"}, "env_headers": {"X-B": "VAR"},
        "bearer_token_env_var": "TOK", "scopes": ["a", "b"], "oauth": {"client_id": "id"},
        "oauth_resource": "https://h.test", "connect_timeout": 1.5, "execute_timeout": 2, "read_timeout": 3,
        "required": true, "disabled": true
    });
    assert_eq!(text["servers"]["r"], remote);
    assert_eq!(text["servers"]["s"], json!({"command": "x", "env": {"A": "b=c", "B": ""}, "cwd": "sub"}));
}

#[test]
fn a_header_may_be_written_as_it_stands_in_a_request() {
    let machine = Machine::new();
    let add = |name: &str, flag: &str, text: &str| {
        machine.run(&["mcp", "add", name, "--url", "https://h.test/mcp", flag, text])
    };
    add("a", "--header", "Authorization: Bearer x=y:z==").ends(Exit::Ok);
    add("b", "--header", "X-Time=12:30 = noon").ends(Exit::Ok);
    add("c", "--env-header", "X-Key: THE_KEY").ends(Exit::Ok);
    let servers = &written(&machine)["servers"];
    assert_eq!(servers["a"]["headers"], json!({"Authorization": "Bearer x=y:z=="}));
    assert_eq!(servers["b"]["headers"], json!({"X-Time": "12:30 = noon"}));
    assert_eq!(servers["c"]["env_headers"], json!({"X-Key": "THE_KEY"}));
    for text in ["Bearer s3cret", ": s3cret", "=s3cret"] {
        let ran = add("d", "--header", text).ends(Exit::Usage);
        ran.says("--header must be NAME=VALUE or NAME: VALUE").hides("s3cret");
    }
    machine
        .run(&["mcp", "add", "d", "--env", "A:b", "--", "x"])
        .ends(Exit::Usage)
        .says("must be NAME=VALUE\n");
}

#[test]
fn add_refuses_what_is_there_what_has_no_name_and_what_is_nothing() {
    let machine = Machine::new();
    machine.run(&["mcp", "add", "a", "--", "x"]).ends(Exit::Ok);
    machine.run(&["mcp", "add", "a", "--", "y"]).ends(Exit::Usage).says("exists already").says("--force");
    machine.run(&["mcp", "add", "a", "--force", "--", "y"]).ends(Exit::Ok);
    for name in ["a b", "a/b", "", "é", &"a".repeat(65)] {
        machine.run(&["mcp", "add", name, "--", "x"]).ends(Exit::Usage).says("is no name for a server");
    }
    machine.run(&["mcp", "add", "b"]).ends(Exit::Usage).says("-- CMD ARGS");
    machine.run(&["mcp", "add", "b", "--url", "https://x.test", "--", "x"]).ends(Exit::Usage);
    machine.run(&["mcp", "add", "b", "--url", "file:///x"]).ends(Exit::Usage).says("url");
    assert_eq!(written(&machine)["servers"].as_object().unwrap().len(), 1);
}

#[test]
fn a_secret_on_the_command_line_gets_a_warning_and_is_not_repeated() {
    let machine = Machine::new();
    let secret = "sk-abcdefghijklmnopqrstuvwxyz0123";
    let (header, env) = (format!("Authorization=Bearer {secret}"), format!("API_KEY={secret}"));
    machine
        .run(&["mcp", "add", "r", "--url", "https://h.test", "--header", &header])
        .ends(Exit::Ok)
        .says("`headers.Authorization` holds a secret, use")
        .says("bearer_token_env_var")
        .says("seen by other processes")
        .hides(secret);
    machine
        .run(&["mcp", "add", "s", "--env", &env, "--", "x"])
        .ends(Exit::Ok)
        .says("`env.API_KEY`")
        .hides(secret);
    let reference = ["mcp", "add", "t", "--env", "API_KEY=${API_KEY}", "--", "x"];
    machine.run(&reference).ends(Exit::Ok).hides("holds a secret");
    machine
        .run(&["mcp", "add", "u", "--url", "https://h.test", "--header", secret])
        .ends(Exit::Usage)
        .hides(secret);
    for command in [["mcp", "get", "r"], ["mcp", "get", "s"]] {
        machine.run(&command).ends(Exit::Ok).prints("REDACTED").hides(secret);
    }
    machine.run(&["mcp", "get", "t"]).ends(Exit::Ok).prints("${API_KEY}");
    machine.run(&["mcp", "list", "--json"]).ends(Exit::Ok).hides(secret);
}

#[test]
fn pasted_json_is_taken_in_every_usual_form() {
    let machine = Machine::new();
    let whole = r#"{"mcpServers": {"theirs": {"command": "npx", "args": ["-y", "@x/y"]}}}"#;
    machine.run(&["mcp", "add-json", "a", r#"{"command": "npx"}"#]).ends(Exit::Ok);
    machine.run(&["mcp", "add-json", "b", whole]).ends(Exit::Ok).says("calls the server `theirs`");
    machine.trial().stdin(whole).run(&["mcp", "add-json", "theirs", "-"]).ends(Exit::Ok);
    machine.run(&["mcp", "add-json", "c", "{\"command\": }"]).ends(Exit::Usage).says("^");
    machine.run(&["mcp", "add-json", "c", "{}"]).ends(Exit::Usage).says("holds no server");
    let list = machine.json(&["mcp", "list"]);
    let names: Vec<&Value> =
        list["servers"].as_array().unwrap().iter().map(|server| &server["name"]).collect();
    assert_eq!(names, ["a", "b", "theirs"]);
}

#[test]
fn remove_enable_and_disable_leave_the_rest_of_the_file_alone() {
    let machine = Machine::new();
    let text = r#"{
  // mine
  "mcpServers": {
    "a": { "command": "x" }, // first
    "b": { "command": "y", "disabled": true },
  },
  "odd": [1, 2]
}
"#;
    machine.write(&machine.config(), text);
    machine.run(&["mcp", "enable", "b"]).ends(Exit::Ok).prints("enabled b");
    machine.run(&["mcp", "enable", "b"]).ends(Exit::Ok).prints("already on: b");
    machine.run(&["mcp", "disable", "a"]).ends(Exit::Ok);
    let state = |name: &str| machine.json(&["mcp", "get", name])["state"].clone();
    assert_eq!((state("a"), state("b")), ("off".into(), "on".into()));
    machine.run(&["mcp", "remove", "b"]).ends(Exit::Ok).prints("removed b");
    let after = std::fs::read_to_string(machine.config()).unwrap();
    for kept in ["// mine", "// first", "\"odd\": [1, 2]"] {
        assert!(after.contains(kept), "{after}");
    }
    machine.run(&["mcp", "remove", "nobody"]).ends(Exit::Usage).says("there is no server `nobody`");
}

#[test]
fn a_file_that_makes_no_sense_is_never_written() {
    let machine = Machine::new();
    let text = "{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"} /*\n";
    machine.write(&machine.config(), text);
    let commands: [&[&str]; 5] = [
        &["mcp", "add", "z", "--", "x"],
        &["mcp", "add-json", "z", "{\"command\": \"x\"}"],
        &["mcp", "disable", "a"],
        &["mcp", "enable", "a"],
        &["mcp", "remove", "a"],
    ];
    for command in commands {
        machine
            .run(command)
            .ends(Exit::Usage)
            .says("mcp.json:3:")
            .says("^")
            .says("would have lost every server");
        assert_eq!(std::fs::read_to_string(machine.config()).unwrap(), text);
    }
    for command in [&["mcp", "list"][..], &["mcp", "validate"], &["mcp", "get", "a"]] {
        machine.run(command).ends(Exit::Usage).says("the comment is not closed");
    }
}

#[test]
fn a_name_that_stands_twice_is_refused_with_both_places() {
    let machine = Machine::new();
    let text = "{\"servers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"y\"}},\n\
        \"mcpServers\": {\"a\": {\"command\": \"z\"}}}";
    machine.write(&machine.config(), text);
    for command in ["remove", "enable", "disable"] {
        machine.run(&["mcp", command, "a"]).ends(Exit::Usage).says("mcp.json:1:14").says("mcp.json:2:16");
    }
    assert_eq!(std::fs::read_to_string(machine.config()).unwrap(), text);
    machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("refused").prints("b ");
}

#[test]
fn an_edit_goes_to_the_file_that_holds_the_entry() {
    let machine = Machine::new();
    machine.write(&machine.config(), "{\"servers\": {\"both\": {\"command\": \"u\"}}}");
    let project = "{\"servers\": {\"both\": {\"command\": \"p\"}, \"theirs\": {\"command\": \"p\"}}}";
    machine.write(&machine.project(), project);
    let path = |arguments: &[&str]| machine.json(arguments)["path"].as_str().unwrap().to_owned();
    assert_eq!(path(&["mcp", "disable", "theirs"]), machine.project().to_string_lossy());
    assert_eq!(path(&["mcp", "disable", "both"]), machine.config().to_string_lossy());
    assert_eq!(path(&["mcp", "disable", "both", "--project"]), machine.project().to_string_lossy());
    machine.run(&["mcp", "enable", "both"]).ends(Exit::Ok).says("--project chooses it");
    machine.run(&["mcp", "add", "new", "--project", "--", "x"]).ends(Exit::Ok).says("codewhale trust");
    assert!(std::fs::read_to_string(machine.project()).unwrap().contains("\"new\""));
}

#[test]
fn a_type_that_was_written_has_its_place() {
    let machine = Machine::new();
    machine.run(&["mcp", "add-json", "a", r#"{"type":"stdio","command":"x"}"#]).ends(Exit::Ok);
    machine.run(&["mcp", "add", "b", "--", "x"]).ends(Exit::Ok);
    let place = |name: &str| machine.json(&["mcp", "get", name])["values"][0]["place"].clone();
    assert_eq!(place("a")["source"], machine.config().to_str().expect("plain"));
    assert!(place("b").is_null());
}
