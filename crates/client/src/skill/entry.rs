//! The entry of a skill that keeps to the rules, and what is wrong with one that does not.

use std::collections::BTreeMap;

use codewhale_mcp_protocol::{Skill, SkillFrontmatter, SkillResource, SkillResources};

use crate::skill::address::{SKILL_MD, folder, within};
use crate::skill::content::Expected;

/// The most files of a skill (SEP-2640, limits).
const MOST_FILES: usize = 512;
/// The most bytes that they have together.
const MOST_BYTES: u64 = 16 << 20;
/// The most letters of a name (Agent Skills, `name`).
const LONGEST_NAME: usize = 64;
/// The most letters of a description (Agent Skills, `description`).
const LONGEST_DESCRIPTION: usize = 1024;

/// The entry of a skill whose name, files and sizes keep to the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct SkillEntry {
    uri: String,
    frontmatter: SkillFrontmatter,
    /// By their paths within the skill.
    files: BTreeMap<String, Expected>,
}

/// Why a skill cannot be used, as far as its entry tells.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkillEntryFault {
    /// The address is not that of a `SKILL.md` in a folder.
    #[error("its address is not that of a SKILL.md in a folder")]
    Address,
    /// The name is not one that a skill may have.
    #[error(
        "{name:?} is no name of a skill: small letters, digits and single hyphens, {LONGEST_NAME} at most"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The folder is not named as the skill is.
    #[error("its folder is named {folder:?} and the skill {name:?}")]
    FolderName {
        /// The folder's name.
        folder: String,
        /// The skill's name.
        name: String,
    },
    /// There is no description, or too long a one.
    #[error("its description has {letters} letters and may have 1 to {LONGEST_DESCRIPTION}")]
    Description {
        /// How long it is.
        letters: usize,
    },
    /// The server makes the files when they are asked for, so that nothing can be checked.
    #[error("its files are made when they are asked for, so that nothing can be checked")]
    Dynamic,
    /// `SKILL.md` is not among the files.
    #[error("its list of files lacks its SKILL.md")]
    NoSkillMd,
    /// A file is not in the skill's folder.
    #[error("{uri:?} is not in its folder")]
    Outside {
        /// The file's address.
        uri: String,
    },
    /// A file is listed twice.
    #[error("the file {path:?} is listed twice")]
    Twice {
        /// The file's path within the skill.
        path: String,
    },
    /// A digest has not the form of one.
    #[error("the digest of {uri:?} is not `sha256:` and 64 hexadecimal digits in lower case")]
    Digest {
        /// The file's address.
        uri: String,
    },
    /// There are too many files.
    #[error("it has {files} files, and {MOST_FILES} are the most")]
    TooManyFiles {
        /// How many there are.
        files: usize,
    },
    /// The files are too large.
    #[error("its files have more than {MOST_BYTES} bytes")]
    TooLarge,
}

impl SkillEntry {
    /// Checks an entry; nothing is read for that.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of(skill: Skill) -> Result<Self, SkillEntryFault> {
        let Skill { uri, frontmatter, resources, .. } = skill;
        let (root, folder_name) = folder(&uri).ok_or(SkillEntryFault::Address)?;
        described(&frontmatter, folder_name)?;
        let SkillResources::Listed(listed) = resources else { return Err(SkillEntryFault::Dynamic) };
        let files = manifest(root, listed)?;
        if !files.contains_key(SKILL_MD) {
            return Err(SkillEntryFault::NoSkillMd);
        }
        Ok(Self { uri, frontmatter, files })
    }

    /// The address of its `SKILL.md`, which together with the server tells it from all others.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Its name: a label that other skills may have too.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.frontmatter.name
    }

    /// What it is for and when to use it, in its author's words.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.frontmatter.description
    }

    /// Everything that its author says of it. None of it grants anything.
    #[must_use]
    pub fn frontmatter(&self) -> &SkillFrontmatter {
        &self.frontmatter
    }

    /// The paths of its files within the skill, and their sizes in bytes.
    pub fn files(&self) -> impl Iterator<Item = (&str, u64)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file.size))
    }

    /// Whether another entry lists the very same files with the same contents. Where it does not, what somebody agreed
    /// to is no longer what there is.
    #[must_use]
    pub fn has_same_files(&self, other: &Self) -> bool {
        self.uri == other.uri && self.files == other.files
    }

    pub(crate) fn file(&self, path: &str) -> Option<&Expected> {
        self.files.get(path)
    }
}

fn described(frontmatter: &SkillFrontmatter, folder: String) -> Result<(), SkillEntryFault> {
    let name = frontmatter.name.clone();
    if !is_name(&name) {
        return Err(SkillEntryFault::Name { name });
    }
    if folder != name {
        return Err(SkillEntryFault::FolderName { folder, name });
    }
    match frontmatter.description.chars().count() {
        1..=LONGEST_DESCRIPTION => Ok(()),
        letters => Err(SkillEntryFault::Description { letters }),
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() && !letter.is_uppercase();
    let is_part = |part: &str| !part.is_empty() && part.chars().all(is_letter);
    name.chars().count() <= LONGEST_NAME && name.split('-').all(is_part)
}

fn manifest(root: &str, listed: Vec<SkillResource>) -> Result<BTreeMap<String, Expected>, SkillEntryFault> {
    if listed.len() > MOST_FILES {
        return Err(SkillEntryFault::TooManyFiles { files: listed.len() });
    }
    let mut files = BTreeMap::new();
    let mut bytes = 0_u64;
    for SkillResource { uri, digest, size, .. } in listed {
        let Some(path) = within(root, &uri) else { return Err(SkillEntryFault::Outside { uri }) };
        let Some(digest) = Expected::digest(&digest) else { return Err(SkillEntryFault::Digest { uri }) };
        bytes = bytes.saturating_add(size);
        if bytes > MOST_BYTES {
            return Err(SkillEntryFault::TooLarge);
        }
        if files.insert(path.clone(), Expected { uri, digest, size }).is_some() {
            return Err(SkillEntryFault::Twice { path });
        }
    }
    Ok(files)
}
