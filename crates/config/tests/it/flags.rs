//! `--mcp-config`: JSON, files inside the workspace, and nothing else.

use codewhale_mcp_config::{FileError, FlagError, Merged, Scope, load_flags};

const FILE: &str = r#"{"mcpServers": {"a": {"command": "x"}}}"#;

fn values(values: &[&str]) -> Vec<String> {
    values.iter().map(|value| (*value).to_owned()).collect()
}

#[test]
fn json_is_exempt_and_later_values_win() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.json"), FILE).unwrap();
    let json = r#"  {"servers": {"a": {"type": "sdk"}}}"#;
    let files = load_flags(&values(&["m.json", json]), folder.path(), folder.path()).unwrap();
    assert!(files.iter().all(|file| file.source.scope == Scope::Flag));
    assert_eq!(files[1].entries[0].place.to_string(), "--mcp-config JSON (number 2):1:16");
    let merged = Merged::new(files);
    assert_eq!((merged.servers.len(), merged.warnings.len()), (1, 1));
    assert_eq!(merged.servers[0].entry.place.line, 1);
    let error = load_flags(&values(&["{\"a\""]), folder.path(), folder.path()).unwrap_err();
    assert!(error.to_string().starts_with("--mcp-config JSON:1:"), "{error}");
}

#[test]
fn a_file_outside_the_workspace_is_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (workspace, outside) = (folder.path().join("ws"), folder.path().join("out"));
    std::fs::create_dir_all(workspace.join("sub")).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("m.json"), FILE).unwrap();
    std::fs::write(workspace.join("m.json"), FILE).unwrap();
    std::fs::write(workspace.join("broken.json"), "{").unwrap();
    let absolute = outside.join("m.json").display().to_string();
    for path in
        ["../out/m.json", "sub/../../out/m.json", absolute.as_str(), "../out/missing.json", "../wsx/m.json"]
    {
        let error = load_flags(&values(&["broken.json", path]), &workspace, &workspace).unwrap_err();
        assert!(
            error.to_string().starts_with("MCP config escapes the admitted Workspace"),
            "{path}: {error}"
        );
        assert!(matches!(error, FlagError::Escapes { .. }));
    }
    for path in ["m.json", "sub/../m.json", "./m.json"] {
        assert_eq!(load_flags(&values(&[path]), &workspace, &workspace).unwrap().len(), 1, "{path}");
    }
    // No walk up: the workspace is a folder of its own, whatever its parent is.
    assert!(matches!(
        load_flags(&values(&["../m.json"]), &workspace.join("sub"), &workspace.join("sub")),
        Err(FlagError::Escapes { .. })
    ));
    // A relative path starts at the working directory.
    assert!(load_flags(&values(&["ws/m.json"]), &workspace, folder.path()).is_ok());
    let missing = load_flags(&values(&["no.json"]), &workspace, &workspace).unwrap_err();
    assert!(matches!(missing, FlagError::File(FileError::Unreadable(_))), "{missing}");
    assert!(matches!(
        load_flags(&values(&["m.json"]), &folder.path().join("no"), &workspace),
        Err(FlagError::BadWorkspace { .. })
    ));
}

#[cfg(unix)]
#[test]
fn links_are_resolved_on_both_sides() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let (workspace, outside) = (folder.path().join("ws"), folder.path().join("out"));
    std::fs::create_dir(&workspace).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("m.json"), FILE).unwrap();
    std::fs::write(workspace.join("m.json"), FILE).unwrap();
    symlink("../out/m.json", workspace.join("link.json")).unwrap();
    symlink("../out", workspace.join("folder")).unwrap();
    symlink("ws", folder.path().join("alias")).unwrap();
    for path in ["link.json", "folder/m.json"] {
        let error = load_flags(&values(&[path]), &workspace, &workspace).unwrap_err();
        assert!(matches!(error, FlagError::Escapes { .. }), "{path}: {error}");
    }
    let alias = folder.path().join("alias");
    assert!(load_flags(&values(&[&workspace.join("m.json").display().to_string()]), &alias, &alias).is_ok());
}
