//! Addresses that a server wants to be opened.

use codewhale_cli::Exit;
use serde_json::json;

use crate::questions::{ERAS, form, machine};
use crate::world::Machine;
#[cfg(unix)]
use crate::world::{SECOND, answer, error};

#[test]
fn an_address_is_shown_whole_and_never_opened_without_a_yes() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "ask_url"];
        let rows: [(&[&str], &str); 5] = [
            (&["y"], "accept"),
            (&["n"], "decline"),
            (&["c"], "cancel"),
            (&["", "what", "y"], "accept"),
            (&[], "cancel"),
        ];
        for (answers, action) in rows {
            let ran = machine.trial().answers(answers).run(&call).ends(Exit::Ok);
            assert_eq!(form(&ran), json!({"action": action}), "{answers:?}");
            ran.says("s wants you to open an address:")
                .says("Please confirm the payment")
                .says("  https://fake.example/confirm?order=7&sum=1%2C50")
                .says("host: fake.example")
                .says("agree to go there?");
        }
        let ran = machine.run(&call).ends(Exit::Ok).says("nobody can be asked").says("[\"accept\"]");
        assert_eq!(form(&ran), json!({"action": "decline"}));
        for (text, action) in
            [(r#"["accept"]"#, "accept"), (r#"["cancel"]"#, "cancel"), ("{}", "decline"), ("[{}]", "decline")]
        {
            machine.write(&machine.work().join("a.json"), text);
            let exit = if text == "[{}]" { Exit::Usage } else { Exit::Ok };
            let ran = machine.run(&[&call[..], &["--answers", "a.json"]].concat()).ends(exit);
            assert_eq!(form(&ran), json!({"action": action}), "{text}");
        }
    }
}

#[test]
fn an_address_that_is_asked_for_again_waits_for_the_person_to_be_done() {
    for era in ERAS {
        let machine = Machine::new();
        machine.with_fakes(&[("s", &["everything", "--era", era, "--rounds", "2"])]);
        let call = ["mcp", "call", "s", "ask_url"];
        let ran = machine.trial().answers(&["y", ""]).run(&call).ends(Exit::Ok);
        let ran = ran.says("agree to go there?").says("still waits for what you do there");
        assert_eq!(ran.stdout.matches("accept").count(), 2, "{ran}");
        let ran = machine.trial().answers(&["y", "c"]).run(&call).ends(Exit::Ok);
        assert_eq!(ran.stdout.matches("cancel").count(), 1, "{ran}");
    }
}

#[cfg(unix)]
#[test]
fn only_who_agreed_hears_that_what_they_did_at_an_address_is_done() {
    let id = |nth: u64| nth * (SECOND - 1) + 1;
    let shaken = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}
    });
    let tools = json!({"tools": [{"name": "go", "inputSchema": {"type": "object"}}]});
    let visit =
        json!({"mode": "url", "message": "go", "url": "https://fake.example/", "elicitationId": "visit-1"});
    let ask = json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": visit});
    let over = json!({"jsonrpc": "2.0", "method": "notifications/elicitation/complete",
        "params": {"elicitationId": "visit-1"}});
    let result = answer(id(3), json!({"content": [{"type": "text", "text": "gone"}]}));
    let done = "what you did there is done";
    for (word, is_said) in [("n", false), ("c", false), ("y", true)] {
        // It would be remembered what a server is like.
        let machine = Machine::new();
        machine.with_canned(
            "s",
            &[
                &[error(id(0), -32601)],
                &[answer(id(1), shaken.clone())],
                &[],
                &[answer(id(2), tools.clone())],
                std::slice::from_ref(&ask),
                &[over.clone(), result.clone()],
            ],
        );
        let ran =
            machine.trial().answers(&[word]).run(&["mcp", "call", "s", "go"]).ends(Exit::Ok).prints("gone");
        assert_eq!(ran.stderr.contains(done), is_said, "{ran}");
    }
}

#[test]
fn the_host_is_bold_on_a_terminal() {
    let machine = machine("legacy");
    let ran = machine.trial().terminal().answers(&["n"]).run(&["mcp", "call", "s", "ask_url"]).ends(Exit::Ok);
    ran.says("https://\u{1b}[1mfake.example\u{1b}[0m/confirm");
}

#[test]
fn what_has_to_be_visited_first_is_asked_and_the_call_is_made_again() {
    let machine = machine("legacy");
    let call = ["mcp", "call", "s", "need_url"];
    let ran = machine.trial().answers(&["y", "y"]).run(&call).ends(Exit::Ok).prints("the page was visited");
    ran.says("https://fake.example/needed/");
    machine.trial().answers(&["y", "n"]).run(&call).ends(Exit::Blocked).says("did not agree");
    machine.run(&call).ends(Exit::Blocked).says("--answers FILE");
}
