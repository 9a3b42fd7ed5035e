//! The variables that a command gets.

use std::ffi::{OsStr, OsString};

/// Variables that programs need and that hold no secrets. Those that begin with `LC_` count too.
const PASSED: &[&str] = &["PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "TZ"];
/// What programs need on Windows beside that.
const PASSED_ON_WINDOWS: &[&str] = &[
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "USERNAME",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
];

/// Of a complete environment, what a command gets: what programs need, and what is in `allowed`.
pub fn environment(whole: &[(OsString, OsString)], allowed: &[String]) -> Vec<(OsString, OsString)> {
    let passed = |name: &OsStr| {
        let same = |other: &str| match cfg!(windows) {
            true => name.eq_ignore_ascii_case(other),
            false => name == other,
        };
        PASSED.iter().any(|other| same(other))
            || (cfg!(windows) && PASSED_ON_WINDOWS.iter().any(|other| same(other)))
            || name.as_encoded_bytes().starts_with(b"LC_")
            || allowed.iter().any(|other| same(other))
    };
    whole.iter().filter(|(name, _)| passed(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_needed_or_allowed_is_passed() {
        let whole = [("PATH", "/bin"), ("LC_ALL", "C"), ("TOKEN", "t"), ("CARGO_HOME", "/c"), ("PATHS", "")];
        let whole = whole.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let names = |allowed: &[&str]| -> Vec<OsString> {
            let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
            environment(&whole, &allowed).into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names(&[]), ["PATH", "LC_ALL"]);
        assert_eq!(names(&["CARGO_HOME", "ABSENT"]), ["PATH", "LC_ALL", "CARGO_HOME"]);
    }
}
