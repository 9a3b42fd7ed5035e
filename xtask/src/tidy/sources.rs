//! What a source file looks like.

/// The most lines of a file, its inline tests apart.
const MOST_LINES: usize = 400;

/// Words that stand for something unfinished, in parts so that this file does not hold them.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ign", "ore")];

/// What is wrong with one file. `expose_allowed` holds the beginnings of paths where secrets may be taken out.
pub(crate) fn check(name: &str, text: &str, expose_allowed: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |what: String| faults.push(format!("{name}: {what}"));
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let lines = code.lines().count();
    if lines > MOST_LINES {
        fault(format!("{lines} lines, {MOST_LINES} is the most"));
    }
    if !text.starts_with("//! ") {
        fault("does not begin with what it is for (`//!`)".into());
    }
    if name.ends_with("/mod.rs")
        && code.lines().any(|line| line.contains("fn ") && !line.trim_start().starts_with("//"))
    {
        fault("a mod.rs explains and lists, it holds no code".into());
    }
    if name == "crates/codewhale/src/main.rs" && lines >= 60 {
        fault("the binary stays under 60 lines".into());
    }
    for word in UNFINISHED {
        if text.contains(word) {
            fault(format!("holds {word}"));
        }
    }
    if code.contains(concat!(".expose", "()")) && !expose_allowed.iter().any(|start| name.starts_with(start))
    {
        fault("takes a secret out, which only the places in xtask/layers.toml may".into());
    }
    if name.contains("/tests/") && text.contains(concat!("thread::", "sleep(")) {
        fault("a test waits for an event, not for time".into());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn each_rule_finds_what_it_is_for() {
        let faults = |name: &str, text: &str| check(name, text, &["crates/redact/".to_owned()]);
        assert!(faults("crates/a/src/lib.rs", "//! Fine.\nfn f() {}\n").is_empty());
        let long = format!("//! Long.\n{}", "\n".repeat(400));
        assert_eq!(faults("a.rs", &long), ["a.rs: 401 lines, 400 is the most"]);
        let tests_apart = format!("//! Fine.\n#[cfg(test)]\n{}", "\n".repeat(500));
        assert!(faults("a.rs", &tests_apart).is_empty());
        assert_eq!(faults("a.rs", "fn f() {}").len(), 1);
        assert_eq!(faults("a/mod.rs", "//! List.\nfn f() {}").len(), 1);
        assert!(faults("a/mod.rs", "//! List.\nmod b;\npub use b::f;\n").is_empty());
        assert_eq!(faults("a.rs", concat!("//! Not.\n// TO", "DO")).len(), 1);
        let taken = concat!("//! Takes.\nfn f() { s.expose", "() }");
        assert_eq!(faults("crates/a/src/lib.rs", taken).len(), 1);
        assert!(faults("crates/redact/src/lib.rs", taken).is_empty());
        let main = format!("//! Long.\n{}", "\n".repeat(60));
        assert_eq!(faults("crates/codewhale/src/main.rs", &main).len(), 1);
        assert_eq!(faults("crates/a/tests/it/b.rs", concat!("//! Waits.\nthread::", "sleep(d)")).len(), 1);
    }
}
