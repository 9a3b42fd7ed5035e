//! Edits of real files.

use std::path::Path;

use codewhale_mcp_config::edit::{
    Definition, Draft, EditError, EditFileError, OnExisting, Outcome, STARTER, Switch, add, edit_file,
    init_file, remove, switch,
};
use codewhale_mcp_config::{McpFile, Scope};

fn add_to(path: &Path, name: &str) -> Result<Outcome, EditFileError> {
    let definition = Definition::from(&Draft { command: Some("x".into()), ..Draft::default() });
    edit_file(path, Scope::User, |text, source| add(text, source, name, &definition, OnExisting::Refuse))
}

fn left_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_missing_file_is_made_with_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home/mcp.json");
    let refused = edit_file(&path, Scope::User, |text, source| remove(text, source, "a"));
    assert!(matches!(refused, Err(EditFileError::Refused(EditError::Unknown { .. }))));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    assert_eq!(add_to(&path, "a").unwrap(), Outcome::Created);
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "{\n  \"servers\": {\n    \"a\": {\n      \"command\": \"x\"\n    }\n  }\n}\n"
    );
    assert_eq!(add_to(&path, "b").unwrap(), Outcome::Changed);
    let on = edit_file(&path, Scope::User, |text, source| switch(text, source, "a", Switch::On));
    assert_eq!(on.unwrap(), Outcome::Unchanged);
}

#[test]
fn c04_a_broken_file_stays_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    for broken in
        [&b"{\"mcpServers\": {\"a\": {\"command\": \"x\"}} /*"[..], b"{\"a\": \"\xff\"}", b"", b"\xff\xfe{}"]
    {
        std::fs::write(&path, broken).unwrap();
        assert!(matches!(add_to(&path, "z"), Err(EditFileError::Refused(EditError::Unusable(_)))));
        assert_eq!(std::fs::read(&path).unwrap(), broken);
    }
}

#[test]
fn twenty_parallel_adds_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mcp.json");
    std::thread::scope(|scope| {
        for number in 0..20 {
            let path = &path;
            scope.spawn(move || add_to(path, &format!("s{number}")).unwrap());
        }
    });
    let file = McpFile::read(&path, Scope::User).unwrap();
    assert_eq!(file.entries.len(), 20);
    assert!(file.entries.iter().all(|entry| entry.definition.is_ok()));
    assert_eq!(left_in(folder.path()), ["mcp.json"]);
}

#[cfg(unix)]
#[test]
fn an_edit_leaves_nothing_but_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".codewhale/mcp.json");
    let definition = Definition::from(&Draft { command: Some("x".into()), ..Draft::default() });
    edit_file(&path, Scope::Project, |text, source| add(text, source, "a", &definition, OnExisting::Refuse))
        .unwrap();
    std::fs::write(folder.path().join("bad.json"), "{").unwrap();
    add_to(&folder.path().join("bad.json"), "a").unwrap_err();
    assert_eq!(left_in(folder.path()), [".codewhale", "bad.json"]);
    assert_eq!(left_in(path.parent().unwrap()), ["mcp.json"]);
}

#[test]
fn init_never_overwrites_and_keeps_backups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home/mcp.json");
    assert_eq!(init_file(&path, Scope::User, OnExisting::Refuse).unwrap(), None);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), STARTER);
    assert!(McpFile::read(&path, Scope::User).unwrap().warnings.is_empty());
    assert!(matches!(init_file(&path, Scope::User, OnExisting::Refuse), Err(EditFileError::Exists { .. })));
    for (content, name) in [("{ broken", "mcp.json.bak"), ("other", "mcp.json.bak2")] {
        std::fs::write(&path, content).unwrap();
        let backup = init_file(&path, Scope::User, OnExisting::Replace).unwrap().unwrap();
        assert_eq!(backup.file_name().unwrap(), name);
        assert_eq!(std::fs::read_to_string(backup).unwrap(), content);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), STARTER);
    }
}

#[cfg(unix)]
#[test]
fn the_users_file_is_private_and_a_mode_is_kept() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("home/mcp.json");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    add_to(&path, "a").unwrap();
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    add_to(&path, "b").unwrap();
    assert_eq!(mode(&path), 0o640);
}
