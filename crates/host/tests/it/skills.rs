//! Skills of servers, as the model comes to know and to use them.

use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Behaviour, Plan, Trial};

const URI: &str = "skill://review/SKILL.md";
const TEXT: &str = "---\nname: review\ndescription: Review a change\n---\nRead ./check.md first.\n";
/// SHA-256 of `TEXT`, and of the text of `check.md` before somebody changed it.
const DIGESTS: [&str; 2] = [
    "sha256:dbd71791a296d60421109d4d54697791eddd5c5aa64e4953e69c67d64c3783f2",
    "sha256:90baef7ae03639bef8815fb70ee15f428481dfc56d27bce0ed3d1cf7f7f5ea4a",
];

/// What the server in memory answers.
pub(crate) fn answer(method: &str, uri: Option<&str>) -> Value {
    let file = |name: &str, digest: usize, size: usize| json!({"uri": format!("skill://review/{name}"), "digest": DIGESTS[digest], "size": size});
    let skill = json!({
        "uri": URI,
        "frontmatter": {"name": "review", "description": "Review a change"},
        "resources": [
            file("SKILL.md", 0, TEXT.len()), file("check.md", 1, 10), file("changed.md", 1, 10),
        ],
    });
    match (method, uri) {
        ("skills/list", _) => {
            json!({"skills": [skill, {"uri": "x", "frontmatter": {"name": "x", "description": "y"},
            "resources": "dynamic"}]})
        }
        ("skills/get", _) => json!({"skill": skill}),
        (_, Some(URI)) => json!({"contents": [{"uri": URI, "text": TEXT}]}),
        (_, uri) => {
            let text = if uri == Some("skill://review/check.md") { "check all\n" } else { "wreck all\n" };
            json!({"contents": [{"uri": uri, "text": text}]})
        }
    }
}

/// What a model that makes these calls, one after the other, is told of them, and the names that it was offered.
async fn turn(behaves: fn(&str) -> Option<Behaviour>, calls: &[Value]) -> (Vec<String>, Vec<String>) {
    let mut steps: Vec<Value> = calls.iter().map(|call| json!({"calls": [call]})).collect();
    steps.push(json!({"text": "done"}));
    let model = ModelFake::start(&Value::from(steps).to_string());
    let trial = Trial::start(Plan {
        flags: "",
        servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
        behaves,
        ..Plan::asking(&model)
    });
    trial.prompt("hi").await;
    trial.end().await;
    let asked = model.asked();
    let texts = |values: &Value, place: &str| -> Vec<String> {
        let values = values.as_array().unwrap().iter();
        values.filter_map(|value| value.pointer(place)?.as_str().map(str::to_owned)).collect()
    };
    let results =
        asked[calls.len()]["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool");
    let told = texts(&results.cloned().collect(), "/content");
    (told, texts(&asked[0]["tools"], "/function/name"))
}

fn load(path: Option<&str>) -> Value {
    json!({"name": "mcp_load_skill", "arguments": {"server": "s", "uri": URI, "path": path}})
}

#[tokio::test]
async fn skills_are_listed_loaded_and_read_with_the_name_of_their_server() {
    let list = json!({"name": "list_mcp_skills", "arguments": {}});
    let (told, offered) = turn(|_| Some(Behaviour::Skilled), &[list, load(None)]).await;
    let told: Vec<Value> = told.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    let listed = json!({"server": "s", "uri": URI, "name": "review", "description": "Review a change"});
    assert_eq!(told[0]["skills"][0], listed);
    assert_eq!(told[0]["skills"][1]["error"], "its address is not that of a SKILL.md in a folder");
    assert_eq!(
        (&told[1]["server"], &told[1]["skill"], &told[1]["text"]),
        (&json!("s"), &json!(URI), &json!(TEXT))
    );
    assert_eq!(told[1]["files"], json!(["SKILL.md", "changed.md", "check.md"]));
    assert!(told[1]["note"].as_str().unwrap().contains("not of the user"));
    assert!(
        offered.contains(&"list_mcp_skills".to_owned()) && offered.contains(&"mcp_load_skill".to_owned())
    );
}

#[tokio::test]
async fn files_of_a_skill_are_read_once_it_is_loaded_and_only_as_they_were_listed() {
    let calls = [
        load(Some("check.md")),
        load(None),
        load(Some("./check.md")),
        load(Some("changed.md")),
        load(Some("../other/SKILL.md")),
    ];
    let (told, _) = turn(|_| Some(Behaviour::Skilled), &calls).await;
    assert!(told[0].contains("was not loaded yet"), "{told:?}");
    let read: Value = serde_json::from_str(&told[2]).unwrap();
    assert_eq!(
        (&read["server"], &read["path"], &read["text"]),
        (&json!("s"), &json!("./check.md"), &json!("check all\n"))
    );
    assert!(told[3].contains("skill://review/changed.md cannot be used: its digest is not"), "{told:?}");
    assert!(told[3].contains("load it again") && !told[3].contains("wreck"), "{told:?}");
    assert!(told[4].contains("\"../other/SKILL.md\" is not among the files"), "{told:?}");
}

#[tokio::test]
async fn skills_are_found_beside_tools_by_their_names_and_descriptions() {
    let search =
        |query: &str, way: &str| json!({"name": "tool_search", "arguments": {"query": query, "match": way}});
    let calls = [search("a change", "words"), search("rev.ew$", "regex"), search("zebra", "words")];
    let (told, _) = turn(|_| Some(Behaviour::Skilled), &calls).await;
    let told: Vec<Value> = told.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    for found in &told[..2] {
        assert_eq!(
            (&found["skills"][0]["name"], &found["skills"][0]["uri"]),
            (&json!("review"), &json!(URI))
        );
    }
    assert_eq!(told[2].get("skills"), None);
}

#[tokio::test]
async fn servers_that_do_not_list_their_skills_hide_no_others_and_are_waited_for_together() {
    let search = json!({"name": "tool_search", "arguments": {"query": "a change"}});
    let model = ModelFake::start(&json!([{"calls": [search]}, {"text": "done"}]).to_string());
    let eager = json!({"type": "sdk", "alwaysLoad": true});
    let trial = Trial::start(Plan {
        servers: json!({"m1": eager, "m2": eager, "good": eager, "m3": eager}),
        behaves: |name| Some(if name == "good" { Behaviour::Skilled } else { Behaviour::Mute }),
        ..Plan::asking(&model)
    });
    trial.prompt("hi").await;
    model.until(|model| model.asked().len() == 1).await;
    let begun = std::time::Instant::now();
    model.until(|model| model.asked().len() == 2).await;
    // Each has two seconds.
    assert!(begun.elapsed() < std::time::Duration::from_millis(3_900), "{:?}", begun.elapsed());
    trial.end().await;
    let told = model.asked()[1]["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    let told: Value = serde_json::from_str(told.as_str().unwrap()).unwrap();
    assert_eq!(
        (&told["skills"][0]["server"], &told["skills"][0]["name"]),
        (&json!("good"), &json!("review"))
    );
}

#[tokio::test]
async fn without_a_server_that_has_skills_the_model_is_offered_none() {
    let (told, offered) = turn(|_| Some(Behaviour::Fast), &[load(None)]).await;
    assert!(told[0].contains("the server does not offer io.modelcontextprotocol/skills"), "{told:?}");
    assert!(!offered.iter().any(|name| name.contains("skill")), "{offered:?}");
}
