//! Skills: folders of instructions for a model, file by file (the extension `io.modelcontextprotocol/skills`, SEP-2640).
//!
//! The files themselves are resources, read with `resources/read`.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::open::open_object;
use crate::{CacheScope, Json, Meta, ResultType};

/// The identifier of the skills extension.
pub const SKILLS_EXTENSION: &str = "io.modelcontextprotocol/skills";

open_object! {
    /// One page of skills (`skills/list`). It may be partial or empty: a server may have further skills.
    pub struct ListSkillsResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The skills of this page.
        required skills: Vec<Skill> = "skills",
        /// Where the next page begins; absent at the end.
        optional next_cursor: String = "nextCursor",
        /// For how many milliseconds the page stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share the page.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// Which skill is meant (`skills/get`).
    pub struct GetSkillParams {
        /// The address of its `SKILL.md`.
        required uri: String = "uri",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// One skill (`skills/get`).
    pub struct GetSkillResult {
        /// How the result is to be read; absent means `complete`.
        optional result_type: ResultType = "resultType",
        /// The skill.
        required skill: Skill = "skill",
        /// For how many milliseconds it stays true, see [`Cacheable`](crate::Cacheable).
        optional ttl_ms: Json = "ttlMs",
        /// Who may share it.
        optional cache_scope: CacheScope = "cacheScope",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// A skill as its server describes it. Nothing of it was checked.
    pub struct Skill {
        /// The address of its `SKILL.md`. It means something together with the server alone.
        required uri: String = "uri",
        /// What stands at the beginning of its `SKILL.md`.
        required frontmatter: SkillFrontmatter = "frontmatter",
        /// Its files.
        required resources: SkillResources = "resources",
        /// Anything more.
        optional meta: Meta = "_meta",
    }
}

open_object! {
    /// The front matter of a skill as JSON. What a type does not name stays as the author wrote it, in `extra`.
    pub struct SkillFrontmatter {
        /// Its name: a label, not an identifier.
        required name: String = "name",
        /// What it is for and when to use it.
        required description: String = "description",
    }
}

/// The files of a skill.
#[derive(Debug, Clone, PartialEq)]
pub enum SkillResources {
    /// Every one of them, `SKILL.md` included.
    Listed(Vec<SkillResource>),
    /// They are made when they are asked for, so nothing about them can be said beforehand.
    Dynamic,
}

open_object! {
    /// A file of a skill.
    pub struct SkillResource {
        /// Its address.
        required uri: String = "uri",
        /// `sha256:` and 64 hexadecimal digits in lower case, of its bytes.
        required digest: String = "digest",
        /// How many bytes it has.
        required size: u64 = "size",
    }
}

const DYNAMIC: &str = "dynamic";

impl Default for SkillResources {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl Serialize for SkillResources {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Listed(files) => files.serialize(serializer),
            Self::Dynamic => serializer.serialize_str(DYNAMIC),
        }
    }
}

impl<'de> Deserialize<'de> for SkillResources {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        if json.decode::<String>().is_ok_and(|word| word == DYNAMIC) {
            return Ok(Self::Dynamic);
        }
        json.decode().map(Self::Listed).map_err(D::Error::custom)
    }
}
