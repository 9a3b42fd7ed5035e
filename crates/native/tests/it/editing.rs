//! `edit_file`: exact, once, and no edit is lost.

use codewhale_native::{EditFile, Fault, FileEdited, Stop, WriteFile, edit_file, write_file};

use crate::fixture::Fixture;

fn edit(fixture: &Fixture, old: &str, new: &str, replace_all: bool) -> Result<FileEdited, Fault> {
    let (path, old_text, new_text) = ("a.txt".to_owned(), old.to_owned(), new.to_owned());
    edit_file(&fixture.workspace, &EditFile { path, old_text, new_text, replace_all }, &Stop::default())
}

#[test]
fn a_text_that_stands_once_is_replaced() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "one\ntwo three\nfour\n");
    let edited = edit(&fixture, "two", "2", false).unwrap();
    assert_eq!(fixture.text("a.txt"), "one\n2 three\nfour\n");
    assert_eq!((edited.replaced, edited.size), (1, 17));
    let change = &edited.changes[0];
    assert_eq!((change.line, change.before.as_str(), change.after.as_str()), (2, "two three", "2 three"));
    assert_eq!(fixture.names("."), ["a.txt"]);
}

#[test]
fn several_places_are_replaced_on_purpose_alone() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "x\nx y\n");
    let told = edit(&fixture, "x", "z", false).unwrap_err().to_string();
    assert!(told.contains("2 times, first at lines 1, 2") && told.contains("replace_all"), "{told}");
    assert_eq!(fixture.text("a.txt"), "x\nx y\n");
    let edited = edit(&fixture, "x", "z\nz", true).unwrap();
    assert_eq!(fixture.text("a.txt"), "z\nz\nz\nz y\n");
    let lines: Vec<_> = edited.changes.iter().map(|change| (change.line, change.after.as_str())).collect();
    assert_eq!(lines, [(1, "z\nz"), (3, "z\nz y")]);
}

#[test]
fn what_is_not_there_changes_nothing() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "one\r\ntwo\r\n");
    let told = |old: &str, new: &str| edit(&fixture, old, new, false).unwrap_err().to_string();
    assert!(told("one\ntwo", "x").ends_with("its lines end with CRLF there"));
    assert!(told("three", "x").contains("`old_text` does not stand in `a.txt`"));
    assert!(told("", "x").starts_with("`old_text`: it is empty"));
    assert!(told("one", "one").starts_with("`new_text`: it is the same"));
    assert_eq!(fixture.text("a.txt"), "one\r\ntwo\r\n");
    fixture.file("a.txt", b"caf\xe9");
    assert_eq!(told("caf", "x"), "`a.txt` is not UTF-8 from byte 3 on, so its text is not edited");
}

#[test]
fn edits_at_the_same_time_are_all_kept() {
    let fixture = Fixture::new();
    let words: Vec<String> = (10..42).map(|number| format!("<{number}>")).collect();
    fixture.file("a.txt", words.join("\n"));
    std::thread::scope(|scope| {
        for word in &words {
            let fixture = &fixture;
            scope.spawn(move || edit(fixture, word, "done", false).unwrap());
        }
    });
    assert_eq!(fixture.text("a.txt"), ["done"; 32].join("\n"));
}

#[test]
fn an_edit_that_grows_beyond_the_bound_is_refused() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "x".repeat(100_000));
    let told = edit(&fixture, "x", &"y".repeat(1000), true).unwrap_err().to_string();
    assert_eq!(told, "`a.txt` after the edit has 100000000 bytes; at most 8388608 are written at once");
}

#[test]
fn lines_that_did_not_change_are_not_told() {
    let check = |old: &str, new: &str, before: &str, after: &str| {
        let fixture = Fixture::new();
        fixture.file("a.txt", "one\ntwo\nthree\n");
        let edited = edit(&fixture, old, new, false).unwrap();
        let change = &edited.changes[0];
        assert_eq!((change.before.as_str(), change.after.as_str()), (before, after), "{old:?} to {new:?}");
    };
    check("two\n", "2\n", "two", "2");
    check("two\n", "", "two", "");
    check("two\n", "2", "two\nthree", "2three");
    check("wo\n", "", "two\nthree", "tthree");
    check("wo\n", "oo\n", "two", "too");
    check("two", "2\n", "two", "2\n");
    check("three\n", "", "three", "");
}

#[test]
fn a_call_that_was_cancelled_writes_nothing() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "one");
    let stop = Stop::default();
    stop.stop();
    let (path, old_text, new_text) = ("a.txt".to_owned(), "one".to_owned(), "two".to_owned());
    let asked = EditFile { path, old_text, new_text, replace_all: false };
    assert!(matches!(edit_file(&fixture.workspace, &asked, &stop), Err(Fault::Cancelled)));
    let asked = WriteFile { path: "b.txt".to_owned(), text: "two".to_owned(), ..WriteFile::default() };
    assert!(matches!(write_file(&fixture.workspace, &asked, &stop), Err(Fault::Cancelled)));
    assert_eq!((fixture.text("a.txt").as_str(), fixture.names(".")), ("one", vec!["a.txt".to_owned()]));
}
