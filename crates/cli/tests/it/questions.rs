//! What a server asks while it works: forms, addresses, a model, folders.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, Ran};

pub(crate) const ERAS: [&str; 2] = ["legacy", "modern"];

pub(crate) fn machine(era: &str) -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["everything", "--era", era]), ("t", &["hostile-text", "--era", era])]);
    machine
}

/// What the server was answered, by its own account; the fake also says when it breaks the form.
fn answered(ran: &Ran, method: &str) -> Value {
    let line = ran.stdout.lines().find(|line| line.contains(method)).unwrap_or_else(|| panic!("{ran}"));
    let (_, result) = line.split_once(&format!("{method} ")).expect("the method is there");
    serde_json::from_str(result).unwrap_or_else(|error| panic!("{error}: {ran}"))
}

pub(crate) fn form(ran: &Ran) -> Value {
    answered(ran, "elicitation/create")
}

/// One line for each field of the fake's form, in its order.
const LINES: [&str; 16] = ["Ada", "", "", "", "", "36", "", "", "dog", "", "", "0.5", "", "2", "a, c", ""];

#[test]
fn a_form_is_asked_field_by_field_with_its_defaults_and_sent_after_a_look_at_it() {
    for era in ERAS {
        let machine = machine(era);
        let answers = [&LINES[..], &["s"]].concat();
        let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
        let content = json!({
            "name": "Ada", "age": 36, "agree": true, "pet": "d", "city": "Paris", "count": 3, "share": 0.5,
            "size": "M", "colour": "#0f0", "tags": ["a", "c"], "moods": ["h"],
        });
        assert_eq!(form(&ran), json!({"action": "accept", "content": content}), "{ran}");
        ran.says("s asks:")
            .says("Please fill in all of this")
            .says("1/16 Name: text, 2 to 10 characters")
            .says("your own")
            .says("  Agreed [yes]:")
            .says("2) Dog (d)")
            .says("  size [M]:")
            .says("your answer:")
            .says("  3) site: left out")
            .says("  15) tags: a, c")
            .says("send it?");
    }
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_the_reason_and_asked_again() {
    let machine = machine("legacy");
    let mut answers = vec!["", "A", "far too long a name", "Ada", "no mail", "ada@example.org"];
    answers.extend(["", "", "", "old", "36.5", "200", "36", "", "maybe", "n", "9"]);
    answers.extend(["cat", "", "", "", "", "1", "", "a, b, c", "a, x", "a", "", "s"]);
    let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
    let content = &form(&ran)["content"];
    assert_eq!(
        (&content["age"], &content["agree"], &content["pet"]),
        (&json!(36), &json!(false), &json!("c"))
    );
    assert_eq!((&content["email"], &content["tags"]), (&json!("ada@example.org"), &json!(["a"])));
    ran.says("it has to be filled in")
        .says("2 to 10 characters, not 1")
        .says("2 to 10 characters, not 19")
        .says("the format email")
        .says("a number")
        .says("a whole number")
        .says("out of range")
        .says("yes or no")
        .says("`9` is none of the choices")
        .says("1 to 2 choices, not 3")
        .says("`x` is none of the choices");
}

#[test]
fn a_field_can_be_changed_before_it_is_sent() {
    for era in ERAS {
        let machine = machine(era);
        let mut answers = LINES.to_vec();
        answers[1] = "ada@example.org";
        answers.extend(["99", "1", "Bob", "2", ":skip", "s"]);
        let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
        let ran = ran.says("a number from 1 to 16").says("  Name [Ada]:").says("  email [ada@example.org]:");
        assert_eq!(form(&ran)["content"]["name"], "Bob");
        assert_eq!(form(&ran)["content"]["email"], Value::Null);
    }
}

#[test]
fn a_field_that_has_to_be_filled_in_cannot_be_left_out() {
    let machine = machine("legacy");
    let answers = [&[":skip"], &LINES[..], &["y"]].concat();
    let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
    assert_eq!(form(&ran)["content"]["name"], "Ada");
    ran.says("it has to be filled in").says(":skip leaves a field out");
}

#[test]
fn the_last_question_takes_the_usual_words_and_shows_the_answer_again_only_after_a_change() {
    for (word, action) in
        [("y", "accept"), ("YES", "accept"), ("", "accept"), ("n", "decline"), ("no", "decline")]
    {
        let machine = machine("legacy");
        let answers = [&LINES[..], &["what", "1", "Bob", word]].concat();
        let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
        assert_eq!(form(&ran)["action"], action, "{word}");
        assert_eq!(ran.stderr.matches("your answer:").count(), 2, "{ran}");
    }
}

#[test]
fn a_form_can_be_declined_and_left_at_every_field_and_at_the_end() {
    for era in ERAS {
        let machine = machine(era);
        let rows: [(Vec<&str>, &str); 7] = [
            (vec![":decline"], "decline"),
            (vec![":cancel"], "cancel"),
            (vec!["Ada", ":decline"], "decline"),
            (vec!["Ada"], "cancel"),
            (vec![], "cancel"),
            ([&LINES[..], &["d"]].concat(), "decline"),
            ([&LINES[..], &["c"]].concat(), "cancel"),
        ];
        for (answers, action) in rows {
            let ran = machine.trial().answers(&answers).run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Ok);
            assert_eq!(form(&ran), json!({"action": action}), "{answers:?}");
        }
    }
}

