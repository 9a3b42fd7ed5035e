//! `find_files`: globs, what is ignored, order and pages.

use codewhale_native::{Fault, FindFiles, Stop, find_files};

use crate::fixture::Fixture;

fn planted() -> Fixture {
    let fixture = Fixture::new();
    for path in [
        "README.md",
        "src/main.rs",
        "src/look/mod.rs",
        "src/look/deep.rs",
        "target/debug/main.rs",
        ".github/ci.yml",
        "docs/notes.log",
        "docs/kept.log",
        "vendor/lib.rs",
        "docs/inner/a.tmp",
        ".git/hooks/x.rs",
    ] {
        fixture.file(path, "");
    }
    fixture.file(".gitignore", "/target\n*.log\n!kept.log\n").file(".ignore", "vendor/\n");
    fixture.file("docs/.gitignore", "*.tmp\n");
    fixture
}

fn find(fixture: &Fixture, asked: FindFiles) -> Vec<String> {
    find_files(&fixture.workspace, &asked, &Stop::default()).expect("the arguments make sense").paths
}

#[test]
fn what_is_ignored_is_left_out_unless_asked_for() {
    let fixture = planted();
    let check = |pattern: &str, path: Option<&str>, include_ignored: bool, expected: &[&str]| {
        let path = path.map(ToOwned::to_owned);
        let asked = FindFiles { pattern: pattern.to_owned(), path, include_ignored, ..FindFiles::default() };
        assert_eq!(find(&fixture, asked), expected, "{pattern}");
    };
    check("*.rs", None, false, &["src/look/deep.rs", "src/look/mod.rs", "src/main.rs"]);
    check("src/*.rs", None, false, &["src/main.rs"]);
    check("*.{log,tmp}", None, false, &["docs/kept.log"]);
    check("*.tmp", Some("docs/inner"), false, &[]);
    check("*.yml", None, false, &[".github/ci.yml"]);
    check("*.rs", Some("target"), false, &["target/debug/main.rs"]);
    check("look/*", Some("src"), false, &["src/look/deep.rs", "src/look/mod.rs"]);
    let all = [
        ".git/hooks/x.rs",
        "src/look/deep.rs",
        "src/look/mod.rs",
        "src/main.rs",
        "target/debug/main.rs",
        "vendor/lib.rs",
    ];
    check("*.rs", None, true, &all);
    check("nothing", None, true, &[]);
}

#[test]
fn pages_make_the_whole() {
    let fixture = planted();
    let asked = |offset, limit| FindFiles { pattern: "*".to_owned(), offset, limit, ..FindFiles::default() };
    let whole = find(&fixture, asked(None, None));
    let (mut paths, mut offset) = (Vec::new(), Some(0));
    while let Some(at) = offset {
        let page = find_files(&fixture.workspace, &asked(Some(at), Some(2)), &Stop::default()).unwrap();
        assert!(page.paths.len() <= 2);
        paths.extend(page.paths);
        offset = page.next_offset;
    }
    assert_eq!(paths, whole);
    assert!(whole.is_sorted());
}

#[test]
fn a_pattern_that_makes_no_sense_is_told() {
    let fixture = planted();
    for pattern in ["", "a{b", "[z-a]"] {
        let asked = FindFiles { pattern: pattern.to_owned(), ..FindFiles::default() };
        let told = find_files(&fixture.workspace, &asked, &Stop::default()).unwrap_err();
        assert!(matches!(told, Fault::Argument { name: "pattern", .. }), "{pattern}: {told}");
    }
}

#[test]
fn a_call_that_was_cancelled_ends() {
    let stop = Stop::default();
    stop.stop();
    let asked = FindFiles { pattern: "*".to_owned(), ..FindFiles::default() };
    assert!(matches!(find_files(&planted().workspace, &asked, &stop), Err(Fault::Cancelled)));
}

#[cfg(unix)]
#[test]
fn links_are_listed_and_not_followed() {
    let fixture = planted();
    fixture.link("src/circle", "..").link("src/away", "../../outside");
    let asked = FindFiles { pattern: "src/**".to_owned(), ..FindFiles::default() };
    assert_eq!(
        find(&fixture, asked),
        ["src/away", "src/circle", "src/look/deep.rs", "src/look/mod.rs", "src/main.rs"]
    );
}
