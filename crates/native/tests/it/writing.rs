//! `write_file`: whole or not at all, never in the place of something by mistake.

use codewhale_native::{FileWritten, Stop, WriteFile, write_file};

use crate::fixture::Fixture;

fn asked(path: &str, text: &str) -> WriteFile {
    WriteFile { path: path.to_owned(), text: text.to_owned(), ..WriteFile::default() }
}

#[test]
fn a_file_is_made_and_replaced_only_on_purpose() {
    let fixture = Fixture::new();
    let written = write_file(&fixture.workspace, &asked("a.txt", "one"), &Stop::default()).unwrap();
    assert_eq!(written, FileWritten { path: "a.txt".to_owned(), size: 3, created: true });
    let told =
        write_file(&fixture.workspace, &asked("a.txt", "two"), &Stop::default()).unwrap_err().to_string();
    assert!(told.contains("is there already") && told.contains("overwrite"), "{told}");
    assert_eq!(fixture.text("a.txt"), "one");
    let over = WriteFile { overwrite: true, ..asked("a.txt", "two") };
    assert!(!write_file(&fixture.workspace, &over, &Stop::default()).unwrap().created);
    assert_eq!(fixture.text("a.txt"), "two");
    assert_eq!(fixture.names("."), ["a.txt"], "nothing else is left");
}

#[test]
fn directories_are_made_only_on_purpose() {
    let fixture = Fixture::new();
    let told =
        write_file(&fixture.workspace, &asked("x/y/a.txt", "one"), &Stop::default()).unwrap_err().to_string();
    assert_eq!(told, "the directory of `x/y/a.txt` is not there; `create_directories: true` makes it");
    let deep = WriteFile { create_directories: true, ..asked("x/./y/a.txt", "one") };
    assert_eq!(write_file(&fixture.workspace, &deep, &Stop::default()).unwrap().path, "x/y/a.txt");
    assert_eq!(fixture.text("x/y/a.txt"), "one");
    let through = WriteFile { create_directories: true, ..asked("x/y/a.txt/b", "one") };
    assert!(
        write_file(&fixture.workspace, &through, &Stop::default())
            .unwrap_err()
            .to_string()
            .contains("not a directory")
    );
}

#[test]
fn a_text_that_is_too_long_is_not_written() {
    let fixture = Fixture::new();
    let told = write_file(&fixture.workspace, &asked("a.txt", &"x".repeat((8 << 20) + 1)), &Stop::default())
        .unwrap_err()
        .to_string();
    assert_eq!(told, "the text has 8388609 bytes; at most 8388608 are written at once");
    assert!(fixture.names(".").is_empty());
}

#[cfg(unix)]
#[test]
fn the_mode_stays_and_a_link_inside_is_followed() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    fixture.file("bin/run", "old").link("run", "bin/run");
    let file = fixture.root().join("bin/run");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o750)).unwrap();
    let written = write_file(
        &fixture.workspace,
        &WriteFile { overwrite: true, ..asked("run", "new") },
        &Stop::default(),
    )
    .unwrap();
    assert_eq!(written.path, "bin/run");
    assert_eq!(fixture.text("bin/run"), "new");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    assert!(fixture.root().join("run").is_symlink());
    assert_eq!(fixture.names("bin"), ["run"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_only_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    fixture.file("a.txt", "old");
    let file = fixture.root().join("a.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let over = WriteFile { overwrite: true, ..asked("a.txt", "new") };
    let told = write_file(&fixture.workspace, &over, &Stop::default()).unwrap_err().to_string();
    assert!(told.starts_with("cannot write `a.txt`: "), "{told}");
    assert_eq!((fixture.text("a.txt").as_str(), fixture.names(".")), ("old", vec!["a.txt".to_owned()]));
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_a_secret_while_it_is_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    fixture.file("secret/key", "old");
    let file = fixture.root().join("secret/key");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let over = WriteFile { overwrite: true, ..asked("secret/key", &"x".repeat(1 << 20)) };
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for _ in 0..30 {
                write_file(&fixture.workspace, &over, &Stop::default()).unwrap();
            }
        });
        while !writer.is_finished() {
            for entry in std::fs::read_dir(fixture.root().join("secret")).unwrap() {
                let Ok(found) = entry.unwrap().metadata() else { continue };
                assert_eq!(found.permissions().mode() & 0o777, 0o600);
            }
        }
    });
}

/// Needs a user who may give files away.
#[cfg(unix)]
#[test]
fn the_owner_stays() {
    use std::os::unix::fs::{MetadataExt, chown};
    let fixture = Fixture::new();
    fixture.file("a.txt", "old");
    let file = fixture.root().join("a.txt");
    let given = chown(&file, Some(12345), Some(12345)).is_ok();
    let before = file.metadata().unwrap();
    let over = WriteFile { overwrite: true, ..asked("a.txt", "new") };
    write_file(&fixture.workspace, &over, &Stop::default()).unwrap();
    let after = file.metadata().unwrap();
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "given away: {given}");
    assert_ne!(after.ino(), before.ino());
}

#[cfg(unix)]
#[test]
fn a_reader_sees_one_whole_text_or_the_other() {
    let fixture = Fixture::new();
    let texts = ["a".repeat(200_000), "b".repeat(100_000)];
    fixture.file("a.txt", &texts[0]);
    let file = fixture.root().join("a.txt");
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..60 {
                let over = WriteFile { overwrite: true, ..asked("a.txt", &texts[round % 2]) };
                write_file(&fixture.workspace, &over, &Stop::default()).unwrap();
            }
        });
        while !writer.is_finished() {
            let seen = std::fs::read_to_string(&file).unwrap();
            assert!(texts.contains(&seen), "{} bytes", seen.len());
        }
    });
}
