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
    let wanted: Vec<&str> = wanted.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .collect();
    let found = lines
        .windows(wanted.len().max(1))
        .find(|window| !wanted.is_empty() && window.iter().map(|(_, line)| line).eq(wanted.iter()))?;
    found.first().map(|(number, _)| *number)
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
    }
}
