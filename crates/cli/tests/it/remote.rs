//! Servers with a URL: every command, both ways of speaking HTTP, what a definition says about headers, and logins.

use codewhale_cli::Exit;
use codewhale_testkit::HttpFake;
use serde_json::{Value, json};

use crate::world::Machine;

/// A machine whose server `s` has this definition.
pub(crate) fn machine(definition: &Value) -> Machine {
    let machine = Machine::new();
    machine.write(&machine.config(), &json!({"servers": {"s": definition}}).to_string());
    machine
}

pub(crate) fn machine_of(fake: &HttpFake) -> Machine {
    machine(&json!({"url": fake.url()}))
}

/// The value that every request of a fake had for a header.
fn header(fake: &HttpFake, name: &str) -> Option<String> {
    let requests = fake.requests();
    let values: Vec<Option<&str>> = requests.iter().map(|request| request.header(name)).collect();
    assert!(!values.is_empty() && values.iter().all(|value| *value == values[0]), "{name}: {values:?}");
    values[0].map(ToOwned::to_owned)
}

#[test]
fn every_command_works_with_a_url() {
    for era in ["modern", "legacy"] {
        let fake = HttpFake::start(&format!("everything --era {era}"));
        let machine = machine_of(&fake);
        let run = |args: &[&str]| machine.run(&[&["mcp"], args].concat());
        run(&["list"]).ends(Exit::Ok).prints("http").prints(&fake.url());
        run(&["get", "s"]).ends(Exit::Ok).prints("s  user, on, auth oauth: not asked").prints(&fake.url());
        assert_eq!(fake.requests().len(), 0, "a look at the configuration contacts nobody");
        run(&["connect", "s"]).ends(Exit::Ok).prints(&format!("({era} era: it answered server/discover"));
        run(&["validate"]).ends(Exit::Ok).prints("s  ready");
        run(&["list", "--check"]).ends(Exit::Ok).prints("s  ready");
        run(&["tools", "s"]).ends(Exit::Ok).prints("mcp_s_echo");
        run(&["tools", "s", "--cached"]).ends(Exit::Ok).prints("mcp_s_echo");
        run(&["call", "s", "echo", "text=hi"]).ends(Exit::Ok).prints("hi");
        run(&["call", "s", "fail"]).ends(Exit::ToolFailed);
        run(&["resources", "s"]).ends(Exit::Ok).prints("text://greeting");
        run(&["templates", "s"]).ends(Exit::Ok).prints("text://{name}");
        run(&["read", "s", "text://greeting"]).ends(Exit::Ok).prints("hello");
        run(&["prompts", "s"]).ends(Exit::Ok).prints("greet");
        run(&["prompt", "s", "greet", "name=Ada"]).ends(Exit::Ok).prints("Ada");
        run(&["logs", "s"]).ends(Exit::Ok).prints("ready after").prints("the connection is closed");
        assert!(!run(&["logs", "s"]).stdout.contains("the server closed"), "{era}");
    }
}

#[test]
fn a_url_stands_in_the_place_of_a_name() {
    let fake = HttpFake::start("everything");
    let url = fake.url();
    let machine = Machine::new();
    let run = |args: &[&str]| machine.run(&[&["mcp"], args].concat());
    run(&["connect", "--url", &url]).ends(Exit::Ok).prints("127.0.0.1  ready");
    run(&["validate", "--url", &url]).ends(Exit::Ok).prints("127.0.0.1  ready");
    run(&["tools", "--url", &url]).ends(Exit::Ok).prints("_echo");
    run(&["call", "--url", &url, "echo", "text=hi"]).ends(Exit::Ok).prints("hi");
    run(&["read", "--url", &url, "text://greeting"]).ends(Exit::Ok).prints("hello");
    run(&["prompt", "--url", &url, "greet", "name=Ada"]).ends(Exit::Ok).prints("Ada");
    run(&["resources", "--url", &url]).ends(Exit::Ok).prints("text://greeting");
    let ran = run(&["call", "--url", &url, "ecko"]).ends(Exit::Usage).says("did you mean `echo`");
    ran.hides("--stdio");
    run(&["call", "--url", &url, "add"]).ends(Exit::Usage).says("codewhale mcp tools --url …");
    run(&["connect", "--url", "h.test/mcp"]).ends(Exit::Usage).says("an absolute http or https URL");
    run(&["connect", "--url", &url, "--stdio", "x"]).ends(Exit::Usage);
    run(&["connect", "s", "--url", &url]).ends(Exit::Usage);
    run(&["connect", &url]).ends(Exit::Usage).says("behind --url");
    run(&["add", "s", &url]).ends(Exit::Usage).says("behind --url");
    run(&["connect", "s", "--transport", "sse"]).ends(Exit::Usage).says("--url");
}

