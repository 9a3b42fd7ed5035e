//! What holds for the manager's trust.

use std::path::Path;
use std::time::SystemTime;

use codewhale_mcp_config::{DefinitionHash, McpFile, Scope, Source};
use codewhale_mcp_manager::{Standing, TrustError, TrustStore};

fn hash(definition: &str) -> DefinitionHash {
    let text = format!(r#"{{"servers": {{"s": {definition}}}}}"#);
    McpFile::parse(&text, &Source::label("test", Scope::Project)).unwrap().entries[0].hash.clone()
}

struct Place {
    folder: tempfile::TempDir,
    store: TrustStore,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let store = TrustStore::new(folder.path().join("home/trust.json"));
    std::fs::create_dir(folder.path().join("workspace")).unwrap();
    Place { folder, store }
}

impl Place {
    fn standing(&self, workspace: &Path, server: &str, hash: &DefinitionHash) -> Standing {
        self.store.load().unwrap().standing(workspace, server, hash)
    }
}

#[test]
fn a_consent_holds_for_one_workspace_name_and_definition_until_it_is_withdrawn() {
    let place = place();
    let workspace = place.folder.path().join("workspace");
    let (old, new) = (hash(r#"{"command": "x"}"#), hash(r#"{"command": "x", "args": ["-y"]}"#));
    assert_eq!(place.standing(&workspace, "s", &old), Standing::New);

    place.store.trust(&workspace, &[("s", &old)], SystemTime::now()).unwrap();
    assert_eq!(place.standing(&workspace, "s", &old), Standing::Trusted);
    assert_eq!(place.standing(&workspace.join("../workspace"), "s", &old), Standing::Trusted);
    assert_eq!(place.standing(&workspace, "s", &new), Standing::Changed);
    assert_eq!(place.standing(&workspace, "t", &old), Standing::New);
    assert_eq!(place.standing(place.folder.path(), "s", &old), Standing::New);
    assert_eq!(place.standing(Path::new("/no/such/place"), "s", &old), Standing::New);

    place.store.trust(&workspace, &[("t", &new)], SystemTime::now()).unwrap();
    assert_eq!(place.standing(&workspace, "s", &old), Standing::Trusted);
    assert_eq!(place.store.untrust(&workspace).unwrap(), 2);
    assert_eq!(place.standing(&workspace, "s", &old), Standing::New);
    assert_eq!(place.store.untrust(&workspace).unwrap(), 0);
}

#[test]
fn a_file_that_makes_no_sense_trusts_nobody_and_is_left_alone() {
    let place = place();
    let workspace = place.folder.path().join("workspace");
    let hash = hash(r#"{"command": "x"}"#);
    place.store.trust(&workspace, &[("s", &hash)], SystemTime::now()).unwrap();
    for text in ["", "{", r#"{"version": 2, "workspaces": {}}"#, r#"{"version": 1, "workspaces": 5}"#] {
        std::fs::write(place.store.path(), text).unwrap();
        let error = place.store.load().unwrap_err();
        assert!(matches!(error, TrustError::Corrupt { .. }), "{text}: {error}");
        assert!(error.to_string().contains("move it away"), "{error}");
        place.store.trust(&workspace, &[("s", &hash)], SystemTime::now()).unwrap_err();
        place.store.untrust(&workspace).unwrap_err();
        assert_eq!(std::fs::read_to_string(place.store.path()).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    place.store.trust(place.folder.path(), &[("s", &hash("{}"))], SystemTime::now()).unwrap();
    assert_eq!(std::fs::metadata(place.store.path()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let place = place();
    let (workspace, hash) = (place.folder.path().join("workspace"), hash("{}"));
    let names: Vec<String> = (0..16).map(|number| format!("s{number}")).collect();
    std::thread::scope(|scope| {
        for name in &names {
            let (store, workspace, hash) = (place.store.clone(), &workspace, &hash);
            scope.spawn(move || store.trust(workspace, &[(name, hash)], SystemTime::now()).unwrap());
        }
    });
    for name in &names {
        assert_eq!(place.standing(&workspace, name, &hash), Standing::Trusted);
    }
}