#[test]
fn a_form_is_answered_from_a_file_or_declined_where_nobody_can_be_asked() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "ask_form"];
        let ran = machine.run(&call).ends(Exit::Ok);
        assert_eq!(form(&ran), json!({"action": "decline"}));
        ran.says("name (text, 2 to 10 characters): Name")
            .says("nobody can be asked")
            .says("--answers FILE, which holds {\"name\": …, \"age\": …, \"tags\": …}");
        let write = |text: &str| machine.write(&machine.work().join("answers.json"), text);
        let call = [&call[..], &["--answers", "answers.json"]].concat();
        let rows = [
            (r#"{"name": "Ada", "age": 36, "tags": ["a"], "of another": 1}"#, "accept"),
            (r#"[{"name": "Ada", "age": 36, "tags": ["a"]}]"#, "accept"),
            (r#"["decline"]"#, "decline"),
            (r#"["cancel"]"#, "cancel"),
            (r#"[]"#, "decline"),
        ];
        for (text, action) in rows {
            write(text);
            let answer = form(&machine.run(&call).ends(Exit::Ok));
            assert_eq!(answer["action"], action, "{text}");
            if action == "accept" {
                assert_eq!(answer["content"]["city"], "Paris", "a default fills what is not named");
            }
        }
        let rows = [
            (r#"{"name": "Ada", "age": "old", "tags": ["a"]}"#, "`age`: it has to be a whole number"),
            (r#"["accept"]"#, "\"name\" has to be filled in"),
            (r#"["a text"]"#, "the answer is a text"),
            (r#"[{"name": "Ada", "age": 36, "tags": ["a"], "more": 1}]"#, "no field \"more\""),
        ];
        for (text, said) in rows {
            write(text);
            let ran =
                machine.run(&call).ends(Exit::Usage).says("error: the answers file does not fit").says(said);
            assert_eq!(form(&ran)["action"], "decline", "{text}");
            let told = machine.json(&call)["warnings"][0].as_str().unwrap().to_owned();
            assert!(
                told.starts_with("declined: \"Please fill in all of this") && told.contains(said),
                "{told}"
            );
        }
        write("{");
        machine.run(&call).ends(Exit::Usage).says("is not JSON");
    }
}

#[test]
fn prompts_and_resources_ask_too() {
    for era in ERAS {
        let machine = machine(era);
        machine.write(&machine.work().join("a.json"), r#"{"name": "Ada"}"#);
        for command in [["prompt", "s", "interview"], ["read", "s", "asked://vault"]] {
            let line = [&["mcp"][..], &command, &["--answers", "a.json"]].concat();
            assert_eq!(form(&machine.run(&line).ends(Exit::Ok))["content"], json!({"name": "Ada"}));
            let line = [&["mcp"][..], &command].concat();
            let ran = machine.trial().answers(&["Bob", "s"]).run(&line).ends(Exit::Ok);
            assert_eq!(form(&ran)["content"], json!({"name": "Bob"}));
        }
    }
}

#[test]
fn a_model_is_asked_only_where_that_is_allowed_and_a_person_answers_for_it() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "ask_sampling"];
        let ran = machine.trial().answers(&["x", "."]).run(&call);
        assert!(matches!(ran.exit, Exit::Failed | Exit::ToolFailed), "{ran}");
        ran.hides("sampling/createMessage {");
        let call = [&call[..], &["--allow-sampling"]].concat();
        let ran = machine.trial().answers(&["Paris,", "I think", "."]).run(&call).ends(Exit::Ok);
        let answer = answered(&ran, "sampling/createMessage");
        assert_eq!(answer["content"]["text"], "Paris,\nI think");
        assert_eq!((&answer["role"], &answer["stopReason"]), (&json!("assistant"), &json!("endTurn")));
        let ran = ran.says("s asks a model:").says("Be brief.").says("What is the capital of France?");
        ran.says("at most 100 tokens");
        machine.write(&machine.work().join("a.json"), r#"["Oslo"]"#);
        let ran = machine.run(&[&call[..], &["--answers", "a.json"]].concat()).ends(Exit::Ok);
        assert_eq!(answered(&ran, "sampling/createMessage")["content"]["text"], "Oslo");
    }
}

#[test]
fn a_refused_model_is_a_legacy_error_and_the_end_of_a_modern_call() {
    let call = ["mcp", "call", "s", "ask_sampling", "--allow-sampling"];
    for answers in [Some(&[":refuse"][..]), Some(&["half an answer"]), None] {
        let legacy = machine("legacy");
        let run = |machine: &Machine| match answers {
            Some(answers) => machine.trial().answers(answers).run(&call),
            None => machine.run(&call),
        };
        run(&legacy).ends(Exit::Ok).prints("\"code\":-1");
        run(&machine("modern")).ends(Exit::Blocked).says("needs an answer before it can answer tools/call");
    }
    // Longer than the server allows.
    let machine = machine("legacy");
    machine.write(&machine.work().join("a.json"), &json!(["x".repeat(401)]).to_string());
    let ran = machine.run(&[&call[..], &["--answers", "a.json"]].concat()).ends(Exit::Usage);
    ran.says("about 101 tokens, and may have 100").prints("\"code\":-1");
    let modern = self::machine("modern");
    modern.write(&modern.work().join("a.json"), &json!(["x".repeat(401)]).to_string());
    let told = modern.json(&[&call[..], &["--answers", "a.json"]].concat());
    assert_eq!(told["error"]["class"], "usage", "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("about 101 tokens"), "{told}");
    assert!(told["error"]["causes"][0].as_str().unwrap().contains("needs an answer"), "{told}");
    let long = "x".repeat(401);
    let ran = machine.trial().answers(&[&long, ".", "short", "."]).run(&call).ends(Exit::Ok);
    assert_eq!(answered(&ran, "sampling/createMessage")["content"]["text"], "short");
}

#[test]
fn only_named_folders_are_told_of() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "ask_roots"];
        let ran = machine.run(&call);
        assert!(matches!(ran.exit, Exit::Failed | Exit::ToolFailed), "{ran}");
        std::fs::create_dir(machine.work().join("my docs")).unwrap();
        let ran = machine.run(&[&call[..], &["--root", "my docs", "--root", "."]].concat()).ends(Exit::Ok);
        let roots = answered(&ran, "roots/list");
        let uri = roots["roots"][0]["uri"].as_str().unwrap();
        assert!(uri.starts_with("file:///") && uri.ends_with("/work/my%20docs"), "{uri}");
        assert_eq!(
            (&roots["roots"][0]["name"], &roots["roots"][1]["name"]),
            (&json!("my docs"), &json!("work"))
        );
        machine.run(&[&call[..], &["--root", "nowhere"]].concat()).ends(Exit::Usage).says("nowhere");
    }
}

#[test]
fn a_server_that_needs_more_than_was_allowed_says_which_flag_gives_it() {
    let machine = machine("modern");
    machine.run(&["mcp", "call", "s", "ask_sampling"]).ends(Exit::Failed).says("it needs --allow-sampling");
    machine.run(&["mcp", "call", "s", "ask_roots"]).ends(Exit::Failed).says("it needs --root DIR");
    let tools = ["mcp", "call", "s", "ask_sampling_tools", "--allow-sampling"];
    machine.run(&tools).ends(Exit::Failed).says("a model that uses tools");
}

#[test]
fn several_questions_at_once_are_asked_one_after_the_other() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "ask_all", "--allow-sampling", "--root", "."];
        machine.write(&machine.work().join("a.json"), r#"[{"name": "Ada"}, "Paris"]"#);
        let ran = machine.run(&[&call[..], &["--answers", "a.json"]].concat()).ends(Exit::Ok);
        assert_eq!(form(&ran)["content"]["name"], "Ada", "{ran}");
        assert_eq!(answered(&ran, "sampling/createMessage")["content"]["text"], "Paris");
        assert!(answered(&ran, "roots/list")["roots"][0]["uri"].is_string());
    }
}

#[test]
fn a_question_in_an_unknown_way_is_not_answered() {
    machine("legacy").run(&["mcp", "call", "s", "ask_strange"]).ends(Exit::Ok).prints("-32602");
    machine("modern").run(&["mcp", "call", "s", "ask_strange"]).ends(Exit::Failed).says("did not declare");
}

#[test]
fn a_question_that_is_taken_back_holds_nothing_up() {
    let machine = machine("legacy");
    machine.run(&["mcp", "call", "s", "ask_withdrawn"]).ends(Exit::Ok).prints("withdrawn");
}

#[test]
fn a_server_that_asks_without_end_is_given_up() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["everything", "--era", "modern", "--endless"])]);
    let ran = machine.run(&["mcp", "call", "s", "ask_form"]).ends(Exit::Failed);
    ran.says("cannot be used");
}