#[test]
fn what_belongs_to_a_url_on_the_command_line_is_sent() {
    let fake = HttpFake::start("everything");
    let url = fake.url();
    let machine = Machine::new();
    let args = ["mcp", "connect", "--url", &url, "--header", "X-A=b=c", "--env-header", "X-B=VAR"];
    let args = [&args[..], &["--bearer-token-env-var", "TOKEN"]].concat();
    let trial = machine.trial().variable("VAR", "b-value").variable("TOKEN", "t0ken-value");
    let ran = trial.run(&args).ends(Exit::Ok).hides("t0ken-value").hides("b-value");
    assert!(!ran.stderr.contains("shell's history"), "{ran}");
    let sent = ["X-A", "X-B", "Authorization"].map(|name| header(&fake, name).unwrap());
    assert_eq!(sent, ["b=c", "b-value", "Bearer t0ken-value"]);
    machine.run(&args).ends(Exit::Usage).says("`VAR`").says("`TOKEN`");

    let secret = ["mcp", "connect", "--url", &url, "--header", "X-Api-Key=hunter2hunter2"];
    machine.run(&secret).ends(Exit::Ok).says("shell's history").hides("hunter2");

    let events = HttpFake::start("sse");
    let url = events.url();
    machine.run(&["mcp", "call", "--url", &url, "--transport", "sse", "echo", "text=hi"]).ends(Exit::Ok);
    assert_eq!(events.requests()[0].method, "GET");
}

#[test]
fn headers_come_before_a_bearer_token_and_that_before_a_login() {
    let authorization = |more: Value| {
        let fake = HttpFake::start("everything");
        let mut definition = json!({"url": fake.url()});
        definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let trial = machine(&definition);
        let trial = trial.trial().variable("TOKEN", "from-token").variable("OWN", "Own from-variable");
        trial.run(&["mcp", "connect", "s"]).ends(Exit::Ok).hides("from-");
        header(&fake, "Authorization")
    };
    let (headers, env_headers) =
        (json!({"authorization": "Own from-header"}), json!({"Authorization": "OWN"}));
    for (definition, expected) in [
        (json!({}), None),
        (json!({"bearer_token_env_var": "TOKEN"}), Some("Bearer from-token")),
        (json!({"headers": headers, "bearer_token_env_var": "TOKEN"}), Some("Own from-header")),
        (json!({"env_headers": env_headers, "bearer_token_env_var": "TOKEN"}), Some("Own from-variable")),
        (json!({"headers": headers, "env_headers": env_headers}), Some("Own from-variable")),
        (json!({"headers": {"Authorization": "Own ${TOKEN}"}}), Some("Own from-token")),
    ] {
        assert_eq!(authorization(definition.clone()).as_deref(), expected, "{definition}");
    }
}

#[test]
fn a_variable_that_is_not_set_stops_the_server_before_anything_is_sent() {
    let fake = HttpFake::start("everything");
    for (more, key) in [
        (json!({"bearer_token_env_var": "NOPE"}), "bearer_token_env_var"),
        (json!({"env_headers": {"X-A": "NOPE"}}), "env_headers.X-A"),
        (json!({"headers": {"X-A": "a ${NOPE}"}}), "headers.X-A"),
        (json!({"url": format!("{}?a=${{NOPE}}", fake.url())}), "url"),
    ] {
        let mut definition = json!({"url": fake.url()});
        definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let ran = machine(&definition).run(&["mcp", "connect", "s"]).ends(Exit::Usage);
        ran.says(&format!("`{key}` needs the environment variable `NOPE`, which is not set"));
    }
    assert_eq!(fake.requests().len(), 0);
    let definition = json!({"url": "http://127.0.0.1:${PORT}/mcp", "headers": {"X-A": "a ${B:-c}"}});
    let port = fake.port().to_string();
    machine(&definition).trial().variable("PORT", &port).run(&["mcp", "connect", "s"]).ends(Exit::Ok);
    assert_eq!(header(&fake, "X-A").as_deref(), Some("a c"));
}

