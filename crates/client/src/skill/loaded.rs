//! Loading a skill, and reading its other files while it is in use.

use codewhale_mcp_protocol::Skill;

use crate::client::Client;
use crate::skill::address::{SKILL_MD, resolved};
use crate::skill::content::{Expected, SkillFile, SkillFileFault};
use crate::skill::entry::SkillEntry;
use crate::skill::error::SkillError;
use crate::skill::frontmatter::frontmatter_fault;

/// A skill whose `SKILL.md` was read and checked. It holds the entry that it was loaded from: what that does not list
/// is not read.
///
/// Its text is the word of a server, and no more to be trusted than the answer of a tool.
#[derive(Debug, Clone)]
pub struct LoadedSkill {
    client: Client,
    entry: SkillEntry,
    text: String,
}

impl Client {
    /// Loads a skill: checks its entry, reads its `SKILL.md` and checks that against the entry. No other file is read.
    ///
    /// # Errors
    /// Where the entry or the file breaks the rules, or cannot be read.
    pub async fn load_skill(&self, skill: Skill) -> Result<LoadedSkill, SkillError> {
        let uri = skill.uri.clone();
        let entry = SkillEntry::of(skill).map_err(|fault| SkillError::ServerEntryInvalid { uri, fault })?;
        self.load_skill_entry(entry).await
    }

    /// As [`Self::load_skill`], of an entry that was checked already.
    ///
    /// # Errors
    /// Where the file is not what the entry says, or cannot be read.
    pub async fn load_skill_entry(&self, entry: SkillEntry) -> Result<LoadedSkill, SkillError> {
        let file = read(self, &entry, SKILL_MD).await?;
        let invalid = |fault| SkillError::ServerFileInvalid { uri: entry.uri().to_owned(), fault };
        let text = String::from_utf8(file.bytes).map_err(|_| invalid(SkillFileFault::NotText))?;
        match frontmatter_fault(&text, entry.frontmatter()) {
            Some(fault) => Err(invalid(fault.into())),
            None => Ok(LoadedSkill { client: self.clone(), entry, text }),
        }
    }

    /// Reads a file of a skill that was loaded from this entry, by its path from the skill's folder as the skill's text
    /// writes it.
    ///
    /// # Errors
    /// Where the file is not listed, is not what was listed, or cannot be read.
    pub async fn skill_file(&self, entry: &SkillEntry, path: &str) -> Result<SkillFile, SkillError> {
        match resolved(path) {
            Some(path) => read(self, entry, &path).await,
            None => Err(unlisted(entry, path)),
        }
    }
}

impl LoadedSkill {
    /// The entry that it was loaded from.
    #[must_use]
    pub fn entry(&self) -> &SkillEntry {
        &self.entry
    }

    /// What its `SKILL.md` says, front matter included.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads one of its files, as [`Client::skill_file`].
    ///
    /// # Errors
    /// As there.
    pub async fn file(&self, path: &str) -> Result<SkillFile, SkillError> {
        self.client.skill_file(&self.entry, path).await
    }
}

/// A file that is not what was listed is read once more from the server, since what was kept may be out of date.
async fn read(client: &Client, entry: &SkillEntry, path: &str) -> Result<SkillFile, SkillError> {
    let Some(expected @ Expected { uri, .. }) = entry.file(path) else { return Err(unlisted(entry, path)) };
    let unread = |source| SkillError::Unread { uri: uri.clone(), source };
    let kept = client.read_resource(uri).send().await.map_err(unread)?;
    if let Ok(file) = expected.checked(kept) {
        return Ok(file);
    }
    let fresh = client.read_resource(uri).fresh().send().await.map_err(unread)?;
    expected.checked(fresh).map_err(|fault| SkillError::ServerFileInvalid { uri: uri.clone(), fault })
}

fn unlisted(entry: &SkillEntry, path: &str) -> SkillError {
    SkillError::CallerFileUnlisted { uri: entry.uri().to_owned(), path: path.to_owned() }
}
