//! Skills: what is listed, what is read when, and what is not used.

use codewhale_mcp_client::{
    CallError, Client, FrontmatterFault, ListLimits, ListWarning, LoadedSkill, Options, SkillEntryFault,
    SkillError, SkillFileFault,
};
use codewhale_mcp_protocol::Skill;
use serde_json::{Value, json};

use crate::server::Server;

const URI: &str = "skill://acme/pdf-processing/SKILL.md";
const FORMS: &str = "skill://acme/pdf-processing/references/FORMS%20A.md";
/// SHA-256 of what `TEXT` and `FORM` are, as `sha256sum` prints it.
const TEXT: &str = "---\nname: pdf-processing\ndescription: Fill PDF documents\n---\n\nBody.\n";
const TEXT_DIGEST: &str = "sha256:8d1acf7cfee9002e88dbec95f62f0a3a804e17675fb2550b66d66cadc4e4015b";
const FORM: &str = "A form.\n";
const FORM_DIGEST: &str = "sha256:fc59081d871f9acd88770b91fb24a467f85dd085dba006f1c5117f8d7592dc2a";

fn entry() -> Value {
    json!({
        "uri": URI,
        "frontmatter": {"name": "pdf-processing", "description": "Fill PDF documents"},
        "resources": [
            {"uri": URI, "digest": TEXT_DIGEST, "size": TEXT.len()},
            {"uri": FORMS, "digest": FORM_DIGEST, "size": FORM.len()},
        ],
    })
}

fn skill(entry: Value) -> Skill {
    serde_json::from_value(entry).expect("the form of a skill")
}

