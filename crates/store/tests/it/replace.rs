//! A replacement is whole and keeps what was there.

use std::ffi::OsStr;

use std::time::Duration;

use codewhale_mcp_store::{
    Lock, Mode, ReplaceError, create_private_folder, is_leftover, replace, replace_unsynced,
};

#[test]
fn nothing_but_the_file_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    for replace in [replace, replace_unsynced] {
        replace(&path, b"one", Mode::Private).unwrap();
        replace(&path, b"two", Mode::Shared).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(matches!(replace(folder.path(), b"", Mode::Private), Err(ReplaceError::NotAFile { .. })));
    }
}

#[test]
fn a_folder_in_the_way_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = replace(folder.path(), b"", Mode::Private).unwrap_err();
    assert!(matches!(error, ReplaceError::NotAFile { .. }));
    let error = replace(&folder.path().join("no/x"), b"", Mode::Private).unwrap_err();
    assert!(matches!(error, ReplaceError::System { .. }) && error.to_string().contains("no"), "{error}");
}

#[test]
fn leftovers_are_recognised() {
    for (candidate, expected) in [
        (".mcp.json.a1B2c3D4e5.tmp", true),
        (".mcp.json.a1B2c3D4e5", false),
        (".mcp.json..tmp", false),
        (".other.json.a1B2c3D4e5.tmp", false),
        ("mcp.json", false),
    ] {
        assert_eq!(is_leftover(OsStr::new(candidate), OsStr::new("mcp.json")), expected, "{candidate}");
    }
}

#[test]
fn whoever_holds_the_lock_removes_what_killed_writers_left() {
    let folder = tempfile::tempdir().unwrap();
    let stays = [".mcp.json.notes", ".other.json.a1B2c3D4e5.tmp", "mcp.json", "mcp.json.bak"];
    for name in stays.iter().chain(&[".mcp.json.a1B2c3D4e5.tmp", ".mcp.json.0000000000.tmp"]) {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let lock = Lock::acquire(&folder.path().join("mcp.json"), Duration::ZERO).unwrap();
    lock.remove_leftovers();
    let entries = std::fs::read_dir(folder.path()).unwrap().flatten();
    let mut left: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, stays);
}

#[test]
fn readers_see_one_whole_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let versions = [vec![b'a'; 100_000], vec![b'b'; 50_000]];
    replace(&path, &versions[0], Mode::Private).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..50 {
                replace(&path, &versions[round % 2], Mode::Private).unwrap();
            }
        });
        while !writer.is_finished() {
            let seen = std::fs::read(&path).unwrap();
            assert!(versions.contains(&seen), "{} bytes", seen.len());
        }
    });
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::Path;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().expect("the file exists").permissions().mode() & 0o7777
    }

    #[test]
    fn new_files_are_private_and_old_ones_keep_their_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        replace(&path, b"1", Mode::Private).unwrap();
        assert_eq!(mode(&path), 0o600);
        for kept in [0o640, 0o444, 0o755] {
            std::fs::set_permissions(&path, Permissions::from_mode(kept)).unwrap();
            replace(&path, b"2", Mode::Private).unwrap();
            assert_eq!(mode(&path), kept);
        }
        let shared = folder.path().join("y");
        replace(&shared, b"1", Mode::Shared).unwrap();
        std::fs::write(folder.path().join("z"), "1").unwrap();
        assert_eq!(mode(&shared), mode(&folder.path().join("z")));
    }

    #[test]
    fn links_stay_links_also_when_they_lead_nowhere_yet() {
        let folder = tempfile::tempdir().unwrap();
        let dotfiles = folder.path().join("dotfiles");
        std::fs::create_dir(&dotfiles).unwrap();
        let link = folder.path().join("x");
        symlink("dotfiles/x", &link).unwrap();
        for content in ["1", "2"] {
            replace(&link, content.as_bytes(), Mode::Private).unwrap();
            assert!(link.symlink_metadata().unwrap().is_symlink());
            assert_eq!(std::fs::read_to_string(dotfiles.join("x")).unwrap(), content);
        }
        symlink("loop", folder.path().join("loop")).unwrap();
        assert!(replace(&folder.path().join("loop"), b"", Mode::Private).is_err());
    }

    #[test]
    fn missing_folders_are_made_private() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        create_private_folder(&deep).unwrap();
        create_private_folder(&deep).unwrap();
        assert_eq!((mode(&deep), mode(&folder.path().join("a"))), (0o700, 0o700));
        std::fs::write(folder.path().join("file"), "").unwrap();
        assert!(create_private_folder(&folder.path().join("file/c")).is_err());
    }
}
