//! What kind of program a server is started by.

use std::ffi::OsStr;
use std::path::Path;

/// Programs that may download a package before the server itself starts, with the subcommand that does it.
const RUNNERS: &[(&str, Option<&str>)] = &[
    ("npx", None),
    ("uvx", None),
    ("bunx", None),
    ("pnpm", Some("dlx")),
    ("yarn", Some("dlx")),
    ("pipx", Some("run")),
    ("uv", Some("run")),
    ("docker", Some("run")),
    ("podman", Some("run")),
];

/// Whether a command may download a package before the server itself starts.
#[must_use]
pub fn is_package_runner<S: AsRef<OsStr>>(program: &OsStr, args: &[S]) -> bool {
    let stem = Path::new(program).file_stem().unwrap_or(program);
    RUNNERS.iter().any(|(name, subcommand)| {
        stem == OsStr::new(name)
            && subcommand
                .is_none_or(|word| args.first().is_some_and(|first| first.as_ref() == OsStr::new(word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_are_known_by_name_and_subcommand() {
        let check = |program: &str, args: &[&str]| is_package_runner(program.as_ref(), args);
        assert!(check("npx", &["-y", "x"]));
        assert!(check("/usr/local/bin/uvx", &[]));
        assert!(check("npx.cmd", &[]));
        assert!(check("docker", &["run", "image"]));
        assert!(!check("docker", &["ps"]));
        assert!(!check("node", &["npx"]));
    }
}
