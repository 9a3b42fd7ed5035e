//! Where a file stands within its skill: addresses to paths, and paths as instructions write them.

use percent_encoding::percent_decode_str;

/// The file that makes a folder a skill.
pub(crate) const SKILL_MD: &str = "SKILL.md";

/// The folder of a skill, without a slash at its end, and the folder's name; of the address of its `SKILL.md`.
pub(crate) fn folder(uri: &str) -> Option<(&str, String)> {
    let folder = uri.strip_suffix(SKILL_MD)?.strip_suffix('/')?;
    let (scheme, path) = folder.split_once("://")?;
    let is_scheme = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let path = is_scheme.then(|| decoded(path)).flatten()?;
    let name = path.rsplit('/').next()?.to_owned();
    Some((folder, name))
}

/// The path of a file within a folder, if its address is below the folder's and every part of it is a name.
pub(crate) fn within(folder: &str, uri: &str) -> Option<String> {
    decoded(uri.strip_prefix(folder)?.strip_prefix('/')?)
}

/// Where a relative path leads to from the skill's folder. Nothing where it leads out of it.
pub(crate) fn resolved(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    is_path(&path).then_some(path)
}

/// Parts are looked at once decoded, so that no encoding hides a way out.
fn decoded(path: &str) -> Option<String> {
    let decoded = |part: &str| {
        let part = percent_decode_str(part).decode_utf8().ok()?.into_owned();
        (!part.contains('/')).then_some(part)
    };
    if path.contains(['?', '#']) {
        return None;
    }
    let parts: Vec<String> = path.split('/').map(decoded).collect::<Option<_>>()?;
    let path = parts.join("/");
    is_path(&path).then_some(path)
}

fn is_path(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..");
    path.split('/').all(is_name) && !path.contains(|letter: char| letter == '\\' || letter.is_control())
}
