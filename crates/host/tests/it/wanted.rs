//! What a caller says that is not what it has to be: each is refused with the name of what is wrong.

use codewhale_testkit::ModelFake;
use serde_json::json;

use crate::world::{Behaviour, Plan, Trial};

#[tokio::test]
async fn a_request_with_something_that_it_is_not_is_refused_by_its_name() {
    let model = ModelFake::start("[]");
    let trial = Trial::start(Plan {
        servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
        behaves: |_| Some(Behaviour::Fast),
        ..Plan::asking(&model)
    });
    let rows = [
        (json!({"subtype": "set_model", "model": 5}), "`set_model` has a `model` that is not a text or null"),
        (
            json!({"subtype": "initialize", "sdkMcpServers": "x"}),
            "`initialize` has a `sdkMcpServers` that is not an array of texts",
        ),
        (
            json!({"subtype": "initialize", "sdkMcpServers": [1]}),
            "`initialize` has a `sdkMcpServers` that is not an array of texts",
        ),
        (
            json!({"subtype": "initialize", "systemPrompt": {}}),
            "`initialize` has a `systemPrompt` that is not a text",
        ),
        (
            json!({"subtype": "set_permission_mode", "mode": []}),
            "`set_permission_mode` has a `mode` that is not a text",
        ),
        (
            json!({"subtype": "mcp_toggle", "serverName": "s", "enabled": "yes"}),
            "`mcp_toggle` has a `enabled` that is not true or false",
        ),
        (
            json!({"subtype": "mcp_toggle", "serverName": 1, "enabled": true}),
            "`mcp_toggle` has a `serverName` that is not a text",
        ),
        (
            json!({"subtype": "mcp_reconnect", "server_name": {}}),
            "`mcp_reconnect` has a `server_name` that is not a text",
        ),
        (
            json!({"subtype": "mcp_message", "server_name": "s", "message": "hi"}),
            "`mcp_message` has a `message` that is no object",
        ),
        (json!({"subtype": 7}), "`control_request` has a `subtype` that is not a text"),
        (json!({}), "`control_request` lacks `subtype`"),
        (json!([]), "`control_request` has a `request` that is no object"),
    ];
    for (request, wanted) in rows {
        let refused = trial.want(request.clone()).await;
        assert_eq!((&refused["subtype"], &refused["error"]), (&json!("error"), &json!(wanted)), "{request}");
    }
    for (request, response) in [
        (json!({"subtype": "set_model", "model": "m"}), json!({"model": "m"})),
        (json!({"subtype": "set_model", "model": null}), json!({"model": "scripted"})),
        (json!({"subtype": "mcp_toggle", "server_name": "s", "enabled": true}), json!({})),
    ] {
        assert_eq!(trial.want(request.clone()).await["response"], response, "{request}");
    }
    let parts = json!({"subtype": "initialize", "systemPrompt": ["be", "brief"], "sdkMcpServers": null});
    assert_eq!(trial.want(parts).await["subtype"], "success");
    trial.prompt("hi").await;
    trial.results(1).await;
    let system = model.asked()[0]["messages"][0]["content"].as_str().unwrap().to_owned();
    assert!(system.starts_with("be\n\nbrief\n"), "{system}");
    trial.end().await;
}

#[tokio::test]
async fn a_prompt_that_says_nothing_is_left_out() {
    let trial = Trial::start(Plan::default());
    let rows = [
        (json!([]), "its `content` is empty"),
        (json!([{"type": "text"}]), "a block of type `text` has no `text`"),
        (json!([{"type": "text", "text": 5}]), "neither a text nor an array of blocks"),
    ];
    for (content, _) in &rows {
        trial.say(json!({"type": "user", "message": {"role": "user", "content": content}})).await;
    }
    let messages = trial.end().await;
    let errors: Vec<&str> = messages.iter().map(|message| message["error"].as_str().unwrap()).collect();
    assert_eq!(errors.len(), rows.len());
    for ((_, wanted), error) in rows.iter().zip(errors) {
        assert!(error.contains(wanted), "{error}");
    }
}

#[tokio::test]
async fn an_answer_to_a_question_that_is_not_what_it_has_to_be_is_no_permission() {
    let calls = json!([{"calls": [{"name": "mcp_s_echo", "arguments": {"n": 1}}]}, {"text": "done"}]);
    let rows = [
        (json!({"behavior": "allow", "updatedInput": [1]}), "it has an `updatedInput` that is no object"),
        (json!({"behavior": 5}), "it has a `behavior` that is not a text"),
        (json!({"behavior": "maybe"}), "it has a `behavior` that is neither allow nor deny"),
        (json!({"allowed": "yes"}), "it has a `allowed` that is not true or false"),
        (
            json!({"allowed": true, "updatedPermissions": {}}),
            "it has a `updatedPermissions` that is not an array of updates",
        ),
        (json!(["allow"]), "it is no object"),
    ];
    for (answer, wanted) in rows {
        let model = ModelFake::start(&calls.to_string());
        let trial = Trial::start(Plan {
            flags: "--permission-prompt-tool stdio",
            servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
            behaves: |_| Some(Behaviour::Fast),
            ..Plan::asking(&model)
        });
        trial.prompt("hi").await;
        let asked = trial.said.until(|message| message["request"]["subtype"] == "can_use_tool").await;
        let response = json!({"subtype": "success", "request_id": asked["request_id"], "response": answer});
        trial.say(json!({"type": "control_response", "response": response})).await;
        let messages = trial.end().await;
        let result = messages.iter().find(|message| message["type"] == "user").unwrap();
        let block = &result["message"]["content"][0];
        let told = block["content"][0]["text"].as_str().unwrap();
        assert!(block["is_error"] == true && told.ends_with(wanted), "{answer}: {told}");
        assert_eq!(messages.last().unwrap()["permission_denials"][0]["tool_name"], "mcp_s_echo");
    }
}
