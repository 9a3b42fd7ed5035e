//! Every example of the specification is read and printed without a loss.

use codewhale_mcp_protocol::Revision;
use serde_json::Value;

use crate::definitions::rows::{Row, row};
use crate::schemas::{Schema, folder, same};

#[test]
fn every_example_survives() {
    let mut seen = 0;
    for revision in Revision::ALL {
        let Ok(folders) = std::fs::read_dir(folder(revision).join("examples")) else { continue };
        let schema = Schema::of(revision);
        for folder in folders.map(|entry| entry.unwrap().path()) {
            let name = folder.file_name().unwrap().to_str().unwrap();
            let Some(Row::Held(round)) = row(name) else { panic!("no type for the examples of {name}") };
            let faults = schema.faults(name);
            for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                let text = std::fs::read_to_string(&file).unwrap();
                let printed = round(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                let (before, after): (Value, Value) =
                    (serde_json::from_str(&text).unwrap(), serde_json::from_str(&printed).unwrap());
                assert!(same(&before, &after), "{}:\n{before}\n{after}", file.display());
                assert_eq!(faults(&after), [""; 0], "{}", file.display());
                keeps_unknown_members(before, round, &file.display().to_string());
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 129);
}

/// With one more member in the outermost object.
fn keeps_unknown_members(mut value: Value, round: fn(&str) -> Result<String, String>, file: &str) {
    value["x-unknown"] = serde_json::json!([1, { "a": null }]);
    // In these every member is an entry of its own kind.
    if file.contains("/InputRequests/") {
        return;
    }
    let printed: Value = serde_json::from_str(&round(&value.to_string()).unwrap()).unwrap();
    assert!(same(&value, &printed), "{file}: {printed}");
}
