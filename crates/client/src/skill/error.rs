//! Why a skill cannot be used.

use crate::error::CallError;
use crate::skill::content::SkillFileFault;
use crate::skill::entry::SkillEntryFault;

/// A skill or one of its files cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillError {
    /// The entry of the skill breaks the rules.
    #[error("the skill {uri} cannot be used: {fault}")]
    ServerEntryInvalid {
        /// The skill.
        uri: String,
        /// What is wrong with it.
        fault: SkillEntryFault,
    },
    /// A file is not what the entry says. It changed, or somebody changed it; the current entry may be asked for.
    #[error("{uri} cannot be used: {fault}")]
    ServerFileInvalid {
        /// The file.
        uri: String,
        /// What is wrong with it.
        fault: SkillFileFault,
    },
    /// The file is not among those that the entry lists.
    #[error("{path:?} is not among the files of the skill {uri}")]
    CallerFileUnlisted {
        /// The skill.
        uri: String,
        /// What was asked for.
        path: String,
    },
    /// The server did not hand out the entry or a file.
    #[error("cannot read {uri}: {source}")]
    Unread {
        /// What was to be read.
        uri: String,
        /// Why not.
        source: CallError,
    },
}
