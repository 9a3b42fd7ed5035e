//! What a source file looks like.

/// The most lines of a file, its inline tests apart.
const MOST_LINES: usize = 400;

/// What is wrong with one file. `expose_allowed` holds the beginnings of paths where secrets may be taken out.
pub(crate) fn check(name: &str, text: &str, expose_allowed: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |what: String| faults.push(format!("{name}: {what}"));
    let (code, tests) = text.split_once("#[cfg(test)]").unwrap_or((text, ""));
    let lines = code.lines().count();
    if lines > MOST_LINES {
        fault(format!("{lines} lines, {MOST_LINES} is the most"));
    }
    if !text.starts_with("//! ") {
        fault("does not begin with what it is for (`//!`)".into());
    }
    if name.ends_with("/mod.rs")
        && let Some(line) = first_that_does_more_than_list(text)
    {
        fault(format!("a mod.rs explains and lists, it does not hold {line}"));
    }
    if name == "crates/codewhale/src/main.rs" && lines >= 60 {
        fault("the binary stays under 60 lines".into());
    }
    if text.contains(concat!("#[ign", "ore")) {
        fault("holds a test that never runs".into());
    }
    if code.contains(concat!(".expose", "()"))
        && !in_tests(name)
        && !expose_allowed.iter().any(|start| name.starts_with(start))
    {
        fault("takes a secret out, which only the places in xtask/layers.toml may".into());
    }
    let tests = if in_tests(name) { text } else { tests };
    let clock_is_paused = text.contains("start_paused = true");
    if tests.contains(THREAD_SLEEP) || (tests.contains(TIMER_SLEEP) && !clock_is_paused) {
        fault("a test waits for an event, not for time".into());
    }
    faults
}

const THREAD_SLEEP: &str = concat!("thread::", "sleep(");
/// Under a paused clock it takes no time.
const TIMER_SLEEP: &str = concat!("time::", "sleep(");

fn in_tests(name: &str) -> bool {
    name.starts_with("tests/") || name.contains("/tests/")
}

/// Statements may run over several lines; they end with a semicolon.
fn first_that_does_more_than_list(text: &str) -> Option<&str> {
    let mut within = false;
    text.lines().map(str::trim).find(|line| {
        let statement = line.split_once(" ").map_or(*line, |(first, rest)| match first {
            "pub" | "pub(crate)" | "pub(super)" => rest,
            _ => line,
        });
        let lists = within || statement.starts_with("use ") || is_module(statement);
        within = lists && !line.ends_with(';');
        let explains = line.is_empty() || line.starts_with("//") || line.starts_with("#[");
        !explains && !lists
    })
}

/// A module in a file of its own.
fn is_module(statement: &str) -> bool {
    statement.starts_with("mod ") && statement.ends_with(';')
}

#[cfg(test)]
mod tests {
    use super::check;

    #[track_caller]
    fn assert_faults(name: &str, text: &str, count: usize) {
        let faults = check(name, text, &["crates/redact/".to_owned()]);
        assert_eq!(faults.len(), count, "{faults:?}");
    }

    #[test]
    fn a_file_is_at_most_400_lines_without_its_inline_tests() {
        assert_faults("a.rs", &format!("//! Long.\n{}", "\n".repeat(399)), 0);
        assert_faults("a.rs", &format!("//! Long.\n{}", "\n".repeat(400)), 1);
        assert_faults("a.rs", &format!("//! Fine.\n#[cfg(test)]\n{}", "\n".repeat(500)), 0);
    }

    #[test]
    fn a_file_begins_with_what_it_is_for() {
        assert_faults("a.rs", "//! Fine.\nfn f() {}\n", 0);
        assert_faults("a.rs", "fn f() {}", 1);
        assert_faults("a.rs", "use x;\n//! Late.\n", 1);
    }

    #[test]
    fn a_mod_rs_holds_no_code() {
        let listing =
            "//! List.\n\nmod b;\n#[cfg(unix)]\npub(crate) mod d;\n\npub use b::{\n    f, g,\n    H,\n};\n";
        assert_faults("a/mod.rs", listing, 0);
        for code in ["fn f() {}", "struct S;", "const A: u8 = 1;", "impl S {}", "mod inline {\n}"] {
            assert_faults("a/mod.rs", &format!("//! List.\nmod b;\n{code}\n"), 1);
        }
    }

    #[test]
    fn the_binary_stays_small() {
        let main = format!("//! Long.\n{}", "\n".repeat(60));
        assert_faults("crates/codewhale/src/main.rs", &main, 1);
        assert_faults("crates/other/src/main.rs", &main, 0);
    }

    #[test]
    fn a_secret_is_taken_out_where_it_is_allowed() {
        let taken = concat!("//! Takes.\nfn f() { s.expose", "() }");
        assert_faults("crates/a/src/lib.rs", taken, 1);
        assert_faults("crates/redact/src/lib.rs", taken, 0);
        assert_faults("crates/a/tests/it/b.rs", taken, 0);
        assert_faults("crates/a/src/lib.rs", &taken.replace("fn f", "#[cfg(test)]\nfn f"), 0);
    }

    #[test]
    fn a_test_never_sleeps_and_always_runs() {
        for sleep in [super::THREAD_SLEEP, super::TIMER_SLEEP] {
            assert_faults("crates/a/tests/it/b.rs", &format!("//! Waits.\n{sleep}d)"), 1);
            assert_faults("tests/e2e/src/b.rs", &format!("//! Waits.\n{sleep}d)"), 1);
            assert_faults("crates/a/src/b.rs", &format!("//! Waits.\n#[cfg(test)]\n{sleep}d)"), 1);
            assert_faults("crates/a/src/b.rs", &format!("//! Waits.\n{sleep}d)"), 0);
        }
        let paused = format!("//! Waits.\n#[tokio::test(start_paused = true)]\n{}d)", super::TIMER_SLEEP);
        assert_faults("crates/a/tests/it/b.rs", &paused, 0);
        assert_faults("a.rs", concat!("//! Not run.\n#[ign", "ore]\nfn f() {}"), 1);
    }
}
