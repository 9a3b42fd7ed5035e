//! Reads are bounded and never block.

use codewhale_mcp_store::{ReadError, read_bounded};

#[test]
fn limits_and_absence_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    assert!(matches!(read_bounded(&path, 4), Err(ReadError::Missing { .. })));
    std::fs::write(&path, "1234").unwrap();
    assert_eq!(read_bounded(&path, 4).unwrap(), b"1234");
    assert!(matches!(read_bounded(&path, 3), Err(ReadError::TooLarge { limit: 3, .. })));
    let error = read_bounded(folder.path(), 4).unwrap_err();
    assert!(matches!(error, ReadError::NotAFile { .. } | ReadError::System { .. }), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_sockets_and_devices_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [&pipe, std::path::Path::new("/dev/zero")] {
        assert!(matches!(read_bounded(path, 10), Err(ReadError::NotAFile { .. })), "{}", path.display());
    }
    assert!(read_bounded(&socket, 10).is_err());
}
