//! Lines in any chunking.

use codewhale_mcp_protocol::{LineScanner, LineTooLong, trim_line};
use proptest::prelude::*;

/// The lines of `chunks`, each as it was found.
fn lines(chunks: &[&[u8]], limit: usize) -> Result<Vec<Vec<u8>>, LineTooLong> {
    let (mut scanner, mut buffer, mut found) = (LineScanner::new(limit), Vec::new(), Vec::new());
    for chunk in chunks {
        buffer.extend_from_slice(chunk);
        while let Some(length) = scanner.next(&buffer)? {
            found.push(buffer.drain(..length).collect());
        }
    }
    Ok(found)
}

#[test]
fn a_line_ends_with_a_line_feed_wherever_the_chunks_end() {
    let expected = Ok(vec![b"a\n".to_vec(), b"\r\n".to_vec(), b"\xc3\xa9\n".to_vec()]);
    assert_eq!(lines(&[b"a\n\r\n\xc3\xa9\nrest"], 100), expected);
    let text = b"a\n\r\n\xc3\xa9\nrest";
    let single: Vec<&[u8]> = text.chunks(1).collect();
    assert_eq!(lines(&single, 100), expected);
}

#[test]
fn the_limit_counts_the_line_without_its_end() {
    assert_eq!(lines(&[b"1234\n"], 4), Ok(vec![b"1234\n".to_vec()]));
    assert_eq!(lines(&[b"12345\n"], 4), Err(LineTooLong { limit: 4 }));
    assert_eq!(lines(&[b"12", b"34", b"5"], 4), Err(LineTooLong { limit: 4 }));
    assert_eq!(lines(&[b"1\n12345"], 4), Err(LineTooLong { limit: 4 }));
}

#[test]
fn line_ends_white_space_and_a_byte_order_mark_are_no_part_of_a_message() {
    for line in ["{}\n", "{}\r\n", " {}\t\r\n", "\u{feff}{}\n", "{}"] {
        assert_eq!(trim_line(line.as_bytes()), b"{}");
    }
    assert_eq!(trim_line(b"\r\n"), b"");
    assert_eq!(trim_line("\"\u{feff}\"".as_bytes()), "\"\u{feff}\"".as_bytes(), "inside it is content");
}

proptest! {
    #[test]
    fn chunking_changes_nothing(
        text in prop::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
        size in 1..20_usize,
    ) {
        let chunks: Vec<&[u8]> = text.chunks(size).collect();
        let whole: Vec<Vec<u8>> = text
            .split_inclusive(|byte| *byte == b'\n')
            .filter(|line| line.ends_with(b"\n"))
            .map(<[u8]>::to_vec)
            .collect();
        prop_assert_eq!(lines(&chunks, 1000), Ok(whole));
    }
}
