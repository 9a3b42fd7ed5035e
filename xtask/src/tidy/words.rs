//! Words that belong to one machine or one person's day, in any text file.

/// In parts, so that this file does not hold them.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/shared"),
    concat!("/tm", "p/cw"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
];

const REGISTRY_HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("registry.npm", "js.org"),
    concat!("py", "pi.org"),
    concat!("proxy.go", "lang.org"),
];

/// Words that stand for something unfinished.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// What is wrong with the words of one file.
pub(crate) fn check(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut fault = |what: &str, word: &str| faults.push(format!("{name}:{}: {what} {word}", number + 1));
        for word in MACHINE_PATHS.iter().filter(|word| begins_a_path(line, word)) {
            fault("holds a path of one machine,", word);
        }
        for word in REGISTRY_HOSTS.iter().filter(|word| line.contains(**word)) {
            fault("names a registry,", word);
        }
        for word in UNFINISHED.iter().filter(|word| stands_alone(line, word)) {
            fault("is unfinished:", word);
        }
    }
    faults
}

/// Whether a path starts with `word` somewhere in the line; within a longer path it means nothing.
fn begins_a_path(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-/".contains(before))
    })
}

fn stands_alone(line: &str, word: &str) -> bool {
    let is_part =
        |character: Option<char>| character.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(word).any(|(at, _)| {
        !is_part(line[..at].chars().next_back()) && !is_part(line[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_word_is_found_with_its_line() {
        for word in [MACHINE_PATHS, REGISTRY_HOSTS, UNFINISHED].concat() {
            let faults = check("a.md", &format!("fine\nsee \"{word}x\" or {word}: y"));
            assert_eq!(faults.len(), 1, "{word}");
            assert!(faults[0].starts_with("a.md:2: "), "{faults:?}");
        }
    }

    #[test]
    fn a_part_of_a_longer_word_or_path_is_no_fault() {
        let text = [concat!("/home/x/ro", "ot/y"), concat!("NO", "TO", "DOS"), "target/root/"].join("\n");
        assert!(check("a.md", &text).is_empty());
    }
}
