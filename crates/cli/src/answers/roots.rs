//! The folders that the server may know of.

use std::path::{Path, PathBuf};

use codewhale_mcp_protocol::Root;
use url::Url;

use crate::failure::Failure;

/// Folders as a server is told of them (MCP 2026-07-28, client/roots): each must be there, and is named without links
/// and `..`.
pub(super) fn roots(folders: &[PathBuf], cwd: &Path) -> Result<Vec<Root>, Failure> {
    folders.iter().map(|folder| root(&cwd.join(folder))).collect()
}

fn root(folder: &Path) -> Result<Root, Failure> {
    let failed = |error| Failure::usage(format!("cannot use the folder `{}`: {error}", folder.display()));
    let real = folder.canonicalize().map_err(|error| failed(error.to_string()))?;
    if !real.is_dir() {
        return Err(failed("it is not a folder".to_owned()));
    }
    let uri = Url::from_file_path(&real).map_err(|()| failed("it has no address".to_owned()))?;
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Root { uri: uri.into(), name, ..Root::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_folder_under_its_real_name() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap();
        std::fs::create_dir(real.join("a b")).unwrap();
        std::fs::write(real.join("file"), "").unwrap();
        let found = roots(&["./x/../a b".into(), "a b".into()], &real);
        assert!(found.is_err(), "`x` is not there");
        let found = roots(&["a b/../a b".into()], &real).unwrap();
        assert_eq!(found[0].name.as_deref(), Some("a b"));
        assert!(found[0].uri.starts_with("file://") && found[0].uri.ends_with("/a%20b"), "{}", found[0].uri);
        for (bad, said) in [("file", "not a folder"), ("nowhere", "nowhere")] {
            assert!(roots(&[bad.into()], &real).unwrap_err().to_string().contains(said));
        }
    }
}
