//! What people really write into a configuration, and how soon and how plainly they learn what is wrong.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use codewhale_cli::Exit;
use serde_json::{Value, json};

use crate::world::{Machine, Ran, SECOND, discovered, error, fake};

/// Checks the servers; one of them, `good`, is always fine.
fn validate(machine: &Machine, servers: Value, exit: Exit) -> Ran {
    let mut servers = servers;
    servers["good"] = json!({"command": fake(), "args": ["plain"]});
    machine.write(&machine.config(), &json!({"servers": servers}).to_string());
    machine.run(&["mcp", "validate"]).ends(exit).prints("good").prints("16 tools")
}

fn executable(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
    std::fs::write(path, text).expect("the file");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("the mode");
}

/// A script that becomes the fake server.
fn script(machine: &Machine, name: &str) -> String {
    let path = machine.work().join(name);
    executable(&path, &format!("#!/bin/sh\nexec '{}' plain\n", fake()));
    path.to_string_lossy().into_owned()
}

#[test]
fn odd_names_are_used_and_a_name_that_is_none_is_refused_alone() {
    let machine = Machine::new();
    let (server, long) = (json!({"command": fake(), "args": ["plain"]}), "a".repeat(300));
    let odd = ["com.acme/x", "My Server", "__proto__", &long];
    let mut servers: Value = odd.iter().map(|name| ((*name).to_owned(), server.clone())).collect();
    servers[""] = server;
    let ran = validate(&machine, servers, Exit::Failed);
    ran.says("6 servers: 5 ready, 1 failed").prints("com.acme/x").prints("My Server").prints("__proto__");
    let tools = machine.json(&["mcp", "tools"]);
    let servers = tools["servers"].as_array().unwrap();
    for name in odd {
        let tools =
            servers.iter().find(|server| server["server"] == *name).unwrap()["tools"].as_array().unwrap();
        for tool in tools {
            let name = tool["name"].as_str().unwrap();
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
            assert!(name.starts_with("mcp_") && name.len() <= 64 && name.bytes().all(plain), "{name}");
        }
    }
    machine.run(&["mcp", "call", "com.acme/x", "echo", "text=hi"]).ends(Exit::Ok).prints("hi");
    assert_eq!(tools, machine.json(&["mcp", "tools"]), "the same names each time");
}

#[test]
fn a_program_with_blanks_in_its_path_is_started_as_it_is_written() {
    let machine = Machine::new();
    let program = script(&machine, "My App/bin/the server");
    executable(Path::new(&program), &format!("#!/bin/sh\nexec '{}' echo-args \"$@\"\n", fake()));
    machine.run(&["mcp", "add", "h", "--", &program, "--x", "a b", ""]).ends(Exit::Ok);
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("ready");
    let ran = machine.json(&["mcp", "call", "h", "args"]);
    assert_eq!(ran["result"]["structuredContent"]["args"], json!(["echo-args", "--x", "a b", ""]));
}

#[test]
fn a_valid_file_in_a_place_that_is_not_read_is_named_beside_the_one_that_is() {
    let machine = Machine::new();
    let text = json!({"mcpServers": {"a": {"command": "x"}}}).to_string();
    let misplaced = [
        machine.work().join("mcp.json"),
        machine.work().join(".claude/mcp.json"),
        machine.work().parent().unwrap().join(".codewhale/mcp.json"),
        machine.home().join(".mcp.json"),
    ];
    for file in &misplaced {
        machine.write(file, &text);
    }
    let named = |ran: Ran| {
        let read = ran.says(&machine.config().display().to_string());
        misplaced.iter().fold(read, |ran, file| ran.says(&format!("{} is not read", file.display())))
    };
    named(machine.run(&["mcp", "list"]).ends(Exit::Ok)).says("--config").hides("mcp add");
    // Servers from elsewhere do not hide it.
    machine.with_fakes(&[("good", &["plain"])]);
    named(machine.run(&["mcp", "list"]).ends(Exit::Ok).prints("good")).hides("warning");
    assert_eq!(machine.json(&["mcp", "list"])["unread"].as_array().unwrap().len(), misplaced.len());
    machine.run(&["mcp", "list", "--config", misplaced[0].to_str().unwrap()]).ends(Exit::Ok).prints("a ");
}

