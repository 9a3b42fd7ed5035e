//! Skills: folders of instructions for a model, served file by file (the extension `io.modelcontextprotocol/skills`,
//! SEP-2640).

use codewhale_mcp_protocol::{Skill, SkillFrontmatter, SkillResource, SkillResources};
use ring::digest::{SHA256, digest};

use super::{ResourceRoute, resource};
use crate::BuildError;

/// The name of the file that says what a skill is.
const MANIFEST: &str = "SKILL.md";
/// What encloses what stands at its beginning.
const FENCE: &str = "---";
/// The most files of a skill.
const MOST_FILES: usize = 512;
/// The most bytes of all of them.
const MOST_BYTES: usize = 16 << 20;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 1024;

/// A skill and its files: see [`skill`].
#[must_use = "a skill is offered by a server"]
#[derive(Debug)]
pub struct SkillRoute {
    pub(crate) skill: Skill,
    pub(crate) files: Vec<ResourceRoute>,
}

/// A skill at an address such as `skill://acme/pdf-forms`, with its files by their paths within it. `SKILL.md` is among
/// them and begins with the skill's name, which is the last part of the address, and its description.
///
/// The files are resources; of these the list shows `SKILL.md` alone. (Feature `skills`.)
///
/// # Errors
/// [`BuildError::Skill`], when it is none that clients take.
pub fn skill<P, B>(uri: &str, files: impl IntoIterator<Item = (P, B)>) -> Result<SkillRoute, BuildError>
where
    P: Into<String>,
    B: Into<Vec<u8>>,
{
    let fault = |reason: String| BuildError::Skill { uri: uri.to_owned(), reason };
    let files: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
    if files.len() > MOST_FILES || files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
        return Err(fault(format!("a skill has at most {MOST_FILES} files and {MOST_BYTES} bytes")));
    }
    let manifest = files.iter().find(|(path, _)| path == MANIFEST);
    let (_, manifest) = manifest.ok_or_else(|| fault(format!("it has no {MANIFEST}")))?;
    let frontmatter = frontmatter(manifest).map_err(fault)?;
    if uri.rsplit('/').next() != Some(&frontmatter.name) {
        return Err(fault(format!(
            "its name is {:?}, which its address does not end with",
            frontmatter.name
        )));
    }
    if !is_name(&frontmatter.name) {
        return Err(fault("a name is made of a to z, 0 to 9 and single hyphens, 64 of them at most".into()));
    }
    if !(1..=LONGEST_DESCRIPTION).contains(&frontmatter.description.chars().count()) {
        return Err(fault(format!(
            "a description has at most {LONGEST_DESCRIPTION} characters, and not none"
        )));
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| !is_path(path)) {
        return Err(fault(format!("{path:?} is no path within it")));
    }
    let address = |path: &str| format!("{uri}/{path}");
    let listed = files.iter().map(|(path, bytes)| SkillResource {
        uri: address(path),
        digest: sha256(bytes),
        size: bytes.len() as u64,
        ..SkillResource::default()
    });
    let skill = Skill {
        uri: address(MANIFEST),
        resources: SkillResources::Listed(listed.collect()),
        frontmatter: frontmatter.clone(),
        ..Skill::default()
    };
    let files = files.into_iter().map(|(path, bytes)| match path.as_str() {
        MANIFEST => file(&address(&path), &frontmatter.name, bytes).description(&frontmatter.description),
        _ => file(&address(&path), &path, bytes).unlisted(),
    });
    Ok(SkillRoute { skill, files: files.collect() })
}

fn file(uri: &str, name: &str, bytes: Vec<u8>) -> ResourceRoute {
    let mime_type = match (uri.ends_with(".md"), std::str::from_utf8(&bytes)) {
        (true, Ok(_)) => "text/markdown",
        (false, Ok(_)) => "text/plain",
        (_, Err(_)) => "application/octet-stream",
    };
    let route = match String::from_utf8(bytes) {
        Ok(text) => resource(uri, name, move |_| std::future::ready(Ok(text.clone()))),
        Err(error) => {
            let bytes = error.into_bytes();
            resource(uri, name, move |_| std::future::ready(Ok(bytes.clone())))
        }
    };
    route.mime_type(mime_type)
}

/// What stands at the beginning of a manifest, in YAML, as JSON.
fn frontmatter(manifest: &[u8]) -> Result<SkillFrontmatter, String> {
    let text = std::str::from_utf8(manifest).map_err(|error| error.to_string())?;
    let missing = || format!("its {MANIFEST} does not begin with front matter between two lines {FENCE}");
    let yaml = enclosed(text).ok_or_else(missing)?;
    let options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
    let value: serde_json::Value =
        serde_saphyr::from_str_with_options(yaml, options).map_err(|error| error.to_string())?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// What stands between the first line, which has to be a fence, and the next one.
fn enclosed(text: &str) -> Option<&str> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().filter(|line| line.trim_end() == FENCE)?;
    let mut end = first.len();
    for line in lines {
        if line.trim_end() == FENCE {
            return Some(&text[first.len()..end]);
        }
        end += line.len();
    }
    None
}

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let hyphens = name.starts_with('-') || name.ends_with('-') || name.contains("--");
    (1..=64).contains(&name.len()) && name.bytes().all(plain) && !hyphens
}

/// Whether a path stays within its folder, and can stand in an address as it is.
fn is_path(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    path.split('/').all(|part| !matches!(part, "" | "." | "..") && part.bytes().all(plain))
}

fn sha256(bytes: &[u8]) -> String {
    let digest = digest(&SHA256, bytes);
    digest.as_ref().iter().fold(String::from("sha256:"), |text, byte| format!("{text}{byte:02x}"))
}
