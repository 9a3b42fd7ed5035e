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
    assert!(error.to_string().contains("x.json.lock"), "{error}");
    assert!(!path.exists());
    drop(held);
    let again = Lock::acquire(&path, Duration::ZERO).unwrap();
    assert!(again.sidecar().exists());
}

#[test]
fn the_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Lock::acquire(&folder.path().join("no/x.json"), Duration::ZERO).unwrap_err();
    assert!(
        matches!(error, LockError::Sidecar { .. }) && error.to_string().contains("x.json.lock"),
        "{error}"
    );
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
    fn the_sidecar_is_private_and_beside_the_real_file() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.json");
        let link = folder.path().join("link.json");
        std::fs::write(&real, "").unwrap();
        symlink("real.json", &link).unwrap();
        let lock = Lock::acquire(&link, LONG).unwrap();
        assert_eq!(lock.sidecar().file_name().unwrap(), "real.json.lock");
        assert_eq!(lock.sidecar().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(matches!(Lock::acquire(&real, Duration::ZERO), Err(LockError::HeldByOther { .. })));
    }

    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        symlink("elsewhere", folder.path().join("x.lock")).unwrap();
        let error = Lock::acquire(&folder.path().join("x"), Duration::ZERO).unwrap_err();
        assert!(matches!(error, LockError::Sidecar { .. }));
        assert!(!folder.path().join("elsewhere").exists());
    }
}
