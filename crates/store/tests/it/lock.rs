//! One holder at a time.

use std::time::Duration;

use codewhale_mcp_store::{Lock, LockError, Mode, read_bounded, replace};

const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_held_lock_is_refused_by_name_when_the_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json");
    let held = Lock::acquire(&path, LONG).unwrap();
    let error = Lock::acquire(&path, Duration::from_millis(5)).unwrap_err();
    assert!(matches!(error, LockError::HeldByOther { .. }));
    assert!(error.to_string().contains("x.json"), "{error}");
    drop(held);
    Lock::acquire(&path, Duration::ZERO).unwrap();
}

#[test]
fn the_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Lock::acquire(&folder.path().join("no/x.json"), Duration::ZERO).unwrap_err();
    assert!(matches!(error, LockError::System { .. }) && error.to_string().contains("no/x.json"), "{error}");
}

#[test]
fn parallel_counters_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("count");
    replace(&path, b"0", Mode::Private).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let _lock = Lock::acquire(&path, LONG).unwrap();
                    let count: u32 =
                        String::from_utf8(read_bounded(&path, 100).unwrap()).unwrap().parse().unwrap();
                    replace(&path, (count + 1).to_string().as_bytes(), Mode::Private).unwrap();
                }
            });
        }
    });
    assert_eq!(read_bounded(&path, 100).unwrap(), b"80");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_lock_leaves_nothing_beside_the_file_and_is_the_same_behind_every_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, other) = (folder.path().join("real"), folder.path().join("other"));
        std::fs::create_dir(&real).unwrap();
        std::fs::create_dir(&other).unwrap();
        symlink("real", folder.path().join("folder")).unwrap();
        symlink("../real/x.json", other.join("link.json")).unwrap();
        let ways = [
            real.join("x.json"),
            folder.path().join("folder/x.json"),
            folder.path().join("real/../folder/x.json"),
            other.join("link.json"),
        ];
        for one in &ways {
            let _held = Lock::acquire(one, LONG).unwrap();
            for other in &ways {
                let error = Lock::acquire(other, Duration::ZERO).unwrap_err();
                assert!(matches!(error, LockError::HeldByOther { .. }), "{one:?} {other:?}");
            }
        }
        assert_eq!(std::fs::read_dir(&real).unwrap().count(), 0);
    }

    #[test]
    fn who_may_not_write_beside_the_file_still_waits() {
        let folder = tempfile::tempdir().unwrap();
        let held = Lock::acquire(&folder.path().join("x"), LONG).unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o500)).unwrap();
        let error = Lock::acquire(&folder.path().join("x"), Duration::ZERO).unwrap_err();
        assert!(matches!(error, LockError::HeldByOther { .. }), "{error}");
        drop(held);
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    }
}
