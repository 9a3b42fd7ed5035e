//! `read`, `prompt`, `complete`: what one server answers.

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, Ran};

const ERAS: [&str; 2] = ["legacy", "modern"];

fn machine(era: &str) -> Machine {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["everything", "--era", era])]);
    machine
}

fn value(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"))
}

#[test]
fn a_text_alone_is_printed_as_it_is() {
    for era in ERAS {
        let machine = machine(era);
        let ran = machine.run(&["mcp", "read", "s", "text://greeting"]).ends(Exit::Ok);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("hello\n", ""), "{ran}");
    }
}

#[test]
fn every_part_is_told_of_in_order_and_bytes_become_files() {
    for era in ERAS {
        let machine = machine(era);
        let ran = machine.run(&["mcp", "read", "s", "multi://pair", "--save", "out"]).ends(Exit::Ok);
        let at = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text:?} is missing: {ran}"));
        assert!(
            at("multi://pair/text (text/plain)\nthe first\n") < at("(image/png), 70 B, saved to"),
            "{ran}"
        );
        let file = machine.work().join("out/pair-1.png");
        assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"), "{ran}");
        let ran = machine.run(&["mcp", "read", "s", "blob://dot"]).ends(Exit::Ok).hides("iVBOR");
        ran.prints("image/png").prints(&machine.temp().display().to_string());
        let json = value(&machine.run(&["mcp", "read", "s", "blob://dot", "--json"]).ends(Exit::Ok));
        assert!(json["result"]["contents"][0]["blob"].as_str().is_some_and(|blob| blob.starts_with("iVBOR")));
        assert_eq!(json["saved"], json!([]));
    }
}

#[test]
fn a_resource_that_is_not_there_fails_and_the_list_is_named() {
    for (era, code) in [("legacy", "-32002"), ("modern", "-32602")] {
        let machine = machine(era);
        let ran = machine.run(&["mcp", "read", "s", "nope://x"]).ends(Exit::Failed);
        ran.says(code).says("codewhale mcp resources s");
        machine.run(&["mcp", "read", "s"]).ends(Exit::Usage).says("name one resource");
        machine.run(&["mcp", "read"]).ends(Exit::Usage);
    }
}

#[test]
fn what_takes_too_long_is_given_up_and_the_server_is_told() {
    for (command, method) in [("read", "resources/read"), ("prompt", "prompts/get")] {
        let machine = Machine::new();
        let record = machine.work().join("record");
        machine
            .with_fakes(&[("s", &["slow", "--delay", "400", "--record", record.to_str().expect("plain")])]);
        let what = if command == "read" { "text://greeting" } else { "greet" };
        let ran = machine.run(&["mcp", command, "s", what, "--timeout", "0.1"]).ends(Exit::TimedOut);
        ran.says(&format!("did not answer {method} within 0.1 s"));
        assert!(std::fs::read_to_string(&record).unwrap().contains("notifications/cancelled"), "{command}");
    }
}

#[test]
fn a_long_prompt_is_cut_on_a_terminal_and_whole_elsewhere() {
    for era in ERAS {
        let machine = machine(era);
        let long = format!("name={}", "é".repeat(40_000));
        let call = ["mcp", "prompt", "s", "greet", &long];
        let whole = machine.run(&call).ends(Exit::Ok);
        assert!(whole.stdout.len() > 80_000, "{}", whole.stdout.len());
        let cut = machine.trial().terminal().run(&call).ends(Exit::Ok).says("--full shows everything");
        assert!(cut.stdout.len() < 40_000, "{}", cut.stdout.len());
        let full = machine.trial().terminal().run(&[&call[..], &["--full", "--color", "never"]].concat());
        assert_eq!(full.ends(Exit::Ok).stdout, whole.stdout);
    }
}

#[test]
fn a_prompt_is_shown_message_by_message_with_whose_words_they_are() {
    for era in ERAS {
        let machine = machine(era);
        let ran = machine.run(&["mcp", "prompt", "s", "review", "text=a=b", "--save", "out"]).ends(Exit::Ok);
        let parts = [
            "user:\nReview in a formal way: a=b\n",
            "assistant:\nShow me the picture.\n",
            "user:\nimage: image/png, 70 B, saved to ",
            "user:\nresource: text://greeting (text/plain)\nhello\n",
            "application/pdf",
            "audio: audio/wav",
            "resource link: greeting text://greeting",
        ];
        let mut from = 0;
        for part in parts {
            let at = ran.stdout[from..].find(part).unwrap_or_else(|| panic!("{part:?} is missing: {ran}"));
            from += at + part.len();
        }
        assert!(machine.work().join("out/review-1.png").is_file());
        let json = value(&machine.run(&["mcp", "prompt", "s", "greet", "name=Ada", "--json"]).ends(Exit::Ok));
        assert_eq!(json["result"]["messages"][0]["role"], "user");
        assert_eq!(json["prompt"], "greet");
    }
}