#[test]
fn the_transport_and_the_era_are_found_out_and_told() {
    let refused = "legacy era: it answered server/discover with HTTP status 400";
    for (mode, era, transport) in [
        ("everything --era modern", "modern era: it answered server/discover", "Streamable HTTP"),
        ("probe-400-empty", refused, "Streamable HTTP"),
        ("probe-200-method", "legacy era: it answered server/discover with error -32601", "Streamable HTTP"),
        ("sse", "legacy era: the HTTP+SSE transport is of that era", "HTTP with SSE, which is deprecated"),
    ] {
        let fake = HttpFake::start(mode);
        let machine = machine_of(&fake);
        let ran = machine.run(&["mcp", "connect", "s"]).ends(Exit::Ok);
        ran.prints(era).prints(&format!("transport     {transport}\n"));
    }
    let fake = HttpFake::start("sse");
    let told = machine_of(&fake).json(&["mcp", "connect", "s"]);
    assert_eq!((&told["transport"], &told["transport_used"]), (&json!("http"), &json!("http+sse")));
}

#[test]
fn a_transport_that_is_named_is_the_only_one_that_is_tried() {
    let fake = HttpFake::start("sse");
    for named in [json!({"type": "sse"}), json!({"transport": "sse"})] {
        let mut definition = json!({"url": fake.url()});
        definition.as_object_mut().unwrap().extend(named.as_object().unwrap().clone());
        machine(&definition).run(&["mcp", "connect", "s"]).ends(Exit::Ok).prints("HTTP with SSE");
    }
    assert_eq!(fake.count("server/discover"), 0);
    for named in ["http", "streamable-http", "streamableHttp", "streamable_http"] {
        let fake = HttpFake::start("sse");
        let ran = machine(&json!({"url": fake.url(), "type": named})).run(&["mcp", "connect", "s"]);
        ran.ends(Exit::Failed).says("initialize").says("look at the URL");
        assert_eq!(fake.count("GET"), 0, "{named}");
    }
    let nowhere = HttpFake::start("status --status 404");
    let ran = machine_of(&nowhere).run(&["mcp", "connect", "s"]).ends(Exit::Failed);
    assert!(
        ran.stderr.find("POST initialize: status 404") < ran.stderr.find("GET of an event stream"),
        "{ran}"
    );
}

#[test]
fn what_was_found_out_saves_questions_the_next_time() {
    let asked = |mode: &str| {
        let fake = HttpFake::start(mode);
        let machine = machine_of(&fake);
        machine.run(&["mcp", "connect", "s"]).ends(Exit::Ok);
        let before = fake.requests().len();
        // Another folder asks the same endpoint.
        std::fs::create_dir(machine.work().join("sub")).unwrap();
        machine.run(&["mcp", "connect", "s", "--workspace", "sub"]).ends(Exit::Ok);
        // What ends the first connection may come after it was counted; it is no question.
        let later = fake.requests().split_off(before);
        let to_endpoint = later.into_iter().filter(|request| fake.url().ends_with(&request.path));
        to_endpoint.filter_map(|request| request.rpc_method()).collect::<Vec<_>>()
    };
    let legacy = asked("probe-400-empty");
    assert!(legacy.contains(&"initialize".to_owned()), "{legacy:?}");
    assert!(!legacy.contains(&"server/discover".to_owned()), "{legacy:?}");
    // Its messages go elsewhere.
    assert_eq!(asked("sse"), [""; 0]);
}

#[test]
fn a_server_that_wants_a_login_is_told_as_one() {
    let fake = HttpFake::start("401");
    let machine = machine_of(&fake);
    let required = "OAuth authentication required: run codewhale mcp login s";
    machine.run(&["mcp", "connect", "s"]).ends(Exit::LoginNeeded).says(required);
    machine.run(&["mcp", "call", "s", "echo"]).ends(Exit::LoginNeeded).says(required);
    machine.run(&["mcp", "read", "s", "text://greeting"]).ends(Exit::LoginNeeded).says(required);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::LoginNeeded).prints("s  needs_login");
    ran.prints("next: run `codewhale mcp login s`; if it takes a token that was made for you instead")
        .prints("`bearer_token_env_var` in its definition (--bearer-token-env-var of `mcp add`)")
        .says("1 server: 1 without login");
    let told = machine.json(&["mcp", "validate"]);
    let row = &told["servers"][0];
    assert_eq!((&row["status"], &row["failure"]["class"]), (&json!("needs_login"), &json!("needs_login")));
    assert_eq!(told["summary"]["needs_login"], 1);
    let told = machine.json(&["mcp", "connect", "s"]);
    assert_eq!(told["error"]["class"], "needs_login");
    let hint = told["error"]["hint"].as_str().unwrap();
    assert!(hint.starts_with("run `codewhale mcp login s`; if it takes a token"), "{hint}");
    let url = fake.url();
    let ran = machine.run(&["mcp", "connect", "--url", &url]).ends(Exit::LoginNeeded);
    ran.says("OAuth authentication required: run codewhale mcp login --url …")
        .says("instead, --bearer-token-env-var names the variable that holds it");
    let events = HttpFake::start("sse+401");
    for definition in [json!({"url": events.url()}), json!({"url": events.url(), "type": "sse"})] {
        self::machine(&definition).run(&["mcp", "connect", "s"]).ends(Exit::LoginNeeded).says(required);
    }
}

