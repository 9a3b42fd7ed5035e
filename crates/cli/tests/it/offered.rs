//! `resources`, `templates`, `prompts`, and what `connect` counts.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, fake};

fn both_eras() -> Machine {
    let machine = Machine::new();
    let server = |era| json!({"command": fake(), "args": ["everything", "--era", era]});
    // By hand, since the order of the names is not that of the alphabet.
    let text = format!(r#"{{"servers": {{"old": {}, "new": {}}}}}"#, server("legacy"), server("modern"));
    machine.write(&machine.config(), &text);
    machine
}

fn column(list: &Value, kind: &str, member: &str) -> Vec<String> {
    let items = list[kind].as_array().unwrap_or_else(|| panic!("{list}"));
    items.iter().map(|item| item[member].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn every_server_is_asked_at_once_and_told_of_in_the_order_of_the_file() {
    let machine = both_eras();
    let ran = machine.run(&["mcp", "resources"]).ends(Exit::Ok);
    ran.prints("SERVER  URI").prints("old     text://greeting").prints("new     multi://pair").prints("14 B");
    machine.run(&["mcp", "templates"]).ends(Exit::Ok).prints("note://{folder}/{file}").prints("A note");
    let prompts = machine.run(&["mcp", "prompts", "new"]).ends(Exit::Ok).prints("text [style] [line]");
    assert!(!prompts.stdout.contains("old"), "{prompts}");

    let all = machine.json(&["mcp", "resources"]);
    let servers = all["servers"].as_array().unwrap();
    assert_eq!((&servers[0]["server"], &servers[1]["server"]), (&json!("old"), &json!("new")));
    for server in servers {
        assert_eq!((&server["status"], &server["offered"]), (&json!("ready"), &json!(true)));
        assert!(column(server, "resources", "uri").contains(&"file:///notes/read%20me.md".to_owned()));
    }
    let json = machine.json(&["mcp", "prompts", "old"]);
    assert_eq!(json["servers"][0]["prompts"][2]["arguments"][0]["required"], true);
    let json = machine.json(&["mcp", "templates", "old"]);
    assert_eq!(column(&json["servers"][0], "templates", "uriTemplate")[0], "text://{name}");
}

#[test]
fn every_page_is_read_of_every_list() {
    let machine = Machine::new();
    machine.with_fakes(&[("paged", &["everything", "--page", "1"]), ("whole", &["everything"])]);
    for (command, kind, member) in [
        ("resources", "resources", "uri"),
        ("templates", "templates", "uriTemplate"),
        ("prompts", "prompts", "name"),
    ] {
        let all = machine.json(&["mcp", command]);
        let names = |at: usize| column(&all["servers"][at], kind, member);
        assert!(names(0).len() > 2 && names(0) == names(1), "{all}");
    }
}

#[test]
fn a_list_that_has_no_end_or_an_error_fails_and_hides_no_other() {
    let machine = Machine::new();
    machine.with_fakes(&[
        ("good", &["plain"]),
        ("circle", &["endless-cursor"]),
        ("half", &["page-error"]),
        ("empty", &["empty-list"]),
        ("odd", &["empty-cursor"]),
        ("dead", &["die-on-start", "--code", "3"]),
    ]);
    let ran = machine.run(&["mcp", "resources"]).ends(Exit::Failed).prints("good    text://greeting");
    let ran = ran.says("`circle`: the server repeats the cursor").says("`half`: ").says("`dead`: ");
    ran.says("empty: its list of resources is empty").says("odd: the server names an empty cursor");
    let all = machine.json(&["mcp", "resources"]);
    let row = |name: &str| {
        let rows = all["servers"].as_array().unwrap();
        let row = rows.iter().find(|row| row["server"] == name).unwrap_or_else(|| panic!("{name}: {all}"));
        (row["status"].as_str().unwrap(), row["resources"].as_array().unwrap().len())
    };
    assert_eq!([row("good"), row("empty"), row("dead")], [("ready", 2), ("ready", 0), ("failed", 0)]);
    let of =
        |name: &str| all["servers"].as_array().unwrap().iter().find(|row| row["server"] == name).unwrap();
    assert_eq!((&of("dead")["offered"], &of("good")["offered"]), (&Value::Null, &json!(true)));
    assert_eq!((&of("circle")["offered"], &of("good")["failure"]), (&json!(true), &Value::Null));
    for list in ["resources", "templates", "prompts", "tools"] {
        let (all, checked) =
            (machine.json(&["mcp", list, "dead"]), machine.json(&["mcp", "validate", "dead"]));
        let (told, wanted) = (&all["servers"][0]["failure"], &checked["servers"][0]["failure"]);
        assert_eq!(told["exit_code"], 3, "{list}: {all}");
        assert_eq!(told, wanted, "{list}");
    }
    assert_eq!([row("circle"), row("half")], [("degraded", 0), ("degraded", 0)]);
    // An empty cursor is asked for once, and brings nothing twice.
    assert_eq!(row("odd"), ("ready", 2));
}

#[test]
fn a_slow_list_is_given_up_within_one_deadline() {
    let machine = Machine::new();
    let slow = json!({"command": fake(), "args": ["slow-list", "--delay", "60000"], "connect_timeout": 2});
    let servers = json!({"servers": {"slow": slow, "good": {"command": fake(), "args": ["plain"]}}});
    machine.write(&machine.config(), &servers.to_string());
    let ran = machine.run(&["mcp", "prompts"]).ends(Exit::Failed).prints("good    greet");
    ran.says("`slow`: the server did not answer prompts/list within 2 s").says("--connect-timeout");
}

#[test]
fn a_server_that_does_not_offer_them_is_said_to_and_is_no_failure() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["many-tools", "--count", "1"])]);
    let ran = machine.run(&["mcp", "prompts"]);
    let list = machine.json(&["mcp", "prompts", "s"]);
    let offered = list["servers"][0]["offered"] == true;
    assert_eq!(ran.exit, Exit::Ok, "{ran}");
    assert_eq!(ran.stderr.contains("s: it offers no prompts"), !offered, "{ran}");
    machine.run(&["mcp", "prompts", "t"]).ends(Exit::Usage).says("there is no server `t`");
}

#[test]
fn connect_counts_what_there_is_and_warns_of_a_list_that_fails() {
    let machine = both_eras();
    for server in ["old", "new"] {
        let ran = machine.run(&["mcp", "connect", server]).ends(Exit::Ok);
        ran.prints("8 resources, 3 templates, 4 prompts");
        let json = machine.json(&["mcp", "connect", server]);
        assert_eq!(json["resources"], 8);
        assert_eq!(json["templates"], 3);
        assert_eq!(json["prompts"], 4);
    }
    machine.with_fakes(&[("half", &["page-error"])]);
    let json = machine.json(&["mcp", "connect", "half"]);
    assert_eq!(json["prompts"], Value::Null);
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("its prompts are not known"), "{warnings}");
}
