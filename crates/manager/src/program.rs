//! Whether a server is started by a program that may have to download it first.

use std::ffi::OsStr;
use std::path::Path;

/// Package runners, with the subcommands that run a package.
const RUNNERS: &[(&str, &[&str])] = &[
    ("npx", &[]),
    ("uvx", &[]),
    ("bunx", &[]),
    ("npm", &["exec", "x"]),
    ("pnpm", &["dlx"]),
    ("yarn", &["dlx"]),
    ("bun", &["x"]),
    ("pipx", &["run"]),
    ("uv", &["run", "tool", "x"]),
    ("docker", &["run"]),
    ("podman", &["run"]),
];

/// Whether a command may download a package before the server itself starts.
#[must_use]
pub fn is_package_runner<S: AsRef<OsStr>>(program: &OsStr, args: &[S]) -> bool {
    let stem = Path::new(program).file_stem().unwrap_or(program);
    let subcommand = args.iter().map(AsRef::as_ref).find(|arg| !arg.as_encoded_bytes().starts_with(b"-"));
    RUNNERS.iter().any(|(name, subcommands)| {
        let named = |word: &OsStr| subcommands.iter().any(|known| word == OsStr::new(known));
        stem == OsStr::new(name) && (subcommands.is_empty() || subcommand.is_some_and(named))
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
        assert!(check("pnpm", &["--silent", "dlx", "x"]));
        assert!(check("docker", &["run", "image"]));
        assert!(!check("docker", &["ps"]));
        assert!(!check("node", &["npx"]));
    }
}