#[test]
fn a_token_of_the_definition_that_is_refused_is_no_missing_login() {
    let fake = HttpFake::start("401 --token right-token");
    let machine = machine(&json!({"url": fake.url(), "bearer_token_env_var": "TOKEN"}));
    let connect = |token: &str| {
        machine.trial().variable("TOKEN", token).run(&["mcp", "connect", "s"]).hides("-token\n").hides(token)
    };
    connect("right-token").ends(Exit::Ok);
    let ran = connect("wrong-token").ends(Exit::LoginNeeded);
    ran.says("does not accept the credentials of its definition").hides("mcp login");
    let ran = machine.trial().variable("TOKEN", "wrong-token").run(&["mcp", "validate"]);
    ran.ends(Exit::LoginNeeded).prints("credentials_refused");
}

#[test]
fn tools_that_ask_wrongly_for_headers_are_left_out_and_named() {
    let fake = HttpFake::start("param-headers --era modern");
    let machine = machine_of(&fake);
    let ran = machine.run(&["mcp", "validate"]).ends(Exit::Ok);
    ran.prints("warning: tool `bad_space` is left out: `x-mcp-header` at `/properties/a` is `My Region`");
    let tools = machine.run(&["mcp", "tools", "s"]).ends(Exit::Ok).prints("mcp_s_flat");
    assert!(!tools.stdout.contains("bad_empty"), "{tools}");
    machine.run(&["mcp", "call", "s", "flat", "region=Hello, 世界", "count=42"]).ends(Exit::Ok);
    let calls = fake.requests_of("tools/call");
    let call = calls.last().unwrap();
    assert_eq!(call.header("Mcp-Param-Region"), Some("=?base64?SGVsbG8sIOS4lueVjA==?="));
    assert_eq!(call.header("Mcp-Param-Count"), Some("42"));
    machine.run(&["mcp", "call", "s", "bad_empty", "a=x"]).ends(Exit::Usage).says("has no tool");
    let ran = machine.run(&["mcp", "call", "s", "flat", "count:=9007199254740993"]).ends(Exit::Usage);
    ran.says("/count");
}

#[test]
fn consent_to_a_remote_server_shows_where_it_is_and_what_it_is_sent() {
    let fake = HttpFake::start("everything");
    let machine = Machine::new();
    let servers = json!({"servers": {"s": {
        "url": format!("{}?k=${{KEY}}", fake.url()), "bearer_token_env_var": "TOKEN", "allow_private_network": true,
        "headers": {"X-A": "a ${SECRET}"}, "env_headers": {"X-B": "AWS_SECRET_ACCESS_KEY"},
    }}});
    machine.write(&machine.project(), &servers.to_string());
    machine.run(&["mcp", "validate"]).ends(Exit::Blocked).prints("untrusted");
    assert_eq!(fake.requests().len(), 0, "nothing of an untrusted project is contacted");
    let ran = machine.trial().answers(&["y"]).run(&["trust"]).ends(Exit::Ok);
    let ran = ran.says(&fake.url()).says("the value of AWS_SECRET_ACCESS_KEY (env_headers.X-B)");
    let ran = ran.says("the value of TOKEN (bearer_token_env_var)").says("the value of SECRET (headers.X-A)");
    ran.says("the value of KEY (url)").says("private addresses");
    let mut trial = machine.trial();
    for name in ["KEY", "TOKEN", "SECRET", "AWS_SECRET_ACCESS_KEY"] {
        trial = trial.variable(name, "a-value-of-it");
    }
    trial.run(&["mcp", "connect", "s"]).ends(Exit::Ok).hides("a-value-of-it");
    assert_eq!(header(&fake, "X-B").as_deref(), Some("a-value-of-it"));
}
