//! Skills: the list of them, and the entry of one (the extension `io.modelcontextprotocol/skills`, SEP-2640).

use codewhale_mcp_protocol::{GetSkillResult, ListSkillsResult, PageParams, SKILLS_EXTENSION, Skill, method};
use codewhale_mcp_session::Budget;

use crate::cache::Kind;
use crate::client::Client;
use crate::error::CallError;
use crate::lists::{List, Listed, Page};
use crate::request::Request;
use crate::resources::Uri;

const SKILLS: List<ListSkillsResult, Skill> = List {
    method: method::SKILLS_LIST,
    kind: Some(Kind::Skills),
    page: |result| Page { items: result.skills, next: result.next_cursor },
    name: |skill| &skill.uri,
};

impl Client {
    /// Whether the server says that it has skills. It is not to be asked for any where it does not.
    #[must_use]
    pub fn has_skills(&self) -> bool {
        self.server().capabilities.extension(SKILLS_EXTENSION).is_some()
    }

    /// One page of the list of skills.
    ///
    /// # Errors
    /// [`CallError::ServerLacks`] where the server does not say that it has skills.
    pub fn list_skills_page(
        &self,
        cursor: Option<String>,
    ) -> Result<Request<'_, PageParams, ListSkillsResult>, CallError> {
        self.expect_skills().map(|()| SKILLS.request(self, cursor))
    }

    /// Every skill that the server lists, page after page; nothing of their files is read. Entries without a manifest
    /// are left out. There may be skills that stand in no list, see [`Self::skill`].
    ///
    /// # Errors
    /// As for [`Client::list_tools`]; [`CallError::ServerLacks`] where the server does not say that it has skills.
    pub async fn list_skills(&self) -> Result<Listed<Skill>, CallError> {
        self.expect_skills()?;
        SKILLS.all(self).await
    }

    /// The current entry of one skill, by the address of its `SKILL.md`. An answer that was kept is not taken: the
    /// entry is asked for again where a file is no longer what it said.
    ///
    /// # Errors
    /// As for any request; [`CallError::ServerLacks`] where the server does not say that it has skills.
    pub async fn skill(&self, uri: &str) -> Result<Skill, CallError> {
        self.expect_skills()?;
        let budget = Budget::total(self.options().read_timeout);
        let request: Request<'_, _, GetSkillResult> =
            Request::new(self, method::SKILLS_GET, Uri { uri }, budget);
        let skill = request.send().await?.skill;
        if skill.uri == uri {
            return Ok(skill);
        }
        let reason = format!("it is about {:?}", skill.uri);
        Err(CallError::ServerReplyInvalid { method: method::SKILLS_GET, reason })
    }

    fn expect_skills(&self) -> Result<(), CallError> {
        match self.has_skills() {
            true => Ok(()),
            false => Err(CallError::ServerLacks { capability: SKILLS_EXTENSION }),
        }
    }
}
