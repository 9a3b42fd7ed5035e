//! What comes near a text that is not there.

/// What a model may have got wrong, as the rest of a sentence; empty where nothing comes near.
pub(super) fn near(text: &str, wanted: &str) -> String {
    if text.contains('\r') && text.replace("\r\n", "\n").contains(&wanted.replace("\r\n", "\n")) {
        return ": its lines end with CRLF there".to_owned();
    }
    if !text.contains('\r') && wanted.contains('\r') && text.contains(&wanted.replace("\r\n", "\n")) {
        return ": its lines end without CR there".to_owned();
    }
    match similar(text, wanted) {
        Some(line) => format!(": line {line} begins the same but for blanks; they have to be exact"),
        None => ": it has to be exact, blanks included; read the file first".to_owned(),
    }
}

/// The number of the first line where the same lines begin, blanks at both ends of each left aside.
fn similar(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (Bare::of(text), Bare::of(wanted));
    let at = text.joined.find(&wanted.joined).filter(|_| !wanted.numbers.is_empty())?;
    let before = memchr::memchr_iter(b'\n', &text.joined.as_bytes()[..at]).count();
    text.numbers.get(before).copied()
}

/// The lines of a text that are not empty, without blanks at their ends. One search finds lines in it, however often
/// they almost stand there.
struct Bare {
    /// With an end of line before and behind each.
    joined: String,
    numbers: Vec<usize>,
}

impl Bare {
    fn of(text: &str) -> Self {
        let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
        let mut bare = Self { joined: String::from("\n"), numbers: Vec::new() };
        for (number, line) in lines {
            bare.joined.push_str(line);
            bare.joined.push('\n');
            bare.numbers.push(number + 1);
        }
        bare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_near_is_told() {
        let check = |text: &str, wanted: &str, expected: &str| {
            assert!(near(text, wanted).contains(expected), "{}", near(text, wanted));
        };
        check("a\r\nb\r\n", "a\nb", "end with CRLF");
        check("a\nb\n", "a\r\nb", "without CR");
        check("x\n\n    a\n  b\n", "a\nb", "line 3 begins");
        check("x\n", "y", "read the file first");
        check("x\n", "\n\n", "read the file first");
        check("aa\na\nb\n", " a\nb", "line 2 begins");
    }

    #[test]
    fn lines_that_almost_stand_there_everywhere_are_looked_for_once() {
        let (text, wanted) = ("a\n".repeat(1 << 20), format!("{}b", " a\n".repeat(1 << 19)));
        assert_eq!(similar(&text, &wanted), None);
        assert_eq!(similar(&format!("{text}b\n"), &wanted), Some((1 << 19) + 1));
    }
}