#[test]
fn a_command_in_another_hosts_dialect_fails_at_once_and_alone() {
    let machine = Machine::new();
    let servers = json!({
        "words": {"command": "npx @x/y", "connect_timeout": 3600},
        "array": {"command": ["npx", "-y", "x"]},
    });
    let ran = validate(&machine, servers, Exit::Failed);
    ran.prints("command_not_found: program \"npx @x/y\" not found")
        .prints("arguments belong into `args`")
        .prints(
            "`command` must be one string, the program (its arguments belong into `args`), found an array",
        )
        .says("3 servers: 1 ready, 2 failed");
    machine.run(&["mcp", "list"]).ends(Exit::Ok).says("is one program name, arguments belong into `args`");
}

#[test]
fn an_unknown_key_is_named_with_the_one_that_was_meant() {
    let machine = Machine::new();
    let servers = json!({"a": {"url ": "https://e.test/mcp"}, "b": {"httpUrl": "https://e.test/mcp"}});
    let ran = validate(&machine, servers, Exit::Failed);
    ran.prints("`url ` (").prints("`httpUrl` (").prints("did you mean `url`");
}

#[test]
fn a_file_as_windows_editors_write_it_is_read_and_a_lone_backslash_is_explained() {
    let machine = Machine::new();
    let program = fake().replace('\\', "\\\\");
    let text = format!(
        "\u{feff}{{\r\n  \"servers\": {{\r\n    \"a\": {{\"command\": \"{program}\", \"args\": [\"plain\"]}}\r\n  }}\r\n}}\r\n"
    );
    machine.write(&machine.config(), &text);
    machine.run(&["mcp", "validate"]).ends(Exit::Ok).prints("ready");
    machine.write(&machine.config(), "{\"servers\": {\r\n  \"a\": {\"command\": \"C:\\Users\\x\"}\r\n}}");
    let list = machine.run(&["mcp", "list"]).ends(Exit::Usage);
    list.says("mcp.json:2:23: bad escape")
        .says("2 |   \"a\": {\"command\": \"C:\\Users\\x\"}")
        .says("^")
        .says("write `\\\\`");
    let edit = machine.run(&["mcp", "disable", "a"]).ends(Exit::Usage);
    edit.says("write `\\\\`").says("nothing was written");
}

#[test]
fn a_relative_working_directory_starts_at_the_workspace_and_must_be_there() {
    let machine = Machine::new();
    let server =
        |cwd: &str| json!({"servers": {"s": {"command": fake(), "args": ["plain"], "cwd": cwd}}}).to_string();
    let below = machine.work().join("sub");
    std::fs::create_dir(&below).unwrap();
    machine.write(&machine.config(), &server("./sub"));
    let ran = machine.json(&["mcp", "call", "s", "args"]);
    let told = Path::new(ran["result"]["structuredContent"]["cwd"].as_str().unwrap()).canonicalize().unwrap();
    assert_eq!(told, below.canonicalize().unwrap());
    machine.write(&machine.config(), &server("./elsewhere"));
    let ran = machine.run(&["mcp", "connect", "s"]).ends(Exit::Failed);
    ran.says(&machine.work().join("./elsewhere").display().to_string())
        .says("does not exist")
        .says("a relative one starts at the workspace");
}

#[test]
fn a_program_is_looked_for_on_the_path_of_its_definition_else_on_ours() {
    let machine = Machine::new();
    script(&machine, "tools/srv");
    executable(&machine.work().join("tools/needs"), "#!/usr/bin/env no-such-node\n");
    let tools = machine.work().join("tools");
    let path = |path: &str| format!("{}:{path}", tools.display());
    let servers = json!({
        "own": {"command": "srv", "env": {"PATH": path("/usr/bin:/bin")}},
        "ours": {"command": "srv"},
        "script": {"command": "needs", "env": {"PATH": path("/bin")}},
    });
    let ran = validate(&machine, servers, Exit::Failed).says("4 servers: 2 ready, 2 failed");
    ran.prints("command_not_found: program \"srv\" not found on PATH\n")
        .prints("because: PATH is /usr/bin:/bin\n")
        .prints("next: install the program, or write its absolute path")
        .prints("interpreter_not_found: script ")
        .prints("tools/needs\" needs \"no-such-node\", not found on PATH\n")
        .prints(&format!("because: PATH is {}\n", path("/bin")))
        .prints("next: install the interpreter, or set PATH under `env` of the server");
}

