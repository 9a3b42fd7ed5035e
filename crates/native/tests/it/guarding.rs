//! What the guard lets through, and in which words it refuses.

use codewhale_native::{
    EditFile, Fault, FindFiles, Keep, ListDirectory, ReadFile, SearchText, Stop, Workspace, WriteFile,
    edit_file, find_files, list_directory, read_file, search_text, write_file,
};

use crate::fixture::Fixture;

fn read(fixture: &Fixture, path: &str) -> Result<String, String> {
    let asked = ReadFile { path: path.to_owned(), ..ReadFile::default() };
    let read = read_file(&fixture.workspace, &asked, &Stop::default());
    read.map(|read| read.text.unwrap_or_default()).map_err(|fault| fault.to_string())
}

/// What every tool says to a path.
fn all(fixture: &Fixture, path: &str) -> Vec<Result<(), Fault>> {
    let (workspace, stop, path) = (&fixture.workspace, Stop::default(), path.to_owned());
    let some = Some(path.clone());
    vec![
        read_file(workspace, &ReadFile { path: path.clone(), ..ReadFile::default() }, &stop).map(drop),
        list_directory(workspace, &ListDirectory { path: some.clone(), ..ListDirectory::default() }, &stop)
            .map(drop),
        find_files(
            workspace,
            &FindFiles { pattern: "*".to_owned(), path: some.clone(), ..FindFiles::default() },
            &stop,
        )
        .map(drop),
        search_text(
            workspace,
            &SearchText { pattern: "s".to_owned(), path: some, ..SearchText::default() },
            &stop,
        )
        .map(drop),
        write_file(
            workspace,
            &WriteFile {
                path: path.clone(),
                text: "x".to_owned(),
                overwrite: true,
                create_directories: true,
            },
            &Stop::default(),
        )
        .map(drop),
        edit_file(
            workspace,
            &EditFile { path, old_text: "s".to_owned(), new_text: "x".to_owned(), replace_all: true },
            &Stop::default(),
        )
        .map(drop),
    ]
}

