//! `search_text`: patterns, case, context, bounds.

use codewhale_native::{Case, Context, Fault, SearchText, Stop, TextFound, search_text};

use crate::fixture::Fixture;

fn search(fixture: &Fixture, asked: SearchText) -> Result<TextFound, Fault> {
    search_text(&fixture.workspace, &asked, &Stop::default())
}

fn pattern(pattern: &str) -> SearchText {
    SearchText { pattern: pattern.to_owned(), ..SearchText::default() }
}

#[test]
fn lines_are_found_with_their_place() {
    let fixture = Fixture::new();
    fixture
        .file("b.txt", "first\r\nécole Needle here\r\n")
        .file("a/c.txt", "needle\n")
        .file("skip.log", "needle\n");
    fixture.file(".gitignore", "*.log\n");
    let found = search(&fixture, pattern("needle$|Needle")).unwrap();
    let places: Vec<_> =
        found.matches.iter().map(|found| (found.path.as_str(), found.line, found.column)).collect();
    assert_eq!(places, [("a/c.txt", 1, 1), ("b.txt", 2, 7)]);
    assert_eq!(found.matches[1].text, "école Needle here");
    assert_eq!((found.searched, found.next_offset, found.binary), (3, None, None));
}

#[test]
fn case_literals_globs_and_paths_narrow_the_search() {
    let fixture = Fixture::new();
    fixture.file("src/a.rs", "Foo(x)\nfoo\n").file("src/b.md", "FOO\n").file("lib/c.rs", "foo\n");
    let check = |asked: SearchText, expected: usize| {
        assert_eq!(search(&fixture, asked.clone()).unwrap().matches.len(), expected, "{asked:?}");
    };
    check(pattern("foo"), 4);
    check(pattern("Foo"), 1);
    check(SearchText { case: Case::Sensitive, ..pattern("foo") }, 2);
    check(SearchText { case: Case::Insensitive, ..pattern("FOO") }, 4);
    check(SearchText { literal: true, ..pattern("o(x)") }, 1);
    check(SearchText { globs: vec!["*.rs".to_owned()], ..pattern("foo") }, 3);
    check(SearchText { globs: vec!["!lib/**".to_owned()], ..pattern("foo") }, 3);
    check(SearchText { path: Some("src".to_owned()), ..pattern("foo") }, 3);
    check(SearchText { path: Some("src/b.md".to_owned()), ..pattern("foo") }, 1);
}

#[test]
fn lines_around_a_match_are_told_once() {
    let fixture = Fixture::new();
    fixture.file("a.txt", "1\n2\nhit\n4\nhit\n6\n7\n");
    let found = search(&fixture, SearchText { context: Some(1), ..pattern("hit") }).unwrap();
    let line = |line, text: &str| Context { line, text: text.to_owned() };
    assert_eq!(
        (&found.matches[0].before, &found.matches[0].after),
        (&vec![line(2, "2")], &vec![line(4, "4")])
    );
    assert_eq!((&found.matches[1].before, &found.matches[1].after), (&vec![], &vec![line(6, "6")]));
}

#[test]
fn pages_make_the_whole_and_each_is_bounded() {
    let fixture = Fixture::new();
    for file in 0..5 {
        fixture.file(&format!("{file}.txt"), "hit\nmiss\n".repeat(30));
    }
    let page = |offset| {
        search(&fixture, SearchText { offset, limit: Some(40), context: Some(1), ..pattern("hit") }).unwrap()
    };
    let (mut places, mut offset) = (Vec::new(), Some(0));
    while let Some(at) = offset {
        let found = page(Some(at));
        assert!(found.matches.len() <= 40);
        places.extend(found.matches.into_iter().map(|found| (found.path, found.line)));
        offset = found.next_offset;
    }
    assert_eq!(places.len(), 150);
    assert!(places.is_sorted());
    fixture.file("wide.txt", format!("{}\n", "w".repeat(600)).repeat(3000));
    let found = search(&fixture, SearchText { limit: Some(2000), ..pattern("w+") }).unwrap();
    let bytes: usize = found.matches.iter().map(|found| found.text.len()).sum();
    assert!(bytes < 300 * 1024, "{bytes}");
    assert_eq!(found.next_offset, Some(found.matches.len() as u64));
}

#[test]
fn what_is_no_text_or_cannot_be_read_is_counted() {
    let fixture = Fixture::new();
    fixture.file("bin", b"needle\n\0needle\n").file("text", "needle\n");
    let found = search(&fixture, pattern("needle")).unwrap();
    assert_eq!((found.searched, found.binary), (2, Some(1)));
    assert!(found.matches.iter().any(|found| found.path == "text"));
}

#[test]
fn patterns_that_make_no_sense_are_told() {
    let fixture = Fixture::new();
    fixture.file("a", "a");
    let check = |asked: &str, expected: &str| {
        let told = search(&fixture, pattern(asked)).unwrap_err().to_string();
        assert!(told.starts_with("`pattern`: ") && told.contains(expected), "{told}");
    };
    check("", "empty");
    check("(", "unclosed group");
    check("(?=a)", "look-around");
    check(r"a\nb", r"\n");
    check(&"a".repeat(5000), "longer than 4096");
    check(r"\w{1000}{1000}", "size limit");
}

#[test]
fn a_pattern_that_others_choke_on_takes_no_time() {
    let fixture = Fixture::new();
    fixture.file("a", "a".repeat(1 << 17));
    let found = search(&fixture, pattern("(a+)+b$")).unwrap();
    assert_eq!((found.matches.len(), found.searched), (0, 1));
}

#[test]
fn a_line_that_is_too_long_ends_the_search_of_its_file_alone() {
    let fixture = Fixture::new();
    fixture.file("a", format!("needle\n{}\nneedle\n", "x".repeat(256 << 10))).file("b", "needle\n");
    let found = search(&fixture, pattern("needle")).unwrap();
    let places: Vec<_> = found.matches.iter().map(|found| (found.path.as_str(), found.line)).collect();
    assert_eq!((places, found.searched, found.unreadable), (vec![("a", 1), ("b", 1)], 1, Some(1)));
}

#[test]
fn patterns_of_every_day_are_small_enough() {
    let fixture = Fixture::new();
    fixture.file("a", "abc");
    for asked in
        [r"\w{1,20}", r"(?i)\bfoo\w*\s+\w+\(\w*\)", r"\d{4}-\d{2}-\d{2}T\S+", r"\p{L}{3}", r"[^\x00-\x7f]{9}"]
    {
        search(&fixture, pattern(asked)).unwrap();
    }
}

#[test]
fn a_call_that_was_cancelled_ends() {
    let fixture = Fixture::new();
    fixture.file("a", "a");
    let stop = Stop::default();
    stop.stop();
    assert!(matches!(search_text(&fixture.workspace, &pattern("a"), &stop), Err(Fault::Cancelled)));
}
