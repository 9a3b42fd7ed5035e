//! Long text, shortened between two characters.

/// The beginning of a text, at most `limit` bytes, and how many bytes are left out.
pub(crate) fn cut(text: &str, limit: usize) -> (&str, usize) {
    if text.len() <= limit {
        return (text, 0);
    }
    let start = &text[..text.floor_char_boundary(limit)];
    (start, text.len() - start.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_never_splits_a_character() {
        assert_eq!(cut("abc", 3), ("abc", 0));
        assert_eq!(cut("abcd", 3), ("abc", 1));
        assert_eq!(cut("aé查x", 2), ("a", 6));
        assert_eq!(cut("aé查x", 3), ("aé", 4));
        assert_eq!(cut("查", 0), ("", 3));
    }
}
