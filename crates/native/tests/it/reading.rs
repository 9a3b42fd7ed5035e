//! `read_file`: pages, long lines, encodings, bytes.

use codewhale_native::{As, Fault, FileRead, ReadFile, Stop, read_file};

use crate::fixture::Fixture;

fn read(
    fixture: &Fixture,
    path: &str,
    offset: Option<u64>,
    limit: Option<u64>,
    form: As,
) -> Result<FileRead, Fault> {
    let asked = ReadFile { path: path.to_owned(), offset, limit, form };
    read_file(&fixture.workspace, &asked, &Stop::default())
}

#[test]
fn a_file_is_read_in_pages_that_make_it_whole() {
    let fixture = Fixture::new();
    let text: String = (1..=5000).map(|line| format!("line {line}\r\n")).collect();
    fixture.file("long.txt", &text);
    for limit in [None, Some(1), Some(999), Some(100_000)] {
        let (mut whole, mut offset, mut pages) = (String::new(), Some(1), 0);
        while let Some(at) = offset {
            let page = read(&fixture, "long.txt", Some(at), limit, As::Text).unwrap();
            assert_eq!((page.first_line, page.size), (Some(at), text.len() as u64));
            whole += page.text.as_deref().unwrap();
            (offset, pages) = (page.next_offset, pages + 1);
            if pages == 7 && limit == Some(1) {
                offset = None;
            }
        }
        assert!(text.starts_with(&whole), "{limit:?}");
        let expected = match limit {
            None => 3,
            Some(1) => 7,
            Some(999) => 6,
            Some(_) => 1,
        };
        assert_eq!(pages, expected, "{limit:?}");
    }
}

#[test]
fn an_answer_is_bounded() {
    let fixture = Fixture::new();
    fixture.file("wide.txt", format!("{}\nnext\n", "x".repeat(1 << 20)));
    let page = read(&fixture, "wide.txt", None, None, As::Text).unwrap();
    assert_eq!((page.cut_lines, page.lines), (vec![1], Some(2)));
    assert_eq!(page.text.map(|text| text.len()), Some(16 * 1024 + 1 + 5));
    fixture.file("many.txt", format!("{}\n", "y".repeat(8000)).repeat(100));
    let page = read(&fixture, "many.txt", None, None, As::Text).unwrap();
    assert!(page.text.is_some_and(|text| text.len() <= 256 * 1024));
    assert_eq!(page.next_offset, Some(page.lines.unwrap() + 1));
}

#[test]
fn arguments_out_of_range_are_told() {
    let fixture = Fixture::new();
    fixture.file("two.txt", "a\nb\n").file("empty.txt", "");
    let told =
        |path: &str, offset, limit, form| read(&fixture, path, offset, limit, form).unwrap_err().to_string();
    assert_eq!(told("two.txt", Some(0), None, As::Text), "`offset`: lines count from 1");
    assert_eq!(told("two.txt", Some(4), None, As::Text), "`offset`: `two.txt` has 2 lines");
    assert_eq!(told("two.txt", None, Some(0), As::Text), "`limit`: it must be 1 or more");
    assert_eq!(told("two.txt", Some(5), None, As::Base64), "`offset`: `two.txt` has 4 bytes");
    let empty = read(&fixture, "empty.txt", None, None, As::Text).unwrap();
    assert_eq!((empty.text.as_deref(), empty.lines, empty.next_offset), (Some(""), Some(0), None));
}

#[test]
fn what_is_no_text_is_told_and_read_as_bytes() {
    let fixture = Fixture::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(700_000).collect();
    fixture.file("shot.png", &bytes);
    let told = read(&fixture, "shot.png", None, None, As::Text).unwrap_err().to_string();
    assert_eq!(
        told,
        "`shot.png` is no text: there is a NUL byte at 0, of 700000 bytes in all; `as: \"base64\"` reads it as it is"
    );
    let first = read(&fixture, "shot.png", None, None, As::Base64).unwrap();
    assert_eq!((first.media_type.as_deref(), first.next_offset), (Some("image/png"), Some(512 * 1024)));
    let second = read(&fixture, "shot.png", first.next_offset, None, As::Base64).unwrap();
    assert_eq!(second.next_offset, None);
    assert_eq!(first.base64.unwrap().len() / 4 * 3 + second.base64.unwrap().len() / 4 * 3, 700_000 + 2);
}

#[test]
fn encodings_are_told() {
    let fixture = Fixture::new();
    fixture.file("latin.txt", b"caf\xe9 \xff\n").file("mark.txt", "\u{feff}marked\n");
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("né\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    fixture.file("wide.txt", wide);
    let read = |path: &str| super::reading::read(&fixture, path, None, None, As::Text).unwrap();
    let latin = read("latin.txt");
    assert_eq!((latin.text.as_deref(), latin.invalid), (Some("caf\u{fffd} \u{fffd}\n"), Some(2)));
    let mark = read("mark.txt");
    assert_eq!((mark.text.as_deref(), mark.invalid, mark.encoding), (Some("marked\n"), None, None));
    let wide = read("wide.txt");
    assert_eq!((wide.text.as_deref(), wide.encoding.as_deref()), (Some("né\n"), Some("UTF-16LE")));
}

#[test]
fn a_line_that_never_ends_is_given_up() {
    let fixture = Fixture::new();
    fixture.file("a", "one\n");
    let file = std::fs::File::options().append(true).open(fixture.root().join("a")).unwrap();
    let mut text = std::io::BufWriter::new(&file);
    std::io::Write::write_all(&mut text, &[b'x'; 16 * 1024]).unwrap();
    drop(text);
    // The rest is a hole.
    file.set_len(1 << 40).unwrap();
    let told = |offset| read(&fixture, "a", Some(offset), None, As::Text).unwrap_err().to_string();
    for offset in [1, 2, 3] {
        assert!(told(offset).starts_with("line 2 of `a` is longer than 67108864 bytes"), "{}", told(offset));
    }
    assert_eq!(read(&fixture, "a", None, Some(1), As::Text).unwrap().next_offset, Some(2));
}

#[test]
fn a_call_that_was_cancelled_ends() {
    let fixture = Fixture::new();
    fixture.file("two.txt", "a\nb\n");
    let stop = Stop::default();
    stop.stop();
    let asked = ReadFile { path: "two.txt".to_owned(), offset: Some(2), ..ReadFile::default() };
    assert!(matches!(read_file(&fixture.workspace, &asked, &stop), Err(Fault::Cancelled)));
}