#[test]
fn arguments_of_a_prompt_are_checked_before_anything_is_sent() {
    let machine = Machine::new();
    let record = machine.work().join("record");
    machine.with_fakes(&[("s", &["everything", "--record", record.to_str().expect("plain")])]);
    let rows: [(&[&str], &str); 5] = [
        (&["review"], "`text` is missing"),
        (&["review", "txet=x", "text=x"], "no `txet`, did you mean `text`"),
        (&["reviw", "text=x"], "did you mean `review`"),
        (&["review", "text"], "key=value"),
        (&["review", "text=a", "text=b"], "twice"),
    ];
    for (words, said) in rows {
        let ran = machine.run(&[&["mcp", "prompt", "s"], words].concat()).ends(Exit::Usage).says(said);
        drop(ran);
    }
    assert!(!std::fs::read_to_string(&record).unwrap().contains("prompts/get"));
    machine.run(&["mcp", "prompt", "s"]).ends(Exit::Usage).says("name the prompt");
}

#[test]
fn a_prompt_is_got_unchecked_where_the_list_cannot_be_read() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["page-error"])]);
    let ran = machine.run(&["mcp", "prompt", "s", "greet", "name=Ada"]);
    ran.ends(Exit::Ok).says("were not checked").prints("Ada");
}

#[test]
fn values_are_proposed_for_arguments_of_prompts_and_templates() {
    for era in ERAS {
        let machine = machine(era);
        let styles = ["mcp", "complete", "s", "--prompt", "review", "style", "f"];
        let ran = machine.run(&styles).ends(Exit::Ok);
        assert_eq!(ran.stdout, "formal\nfriendly\nfunny\n", "{ran}");
        let folders = ["mcp", "complete", "s", "--resource", "note://{folder}/{file}", "folder"];
        machine.run(&folders).ends(Exit::Ok).prints("home\n").prints("work\n");
        let files = ["mcp", "complete", "s", "--resource", "note://{folder}/{file}", "file"];
        let with = machine.run(&[&files[..], &["--with", "folder=home"]].concat()).ends(Exit::Ok);
        let without = machine.run(&files).ends(Exit::Ok);
        assert!(!with.stdout.is_empty() && with.stdout != without.stdout, "{with} {without}");
        let lines = ["mcp", "complete", "s", "--prompt", "review", "line"];
        let ran = machine.run(&lines).ends(Exit::Ok).says("in all");
        assert_eq!(ran.stdout.lines().count(), 100);
        let json = value(&machine.run(&[&lines[..], &["--json"]].concat()).ends(Exit::Ok));
        assert_eq!((&json["has_more"], json["values"].as_array().unwrap().len()), (&json!(true), 100));
        let none = ["mcp", "complete", "s", "--prompt", "review", "style", "zzz"];
        machine.run(&none).ends(Exit::Ok).says("proposes nothing");
    }
}

#[test]
fn completion_says_what_is_missing() {
    let machine = machine("legacy");
    for (words, said) in [
        (&["s", "--prompt", "p"][..], "name the argument"),
        (&["s", "a"], "--prompt"),
        (&["s", "a", "--prompt", "p", "--resource", "t"], "cannot be used with"),
        (&["s", "a", "--prompt", "p", "--with", "x"], "key=value"),
    ] {
        machine.run(&[&["mcp", "complete"], words].concat()).ends(Exit::Usage).says(said);
    }
    machine.with_fakes(&[("s", &["plain"])]);
    let ran = machine.run(&["mcp", "complete", "s", "--prompt", "greet", "name"]).ends(Exit::Failed);
    ran.says("does not offer completions").says("mcp connect s");
}

#[test]
fn a_server_without_configuration_can_be_read_and_asked() {
    let machine = Machine::new();
    let line = format!("'{}' everything", crate::world::fake());
    machine.run(&["mcp", "read", "--stdio", &line, "text://greeting"]).ends(Exit::Ok).prints("hello");
    machine.run(&["mcp", "prompt", "--stdio", &line, "greet", "name=Ada"]).ends(Exit::Ok).prints("Ada");
    let complete = ["mcp", "complete", "--stdio", &line, "--prompt", "review", "style", "te"];
    machine.run(&complete).ends(Exit::Ok).prints("terse");
    machine
        .run(&["mcp", "resources", "--stdio", &line])
        .ends(Exit::Ok)
        .prints("codewhale-fake  text://greeting");
}