#[test]
fn log_messages_come_from_the_level_that_is_asked_for() {
    for era in ERAS {
        let machine = machine(era);
        let call = ["mcp", "call", "s", "log_levels", "--log-level"];
        let ran = machine.run(&[&call[..], &["error"]].concat()).ends(Exit::Ok).prints("4 messages");
        let ran = ran.says("[error fake.levels] true").says("[alert fake.levels] several\\nlines");
        assert!(!ran.stderr.contains("[warning"), "{ran}");
        machine.run(&[&call[..], &["debug"]].concat()).ends(Exit::Ok).says("[debug").says("[emergency");
        machine.run(&[&call[..], &["loud"]].concat()).ends(Exit::Usage);
    }
}

#[test]
fn nothing_that_a_server_asks_changes_the_terminal() {
    for era in ERAS {
        let machine = machine(era);
        for tool in ["hostile_ask", "hostile_url", "hostile_sampling"] {
            let call = ["mcp", "call", "t", tool, "--allow-sampling"];
            let person = machine.trial().answers(&["", "", "d"]).run(&call);
            for ran in [machine.run(&call), person] {
                let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
                let ran = ran.says("t ").says("\\u{1b}[2J").hides("\u{202e}");
                assert!(!ran.stdout.contains(odd) && !ran.stderr.contains(odd), "{ran}");
            }
        }
        let ran = machine.trial().answers(&["y"]).run(&["mcp", "call", "t", "hostile_url"]).ends(Exit::Ok);
        ran.says("control characters").prints("decline");
    }
}

#[test]
fn a_quiet_run_shows_questions_to_people_alone() {
    let machine = machine("legacy");
    let call = ["mcp", "call", "s", "ask_form", "-q"];
    assert_eq!(machine.run(&call).ends(Exit::Ok).stderr, "");
    machine.trial().answers(&[":decline"]).run(&call).ends(Exit::Ok).says("s asks:");
}
