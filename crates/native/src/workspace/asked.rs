//! A path as it was asked for, cut into steps.

use std::ffi::OsString;
use std::path::{Component, Path};

use super::Refused;

/// The longest path. Linux takes no longer one; every component of it is looked at.
pub(super) const PATH_LIMIT: usize = 4096;

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// To what has this name.
    Name(OsString),
    /// To the directory above.
    Up,
}

/// The steps of a path that was asked for; an absolute one must begin with the workspace's own path.
///
/// What comes out is never absolute. That it stays inside is for the way itself to see, since `..` after a link leads
/// elsewhere than its text says.
pub(super) fn steps(path: &str, roots: &[&Path]) -> Result<Vec<Step>, Refused> {
    if path.is_empty() {
        return Err(Refused::Empty);
    }
    if path.len() > PATH_LIMIT {
        return Err(Refused::TooLong { limit: PATH_LIMIT });
    }
    if path.contains('\0') {
        return Err(Refused::Nul);
    }
    relative(Path::new(path), roots).ok_or_else(|| Refused::Outside {
        path: path.to_owned(),
        root: roots.first().map(|root| root.display().to_string()).unwrap_or_default(),
    })
}

/// The steps from a root to `path`, which is relative, or lies below one of `roots` by its text.
pub(super) fn relative(path: &Path, roots: &[&Path]) -> Option<Vec<Step>> {
    let absolute = path.has_root() || matches!(path.components().next(), Some(Component::Prefix(_)));
    let path = match absolute {
        true => roots.iter().find_map(|root| path.strip_prefix(root).ok())?,
        false => path,
    };
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(Some(Step::Name(name.to_owned()))),
            Component::ParentDir => Some(Some(Step::Up)),
            Component::CurDir => None,
            Component::Prefix(_) | Component::RootDir => Some(None),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_path_must_begin_with_the_workspace() {
        let check = |path: &str, expected: Option<usize>| {
            let found = steps(path, &[Path::new("/srv/work")]).ok().map(|steps| steps.len());
            assert_eq!(found, expected, "{path:?}");
        };
        check("a/./b//c", Some(3));
        check("./", Some(0));
        check("a/..", Some(2));
        check("/srv/work", Some(0));
        check("/srv/work/a", Some(1));
        check("/srv/works/a", None);
        check("/srv", None);
        check("//srv/work", Some(0));
        check("", None);
        check("a\0b", None);
        check(&"a/".repeat(2049), None);
    }
}
