//! Everything that keeps a process from starting is told apart.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use codewhale_mcp_process::{Exit, Launch, Setup, SpawnError, spawn};

use crate::harness::{Server, launch};

struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(&self, name: &str, content: &str, mode: u32) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

fn refusal(launch: &Launch) -> SpawnError {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { spawn(launch, &Setup::default()).err().expect("it cannot start") })
}

fn on_path(program: &str, path: &str) -> Launch {
    Launch { env: vec![("PATH".into(), path.into())], ..Launch::new(program) }
}

#[test]
fn a_missing_program_names_the_path_and_every_file_tried() {
    let error = refusal(&on_path("no-such-server", "/nowhere/a:/nowhere/b"));
    let SpawnError::ProgramNotFound { program, path, tried, .. } = &error else { panic!("{error:?}") };
    assert_eq!(
        (program.as_os_str(), path.as_deref()),
        (OsStr::new("no-such-server"), Some(OsStr::new("/nowhere/a:/nowhere/b")))
    );
    assert_eq!(tried, &[Path::new("/nowhere/a/no-such-server"), Path::new("/nowhere/b/no-such-server")]);
    assert_eq!(error.to_string(), "program \"no-such-server\" not found on PATH");
}

#[test]
fn a_missing_path_names_where_it_would_be() {
    let place = Place::new();
    let cwd = Some(place.directory.path().to_path_buf());
    let error = refusal(&Launch { cwd: cwd.clone(), ..launch("./server", &[]) });
    let SpawnError::ProgramNotFound { path: None, tried, cwd: told, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((tried.as_slice(), told), ([place.path("./server")].as_slice(), &cwd));
}

#[test]
fn a_directory_is_no_program() {
    let place = Place::new();
    let error = refusal(&launch(place.directory.path(), &[]));
    assert!(
        matches!(&error, SpawnError::ProgramIsDirectory { resolved, .. } if resolved == place.directory.path()),
        "{error:?}"
    );
}

#[test]
fn a_file_without_permission_is_no_program_by_path_or_name() {
    let place = Place::new();
    let file = place.file("server", "#!/bin/sh\n", 0o644);
    for launch in [launch(&file, &[]), on_path("server", place.directory.path().to_str().unwrap())] {
        let error = refusal(&launch);
        assert!(
            matches!(&error, SpawnError::ProgramNotExecutable { resolved, .. } if *resolved == file),
            "{error:?}"
        );
    }
}

#[test]
fn a_missing_interpreter_is_named_beside_its_script() {
    let place = Place::new();
    let check = |content: &str, interpreter: &str, path: Option<&str>| {
        let script = place.file("server", content, 0o755);
        let mut launch = on_path("server", place.directory.path().to_str().unwrap());
        launch.cwd = Some(place.directory.path().to_path_buf());
        let error = refusal(&launch);
        let SpawnError::InterpreterNotFound { script: told, interpreter: named, path: searched, .. } = &error
        else {
            panic!("{error:?}")
        };
        assert_eq!(
            (told, named.as_os_str(), searched.as_deref()),
            (&script, OsStr::new(interpreter), path.map(OsStr::new))
        );
        assert!(error.to_string().contains(script.to_str().unwrap()) && error.to_string().contains("needs"));
    };
    check("#!/no/such/interpreter -x\n", "/no/such/interpreter", None);
    check("#!/usr/bin/env no-such-node\n", "no-such-node", place.directory.path().to_str());
    check("#!/bin/sh\r\n", "/bin/sh\r", None);
}

#[test]
fn what_is_wrong_with_a_script_first_is_told() {
    let place = Place::new();
    let script = place.file("server", "#!/usr/bin/env no-such-node\n", 0o644);
    let path = place.directory.path().to_str().unwrap();
    let by_path = || Launch { program: script.clone().into(), ..on_path("server", path) };
    let error = refusal(&by_path());
    assert!(
        matches!(&error, SpawnError::ProgramNotExecutable { resolved, .. } if *resolved == script),
        "{error:?}"
    );
    let error = refusal(&Launch { cwd: Some(place.path("missing")), ..by_path() });
    assert!(matches!(&error, SpawnError::CwdNotFound { .. }), "{error:?}");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let error = refusal(&by_path());
    assert!(
        matches!(&error, SpawnError::InterpreterNotFound { script: told, .. } if *told == script),
        "{error:?}"
    );
}

#[test]
fn what_the_system_refuses_by_its_path_is_looked_at_closer() {
    let place = Place::new();
    let script = place.file("other", "#!/no/such/interpreter\n", 0o755);
    let error = refusal(&launch(&script, &[]));
    assert!(matches!(&error, SpawnError::InterpreterNotFound { .. }), "{error:?}");
    let missing = refusal(&launch(place.path("nothing"), &[]));
    assert!(matches!(&missing, SpawnError::ProgramNotFound { path: None, .. }), "{missing:?}");
}

#[test]
fn a_pipe_is_not_waited_for() {
    let place = Place::new();
    let pipe = place.path("pipe");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).unwrap();
    let error = refusal(&launch(&pipe, &[]));
    assert!(matches!(&error, SpawnError::ProgramNotExecutable { .. }), "{error:?}");
}

#[test]
fn a_bad_working_directory_is_not_taken_for_a_bad_program() {
    let place = Place::new();
    let file = place.file("file", "", 0o644);
    let missing = refusal(&Launch { cwd: Some(place.path("missing")), ..launch("sh", &[]) });
    assert!(
        matches!(&missing, SpawnError::CwdNotFound { cwd, source } if *cwd == place.path("missing") && source.kind() == std::io::ErrorKind::NotFound),
        "{missing:?}"
    );
    for cwd in [file.clone(), file.join("below")] {
        let error = refusal(&Launch { cwd: Some(cwd.clone()), ..launch("sh", &[]) });
        assert!(matches!(&error, SpawnError::CwdNotDirectory { cwd: told } if *told == cwd), "{error:?}");
    }
}

#[test]
fn another_refusal_carries_its_cause() {
    let place = Place::new();
    let file = place.file("server", "neither a script nor a program\n", 0o755);
    let cwd = place.directory.path().to_path_buf();
    let error = refusal(&Launch { cwd: Some(cwd.clone()), ..launch(&file, &[]) });
    let SpawnError::System { resolved, cwd: told, source, .. } = &error else { panic!("{error:?}") };
    assert_eq!((resolved, told.as_ref()), (&file, Some(&cwd)));
    assert_eq!(source.raw_os_error(), Some(rustix::io::Errno::NOEXEC.raw_os_error()));
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn no_secret_gets_into_an_error_or_a_debug_text() {
    let mut launch = launch("no-such-server", &["--token=hunter2"]);
    launch.env.push(("TOKEN".into(), "hunter2".into()));
    let error = refusal(&launch);
    let texts = [format!("{launch:?}"), format!("{error:?}"), error.to_string()];
    assert!(texts.iter().all(|text| !text.contains("hunter2")), "{texts:?}");
    assert!(texts[0].contains("TOKEN"));
}

#[tokio::test]
async fn what_is_in_the_way_on_the_path_is_passed_over() {
    let place = Place::new();
    fs::create_dir_all(place.path("a/server")).unwrap();
    place.file("b/server", "", 0o644);
    place.file("c/server", "#!/bin/sh\nexit 9\n", 0o755);
    let path = ["a", "b", "c"].map(|name| place.path(name).to_str().unwrap().to_owned()).join(":");
    let server = Server::start(&on_path("server", &path), &Setup::default());
    assert_eq!(server.exited().await, Exit::Exited(9));
}
