//! Patterns of paths.

use std::path::Path;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::Fault;

/// The most patterns, and the longest.
const PATTERNS: usize = 64;
const LONGEST: usize = 1024;

/// Patterns that a path has to match, and such that it must not.
#[derive(Debug)]
pub(super) struct Globs {
    only: GlobSet,
    never: GlobSet,
}

impl Globs {
    /// A pattern with `!` before it leaves out; one without a `/` counts for the last name alone, as in `.gitignore`.
    pub(super) fn new<'p>(
        argument: &'static str,
        patterns: impl IntoIterator<Item = &'p str>,
    ) -> Result<Self, Fault> {
        let (mut only, mut never) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for (count, pattern) in patterns.into_iter().enumerate() {
            if count == PATTERNS || pattern.len() > LONGEST {
                let reason = format!("at most {PATTERNS} patterns of {LONGEST} bytes each are taken");
                return Err(Fault::argument(argument, reason));
            }
            let (set, pattern) = match pattern.strip_prefix('!') {
                Some(pattern) => (&mut never, pattern),
                None => (&mut only, pattern),
            };
            let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
            let whole = match pattern.strip_prefix('/') {
                Some(anchored) => anchored.to_owned(),
                None if pattern.contains('/') => pattern.to_owned(),
                None => format!("**/{pattern}"),
            };
            let glob = GlobBuilder::new(&whole).literal_separator(true).build();
            set.add(glob.map_err(|error| Fault::argument(argument, error.to_string()))?);
        }
        let build =
            |set: GlobSetBuilder| set.build().map_err(|error| Fault::argument(argument, error.to_string()));
        Ok(Self { only: build(only)?, never: build(never)? })
    }

    /// Whether a path, from where the patterns count on, is meant.
    pub(super) fn take(&self, path: &Path) -> bool {
        (self.only.is_empty() || self.only.is_match(path)) && !self.never.is_match(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_a_slash_counts_for_the_last_name() {
        let check = |patterns: &[&str], path: &str, expected: bool| {
            let globs = Globs::new("glob", patterns.iter().copied()).unwrap();
            assert_eq!(globs.take(Path::new(path)), expected, "{patterns:?} {path}");
        };
        check(&["*.rs"], "a/b/c.rs", true);
        check(&["*.rs"], "a/b/c.rst", false);
        check(&["/*.rs"], "a/c.rs", false);
        check(&["/*.rs"], "c.rs", true);
        check(&["src/*.rs"], "src/a/c.rs", false);
        check(&["src/**/*.rs"], "src/a/c.rs", true);
        check(&["./src/*.{rs,toml}"], "src/c.toml", true);
        check(&[], "anything", true);
        check(&["!*.lock"], "Cargo.lock", false);
        check(&["*.toml", "!Cargo.toml"], "Cargo.toml", false);
    }

    #[test]
    fn a_pattern_that_makes_no_sense_is_told() {
        let told = Globs::new("glob", ["a{b"]).unwrap_err().to_string();
        assert!(told.starts_with("`glob`: ") && told.contains("a{b"), "{told}");
    }
}
