//! Results that are too long for the model: where they are kept, and for how long.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codewhale_testkit::ModelFake;
use serde_json::{Value, json};

use crate::world::{Behaviour, Plan, Trial};

/// A session whose tool has answered with 200,000 bytes, and what the model was told of it.
async fn trial() -> (Trial, String) {
    let call = json!({"name": "mcp_s_echo", "arguments": {"text": "x".repeat(200_000)}});
    let model = ModelFake::start(&json!([{"calls": [call]}, {"text": "done"}]).to_string());
    let trial = Trial::start(Plan {
        flags: "-y",
        servers: json!({"s": {"type": "sdk", "alwaysLoad": true}}),
        behaves: |_| Some(Behaviour::Fast),
        ..Plan::asking(&model)
    });
    left_behind(trial.kept());
    trial.prompt("hi").await;
    assert_eq!(trial.results(1).await[0]["result"], "done");
    let asked: Value = model.asked().remove(1);
    let told = asked["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
    (trial, told)
}

/// What others left in the folder of results: a session a week ago, one of today, and something else.
fn left_behind(results: &Path) {
    for name in ["session-long-ago", "session-today", "notes"] {
        fs::create_dir_all(results.join(name)).unwrap();
        fs::write(results.join(name).join("a.txt"), "a").unwrap();
    }
    for name in ["session-long-ago", "notes"] {
        let long_ago = SystemTime::now() - Duration::from_secs(8 * 24 * 60 * 60);
        File::open(results.join(name)).unwrap().set_modified(long_ago).unwrap();
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn all_of_it_is_in_a_file_that_only_the_user_reads_while_the_session_lasts() {
    let (trial, told) = trial().await;
    assert!(told.len() < 30_000 && told.contains("the result has 200011 bytes"), "{}", told.len());
    let place = told.rsplit_once("all of it is in ").unwrap().1;
    let file = PathBuf::from(place.strip_suffix(" until this session ends]").unwrap());
    assert_eq!(fs::read_to_string(&file).unwrap().len(), 200_011);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    }
    trial
        .end_and_look(|results| {
            assert!(!file.parent().unwrap().exists());
            // What others left goes after a week, and nothing else.
            assert_eq!(names(results), ["notes", "session-today"]);
        })
        .await;
}