#[test]
fn no_tool_goes_outside() {
    let fixture = Fixture::new();
    fixture.file("a/file", "inside");
    let outside = fixture.outside();
    let absolute = outside.join("secret");
    let mut paths = vec![
        "..",
        "../",
        "../outside",
        "../outside/secret",
        "a/../..",
        "a/../../outside/secret",
        "./.././outside/secret",
        "/",
        "/etc/passwd",
        "/proc/self/environ",
        "//",
        "",
        "a\0b",
    ];
    paths.push(absolute.to_str().unwrap());
    for path in paths {
        for (tool, outcome) in all(&fixture, path).into_iter().enumerate() {
            let told = outcome.expect_err(&format!("{path:?} {tool}")).to_string();
            assert!(
                told.contains("outside of the workspace") || told.contains("empty") || told.contains("NUL"),
                "{path:?}: {told}"
            );
        }
    }
    assert_eq!(std::fs::read_to_string(absolute).unwrap(), crate::fixture::SECRET);
    assert_eq!(std::fs::read_dir(outside).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn no_tool_follows_a_link_that_leaves() {
    let fixture = Fixture::new();
    fixture.file("a/file", "inside").link("up", "../outside").link("a/abs", fixture.outside());
    fixture.link("chain", "a/abs").link("deep", "a/../../outside").link("file", "../outside/secret");
    for path in ["up", "up/secret", "a/abs", "chain/secret", "deep/secret", "file", "up/new", "a/abs/new"] {
        for (tool, outcome) in all(&fixture, path).into_iter().enumerate() {
            let told = outcome.expect_err(&format!("{path:?} {tool}")).to_string();
            assert!(told.contains("leads out of the workspace through the link"), "{path:?}: {told}");
        }
    }
    assert_eq!(std::fs::read_dir(fixture.outside()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_that_stay_inside_are_followed() {
    let fixture = Fixture::new();
    fixture.file("a/b/file", "inside").link("near", "a/b").link("a/b/back", "../../a");
    fixture.link("absolute", fixture.root().join("a/b/file")).link("dangling", "a/nothing");
    for path in ["near/file", "near/back/b/file", "absolute", "near/../b/file", "a/../near/./file"] {
        assert_eq!(read(&fixture, path), Ok("inside".to_owned()), "{path}");
    }
    let whole = fixture.root().join("near/file");
    assert_eq!(read(&fixture, whole.to_str().unwrap()), Ok("inside".to_owned()));
    assert_eq!(read(&fixture, "dangling"), Err("there is no `dangling`".to_owned()));
    let asked = ReadFile { path: "near/file".to_owned(), ..ReadFile::default() };
    assert_eq!(read_file(&fixture.workspace, &asked, &Stop::default()).unwrap().path, "a/b/file");
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_end() {
    let fixture = Fixture::new();
    fixture.link("one", "two").link("two", "one").link("self", "self/x");
    for path in ["one", "self"] {
        assert_eq!(read(&fixture, path), Err(format!("`{path}` goes through more than 40 links")));
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_opened() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let fixture = Fixture::new();
    let _socket = std::os::unix::net::UnixListener::bind(fixture.root().join("socket")).unwrap();
    // Nobody writes there: to open it in the usual way would wait for ever.
    mknodat(CWD, fixture.root().join("fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    fixture.file("file", "inside");
    let check = |path: &str, expected: &str| {
        assert_eq!(read(&fixture, path), Err(expected.to_owned()));
    };
    check("fifo", "`fifo` is a FIFO: only regular files are read and written");
    check("socket", "`socket` is a socket: only regular files are read and written");
    check(".", "`.` is a directory: only regular files are read and written");
    check("file/more", "`file` is a file, not a directory");
    check("nothing", "there is no `nothing`");
    check("nothing/more", "there is no `nothing/more`");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_long_or_no_text_do_no_harm() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    fixture.file("file", "needle");
    std::fs::write(fixture.root().join(std::ffi::OsStr::from_bytes(b"bad\xff")), "needle").unwrap();
    let long = "x".repeat(5000);
    assert_eq!(read(&fixture, &long), Err("the path is longer than 4096 bytes".to_owned()));
    let name = "y".repeat(300);
    assert!(read(&fixture, &name).unwrap_err().starts_with("cannot use `yyy"));
    let deep = "d/".repeat(200);
    std::fs::create_dir_all(fixture.root().join(&deep)).unwrap();
    assert!(read(&fixture, &format!("{deep}f")).unwrap_err().contains("deeper than 128 directories"));

    let listed = list_directory(&fixture.workspace, &ListDirectory::default(), &Stop::default()).unwrap();
    let names: Vec<_> = listed.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["bad\u{fffd}", "d", "file"]);
    let asked = SearchText { pattern: "needle".to_owned(), ..SearchText::default() };
    let found = search_text(&fixture.workspace, &asked, &Stop::default()).unwrap();
    assert_eq!((found.matches.len(), found.cut), (2, true));
}

#[test]
fn our_own_files_are_kept_away() {
    let fixture = Fixture::keeping(|work| Keep {
        away: vec![work.join("home/.codewhale")],
        unwritten: vec![work.join("mcp.json")],
    });
    fixture.file("home/.codewhale/credentials.json", "token").file("mcp.json", "{\"token\": 1}");
    let told = read(&fixture, "home/.codewhale/credentials.json").unwrap_err();
    assert_eq!(
        told,
        "`home/.codewhale/credentials.json` belongs to codewhale itself: its tools neither read nor write there"
    );
    assert!(read(&fixture, "mcp.json").is_ok());
    let asked = SearchText { pattern: "token".to_owned(), include_ignored: true, ..SearchText::default() };
    let found = search_text(&fixture.workspace, &asked, &Stop::default()).unwrap();
    assert_eq!(found.matches.len(), 1, "{found:?}");
    let asked = ListDirectory { path: Some("home".to_owned()), ..ListDirectory::default() };
    assert_eq!(list_directory(&fixture.workspace, &asked, &Stop::default()).unwrap().total, 0);
    for path in ["home/.codewhale/new", "mcp.json"] {
        let asked = WriteFile {
            path: path.to_owned(),
            text: "x".to_owned(),
            overwrite: true,
            create_directories: true,
        };
        assert!(write_file(&fixture.workspace, &asked, &Stop::default()).is_err(), "{path}");
    }
    assert_eq!(fixture.text("mcp.json"), "{\"token\": 1}");
}

#[cfg(unix)]
#[test]
fn what_is_protected_need_not_be_there_nor_be_named_without_links() {
    let fixture = Fixture::new();
    let (root, outside) = (fixture.root(), fixture.outside());
    let link = |name: &str, target: &std::path::Path| {
        std::os::unix::fs::symlink(target, outside.join(name)).unwrap();
        outside.join(name)
    };
    let through = link("through", &root);
    let dangling = link("dangling", &root.join("second.json"));
    let keep = Keep {
        away: vec![through.join("home/.ours"), through.join("gone/../kept")],
        unwritten: vec![through.join("conf/first.json"), dangling],
    };
    let workspace = Workspace::open(&root, &keep).unwrap();
    for path in ["home/.ours/a", "kept/a", "conf/first.json", "second.json"] {
        let asked = WriteFile {
            path: path.to_owned(),
            text: "x".to_owned(),
            create_directories: true,
            ..WriteFile::default()
        };
        assert!(write_file(&workspace, &asked, &Stop::default()).is_err(), "{path}");
        assert!(!root.join(path).exists(), "{path}");
    }
    let inside = keep.away.first().unwrap().clone();
    std::fs::create_dir_all(root.join("home/.ours/below")).unwrap();
    let keep = Keep { away: vec![inside], ..Keep::default() };
    assert!(Workspace::open(&root.join("home/.ours/below"), &keep).is_err());
}

#[test]
fn what_programs_obey_is_read_and_not_written() {
    let fixture = Fixture::new();
    fixture.file(".git/config", "old").file("sub/.codewhale/mcp.json", "old").file(".gitignore", "old");
    for path in [".git/config", ".git/hooks/pre-commit", ".GIT/config", "sub/.codewhale/mcp.json"] {
        let asked = WriteFile {
            path: path.to_owned(),
            text: "x".to_owned(),
            overwrite: true,
            create_directories: true,
        };
        let told = write_file(&fixture.workspace, &asked, &Stop::default()).unwrap_err().to_string();
        assert!(told.contains("is not written: programs take orders"), "{path}: {told}");
    }
    let asked = EditFile {
        path: ".git/config".to_owned(),
        old_text: "old".to_owned(),
        new_text: "x".to_owned(),
        replace_all: false,
    };
    assert!(edit_file(&fixture.workspace, &asked, &Stop::default()).is_err());
    assert_eq!(read(&fixture, ".git/config"), Ok("old".to_owned()));
    assert_eq!(fixture.names(".git"), ["config"]);
    let asked = WriteFile {
        path: ".gitignore".to_owned(),
        text: "new".to_owned(),
        overwrite: true,
        ..WriteFile::default()
    };
    write_file(&fixture.workspace, &asked, &Stop::default()).unwrap();
    assert_eq!(fixture.text(".gitignore"), "new");
}

#[test]
fn a_workspace_that_is_too_much_is_refused() {
    let told = |path: &std::path::Path, keep: &Keep| Workspace::open(path, keep).unwrap_err().to_string();
    let root = std::env::temp_dir().ancestors().last().unwrap().to_path_buf();
    assert!(told(&root, &Keep::default()).contains("root of the system"));
    let fixture = Fixture::new();
    fixture.file("home/logs/x", "");
    let keep = Keep { away: vec![fixture.root().join("home")], ..Keep::default() };
    assert!(told(&fixture.root().join("home/logs"), &keep).contains("codewhale itself"));
    assert!(Workspace::open(&fixture.root().join("nothing"), &Keep::default()).is_err());
}