async fn connected(options: Options) -> (Client, Server) {
    let capabilities = json!({"resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}});
    Server::offering("2026-07-28", capabilities, options).await
}

/// Answers a reading of this file.
async fn gives(server: &mut Server, uri: &str, part: Value) {
    let request = server.asked("resources/read").await;
    assert_eq!(request["params"]["uri"], uri);
    server.answer(&request, json!({"contents": [part]})).await;
}

/// Loads a skill whose server answers every reading of its `SKILL.md` with this part.
async fn loaded(entry: Value, part: Value) -> (Result<LoadedSkill, SkillError>, usize) {
    let (client, mut server) = connected(Options::default()).await;
    let mut readings = 0;
    let answers = async {
        loop {
            gives(&mut server, URI, part.clone()).await;
            readings += 1;
        }
    };
    let loaded = tokio::select! {
        loaded = client.load_skill(skill(entry)) => loaded,
        () = answers => unreachable!("the server answers for ever"),
    };
    (loaded, readings)
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_that_it_has_skills_is_asked_for_none() {
    let (client, mut server) = Server::connected("2026-07-28", Options::default()).await;
    let lacks = |result: Result<(), CallError>| {
        matches!(result, Err(CallError::ServerLacks { capability: "io.modelcontextprotocol/skills" }))
    };
    assert!(lacks(client.list_skills().await.map(drop)));
    assert!(lacks(client.list_skills_page(None).map(drop)));
    assert!(lacks(client.skill(URI).await.map(drop)));
    server.hears_nothing().await;
}

#[tokio::test(start_paused = true)]
async fn skills_are_listed_page_after_page_and_nothing_of_them_is_read() {
    let (client, mut server) = connected(Options::default()).await;
    let asking = client.clone();
    let list = tokio::spawn(async move { asking.list_skills().await });
    let mut broken = vec![entry(), entry(), entry(), entry()];
    broken[0]["resources"] = Value::Null;
    broken[1]["resources"] = json!("sometimes");
    broken[2]["resources"][0]["size"] = json!("12");
    broken[3]["frontmatter"] = json!({"name": "pdf-processing"});
    let request = server.asked("skills/list").await;
    assert_eq!(request["params"].get("cursor"), None);
    server.answer(&request, json!({"skills": broken, "nextCursor": "2"})).await;
    let request = server.asked("skills/list").await;
    assert_eq!(request["params"]["cursor"], "2");
    let mut dynamic = entry();
    dynamic["resources"] = json!("dynamic");
    server.answer(&request, json!({"skills": [entry(), dynamic], "ttlMs": 5})).await;
    let skills = list.await.expect("the task ends").expect("a list");
    let written: Vec<Value> =
        skills.items.iter().map(|skill| serde_json::to_value(skill).expect("it has a JSON form")).collect();
    assert_eq!(written[0], entry());
    assert_eq!((written.len(), &written[1]["resources"]), (2, &json!("dynamic")));
    assert_eq!(skills.warning, Some(ListWarning::LeftOut { left_out: 4 }));
    server.hears_nothing().await;
    drop(client);
}

#[tokio::test(start_paused = true)]
async fn a_list_of_skills_without_an_end_is_an_error() {
    let mut options = Options::default();
    options.list = ListLimits { pages: 3, items: 100 };
    let (client, mut server) = connected(options).await;
    let list = tokio::spawn(async move { client.list_skills().await });
    for page in 1..=3 {
        let request = server.asked("skills/list").await;
        server.answer(&request, json!({"skills": [entry()], "nextCursor": page.to_string()})).await;
    }
    let result = list.await.expect("the task ends");
    assert!(matches!(
        result,
        Err(CallError::ServerListTooLong { method: "skills/list", limit: 3, what: "pages" })
    ));
}

#[tokio::test(start_paused = true)]
async fn a_skill_is_known_by_its_address_alone() {
    let (client, mut server) = connected(Options::default()).await;
    let asked = tokio::spawn(async move {
        (client.skill(URI).await, client.skill("skill://other/SKILL.md").await, client.skill(URI).await)
    });
    for _ in 0..2 {
        let request = server.asked("skills/get").await;
        server.answer(&request, json!({"skill": entry(), "ttlMs": 60_000})).await;
    }
    let request = server.asked("skills/get").await;
    assert_eq!(request["params"]["uri"], URI, "what was kept is not taken");
    server.refuse(&request, json!({"code": -32602, "message": "no such skill"})).await;
    let (found, another, unknown) = asked.await.expect("the task ends");
    assert_eq!(found.expect("a skill"), skill(entry()));
    let another = another.expect_err("it is another skill").to_string();
    assert!(another.contains("skills/get") && another.contains(URI), "{another}");
    assert!(matches!(unknown, Err(CallError::ServerError { method: "skills/get", .. })));
}

#[tokio::test(start_paused = true)]
async fn files_are_read_when_they_are_needed_and_no_others() {
    let (client, mut server) = connected(Options::default()).await;
    let load = tokio::spawn(async move { client.load_skill(skill(entry())).await });
    gives(&mut server, URI, json!({"uri": URI, "text": TEXT})).await;
    let loaded = load.await.expect("the task ends").expect("a skill");
    assert_eq!((loaded.text(), loaded.entry().name()), (TEXT, "pdf-processing"));
    let files: Vec<_> = loaded.entry().files().collect();
    assert_eq!(files, [("SKILL.md", 68), ("references/FORMS A.md", 8)]);
    for unlisted in ["references", "references/other.md", "../pdf-processing/SKILL.md", "/SKILL.md", "", URI]
    {
        let error = loaded.file(unlisted).await.expect_err("it is not listed");
        assert!(matches!(error, SkillError::CallerFileUnlisted { .. }), "{unlisted:?}: {error}");
    }
    server.hears_nothing().await;
    let read = tokio::spawn(async move { loaded.file("./scripts/../references/FORMS A.md").await });
    gives(&mut server, FORMS, json!({"uri": FORMS, "blob": "QSBmb3JtLgo=", "mimeType": "text/markdown"}))
        .await;
    let file = read.await.expect("the task ends").expect("a file");
    assert_eq!((file.bytes, file.mime_type), (FORM.into(), Some("text/markdown".to_owned())));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_not_what_was_listed_is_read_once_more_and_not_used() {
    let part = |text: &str| json!({"uri": URI, "text": text});
    let evil = TEXT.replace("Body.", "Evil!");
    let rows = [
        (part(&evil), SkillFileFault::Digest),
        (part(&format!("{TEXT}more")), SkillFileFault::Size { listed: 68, found: 72 }),
        (part(""), SkillFileFault::Size { listed: 68, found: 0 }),
        (json!({"uri": URI, "blob": "%%"}), SkillFileFault::NotBase64),
        (json!({"uri": URI}), SkillFileFault::Empty),
    ];
    for (part, expected) in rows {
        let (loaded, readings) = loaded(entry(), part).await;
        let error = loaded.expect_err("it is not used");
        let SkillError::ServerFileInvalid { uri, fault } = &error else { panic!("{error}") };
        assert_eq!((uri.as_str(), fault, readings), (URI, &expected, 2));
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_kept_and_is_out_of_date_is_read_again() {
    let (client, mut server) = connected(Options::default()).await;
    let older = client.clone();
    let read = tokio::spawn(async move { older.read_resource(URI).send().await });
    let request = server.asked("resources/read").await;
    server.answer(&request, json!({"contents": [{"uri": URI, "text": "older"}], "ttlMs": 60_000})).await;
    read.await.expect("the task ends").expect("a resource");
    let load = tokio::spawn(async move { client.load_skill(skill(entry())).await });
    gives(&mut server, URI, json!({"uri": URI, "text": TEXT})).await;
    assert_eq!(load.await.expect("the task ends").expect("a skill").text(), TEXT);
}

#[tokio::test(start_paused = true)]
async fn a_skill_whose_text_says_something_else_than_its_entry_is_not_loaded() {
    let mut other = entry();
    other["frontmatter"]["allowed-tools"] = json!("Bash");
    let (loaded, _) = loaded(other, json!({"uri": URI, "text": TEXT})).await;
    let error = loaded.expect_err("it is not loaded");
    let differs = SkillFileFault::Frontmatter(FrontmatterFault::Differs { field: "allowed-tools".into() });
    assert!(matches!(&error, SkillError::ServerFileInvalid { fault, .. } if *fault == differs), "{error}");
}

#[tokio::test(start_paused = true)]
async fn entries_that_break_the_rules_are_refused_before_anything_is_read() {
    let file = |uri: &str| json!({"uri": uri, "digest": FORM_DIGEST, "size": 8});
    let named = |name: &str| json!({"name": name, "description": "d"});
    let outside = |uri: &str| SkillEntryFault::Outside { uri: uri.into() };
    let upper = FORM_DIGEST.to_uppercase();
    let mut rows: Vec<(&str, Value, SkillEntryFault)> = vec![
        ("/uri", json!("skill://acme/pdf-processing/skill.md"), SkillEntryFault::Address),
        ("/uri", json!("SKILL.md"), SkillEntryFault::Address),
        ("/uri", json!("skill:///SKILL.md"), SkillEntryFault::Address),
        ("/uri", json!("skill://acme/../pdf-processing/SKILL.md"), SkillEntryFault::Address),
        ("/uri", json!("skill://acme/pdf-processing/?x=/SKILL.md"), SkillEntryFault::Address),
        (
            "/uri",
            json!("skill://acme/refunds/SKILL.md"),
            SkillEntryFault::FolderName { folder: "refunds".into(), name: "pdf-processing".into() },
        ),
        ("/frontmatter/description", json!(""), SkillEntryFault::Description { letters: 0 }),
        ("/frontmatter/description", json!("é".repeat(1025)), SkillEntryFault::Description { letters: 1025 }),
        ("/resources", json!("dynamic"), SkillEntryFault::Dynamic),
        ("/resources", json!([file(FORMS)]), SkillEntryFault::NoSkillMd),
        (
            "/resources/0",
            file("skill://acme/pdf-processing/references/FORMS A.md"),
            SkillEntryFault::Twice { path: "references/FORMS A.md".into() },
        ),
        ("/resources/1/digest", json!(upper), SkillEntryFault::Digest { uri: FORMS.into() }),
        ("/resources/1/digest", json!(&FORM_DIGEST[7..]), SkillEntryFault::Digest { uri: FORMS.into() }),
        ("/resources/1/digest", json!(&FORM_DIGEST[..70]), SkillEntryFault::Digest { uri: FORMS.into() }),
        ("/resources/1/size", json!(u64::MAX), SkillEntryFault::TooLarge),
        ("/resources/1/size", json!((16 << 20) - 67), SkillEntryFault::TooLarge),
        ("/resources", json!(vec![file(URI); 513]), SkillEntryFault::TooManyFiles { files: 513 }),
    ];
    for name in ["", "PDF", "a--b", "-a", "a-", "a b", "a/b", "..", &"a".repeat(65)] {
        rows.push(("/frontmatter", named(name), SkillEntryFault::Name { name: name.into() }));
    }
    for path in [
        "../other/SKILL.md",
        "a/../../b",
        "%2e%2e/b",
        "a%2fb",
        "a%5Cb",
        "a\\b",
        "./a",
        "a//b",
        "",
        "a?b",
        "a#b",
        "a%00b",
        "a%ff",
    ] {
        let uri = format!("skill://acme/pdf-processing/{path}");
        rows.push(("/resources/1/uri", json!(uri), outside(&uri)));
    }
    for uri in ["skill://acme/pdf-processing2/a", "skill://acme/pdf-processing", "file:///etc/passwd"] {
        rows.push(("/resources/1/uri", json!(uri), outside(uri)));
    }
    let (client, mut server) = connected(Options::default()).await;
    for (place, value, expected) in rows {
        let mut changed = entry();
        *changed.pointer_mut(place).expect("the place is there") = value.clone();
        let error = client.load_skill(skill(changed)).await.expect_err("it breaks a rule");
        let SkillError::ServerEntryInvalid { fault, .. } = &error else { panic!("{error}") };
        assert_eq!(*fault, expected, "{place} {value}");
    }
    server.hears_nothing().await;
}
