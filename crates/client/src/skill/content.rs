//! The bytes of a file of a skill, and whether they are the ones that were listed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codewhale_mcp_protocol::{ReadResourceResult, ResourceContents};
use sha2::{Digest as _, Sha256};

use crate::skill::frontmatter::FrontmatterFault;

/// What a file is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) uri: String,
    pub(crate) digest: [u8; 32],
    pub(crate) size: u64,
}

/// A file of a skill, as it was listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its media type, as far as the server says.
    pub mime_type: Option<String>,
}

/// How a file of a skill is not what its entry says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkillFileFault {
    /// It came in several parts, or in none.
    #[error("it came in {parts} parts and not in one")]
    Parts {
        /// How many.
        parts: usize,
    },
    /// It has neither a text nor bytes.
    #[error("it has neither a text nor bytes")]
    Empty,
    /// Its bytes are not in base64.
    #[error("its bytes are not in base64")]
    NotBase64,
    /// It is longer or shorter.
    #[error("it has {found} bytes and was listed with {listed}")]
    Size {
        /// What was listed.
        listed: u64,
        /// What came.
        found: u64,
    },
    /// It is another one.
    #[error("its digest is not the one that was listed")]
    Digest,
    /// `SKILL.md` is no text.
    #[error("it is not text in UTF-8")]
    NotText,
    /// `SKILL.md` begins with something else than its entry says.
    #[error(transparent)]
    Frontmatter(#[from] FrontmatterFault),
}

impl Expected {
    /// The bytes of a digest as it is written.
    pub(crate) fn digest(written: &str) -> Option<[u8; 32]> {
        let digits = written.strip_prefix("sha256:").filter(|digits| digits.len() == 64)?;
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(digest)
    }

    /// The file in what was read, if it is this one.
    pub(crate) fn checked(&self, read: ReadResourceResult) -> Result<SkillFile, SkillFileFault> {
        let parts = read.contents.len();
        let [part]: [ResourceContents; 1] =
            read.contents.try_into().map_err(|_| SkillFileFault::Parts { parts })?;
        let bytes = match (part.text, part.blob) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(blob)) => STANDARD.decode(blob).map_err(|_| SkillFileFault::NotBase64)?,
            (None, None) => return Err(SkillFileFault::Empty),
        };
        let found = bytes.len() as u64;
        if found != self.size {
            return Err(SkillFileFault::Size { listed: self.size, found });
        }
        if Sha256::digest(&bytes)[..] != self.digest {
            return Err(SkillFileFault::Digest);
        }
        Ok(SkillFile { bytes, mime_type: part.mime_type })
    }
}