#[test]
fn whatever_keeps_a_program_from_starting_is_told_apart_with_its_place() {
    let machine = Machine::new();
    let plain = machine.work().join("plain-file");
    machine.write(&plain, "#!/bin/sh\n");
    let garbage = machine.work().join("garbage");
    executable(&garbage, "neither a script nor a program\n");
    let folder = machine.work().join("folder");
    std::fs::create_dir(&folder).unwrap();
    let (work, absent) = (machine.work().display().to_string(), machine.work().join("absent"));
    let rows = [
        (
            "missing",
            json!({"command": "/no/such/server"}),
            "command_not_found",
            vec!["not found at \"/no/such/server\"", &work],
        ),
        ("mode", json!({"command": plain}), "not_executable", vec!["is not executable", "plain-file", &work]),
        ("folder", json!({"command": folder}), "not_executable", vec!["is a directory", "folder", &work]),
        (
            "cwd",
            json!({"command": "sh", "cwd": absent}),
            "bad_cwd",
            vec!["does not exist", "absent", "os error 2"],
        ),
        (
            "format",
            json!({"command": garbage}),
            "spawn_failed",
            vec!["cannot start", "garbage", &work, "os error 8"],
        ),
    ];
    let servers = rows.iter().map(|(name, server, ..)| ((*name).to_owned(), server.clone())).collect();
    validate(&machine, servers, Exit::Failed).says("6 servers: 1 ready, 5 failed");
    let told = machine.json(&["mcp", "validate"]);
    for (name, _, class, parts) in rows {
        let rows = told["servers"].as_array().unwrap();
        let failure = &rows.iter().find(|row| row["name"] == name).unwrap()["failure"];
        assert_eq!(failure["class"], class, "{failure}");
        let causes = failure["causes"].to_string();
        for part in parts {
            assert!(causes.contains(&part.replace('"', "\\\"")), "{name}: {part} is not in {causes}");
        }
    }
}

#[test]
fn what_a_server_does_not_offer_is_said_so_and_has_its_own_class() {
    let machine = Machine::new();
    let unknown = |nth: u64| error(nth * (SECOND - 1) + 1, -32601);
    machine.with_canned("s", &[&[discovered(json!({"tools": {}}))], &[unknown(1)], &[unknown(2)]]);
    let rows: [(&[&str], &str); 3] = [
        (&["mcp", "read", "s", "a://x"], "the server does not offer resources"),
        (&["mcp", "prompt", "s", "greet"], "the server does not offer prompts"),
        (&["mcp", "subscribe", "s", "a://x"], "the server does not offer changes"),
    ];
    for (words, said) in rows {
        let ran = machine.run(words).ends(Exit::Failed).says(said);
        ran.hides("error: the server answered");
        assert_eq!(machine.json(words)["error"]["class"], "not_offered", "{words:?}");
    }
}

#[test]
fn a_tool_that_is_not_there_may_be_there_for_who_can_be_asked() {
    let machine = Machine::new();
    machine.with_fakes(&[("s", &["plain"])]);
    let hint = "some servers show a tool only to a client that can be asked: --allow-sampling, --root DIR";
    for tool in ["zzz", "ehco"] {
        let ran = machine.run(&["mcp", "call", "s", tool]).ends(Exit::Usage);
        ran.says("`codewhale mcp tools s` shows its tools").says(hint);
        for given in [&["--allow-sampling"][..], &["--root", "."]] {
            machine.run(&[&["mcp", "call", "s", tool], given].concat()).ends(Exit::Usage).hides(hint);
        }
    }
}
