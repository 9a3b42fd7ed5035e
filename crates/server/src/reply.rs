//! What a handler answers, and how that is written in each revision.

use codewhale_mcp_protocol::{
    CacheScope, CallToolResult, CompleteResult, EmptyResult, Era, GetPromptResult, GetSkillResult, Json,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    Members, Meta, ReadResourceResult, ResultType, Revision, Task, write_json,
};
use serde::Serialize;

use crate::downgrade;
use crate::one_text::{one_text, write_one_text};
use crate::server::Description;

/// What a handler answers. Any result becomes one by `into`.
///
/// What every result of the modern era has (`resultType`, who answered, how long it stays true) is added where the
/// handler does not say it, and left out in the legacy era.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reply {
    /// What a tool answered.
    CallTool(CallToolResult),
    /// One page of tools.
    ListTools(ListToolsResult),
    /// What a resource holds.
    ReadResource(ReadResourceResult),
    /// One page of resources.
    ListResources(ListResourcesResult),
    /// One page of templates.
    ListResourceTemplates(ListResourceTemplatesResult),
    /// A prompt filled in.
    GetPrompt(GetPromptResult),
    /// One page of prompts.
    ListPrompts(ListPromptsResult),
    /// How an argument might go on.
    Complete(CompleteResult),
    /// One page of skills.
    ListSkills(ListSkillsResult),
    /// One skill.
    GetSkill(GetSkillResult),
    /// A task, made or looked at.
    Task(Box<Task>),
    /// Nothing.
    Empty(EmptyResult),
    /// A result that is written already: an object, to which only what is missing is added.
    Json(Json),
}

macro_rules! replies {
    ($($variant:ident: $result:ty),* $(,)?) => { $(
        impl From<$result> for Reply {
            fn from(result: $result) -> Self {
                Self::$variant(result)
            }
        }
    )* };
}

replies!(
    CallTool: CallToolResult,
    ListTools: ListToolsResult,
    ReadResource: ReadResourceResult,
    ListResources: ListResourcesResult,
    ListResourceTemplates: ListResourceTemplatesResult,
    GetPrompt: GetPromptResult,
    ListPrompts: ListPromptsResult,
    Complete: CompleteResult,
    ListSkills: ListSkillsResult,
    GetSkill: GetSkillResult,
    Empty: EmptyResult,
    Json: Json,
);

impl Reply {
    /// Writes the result as a revision has it.
    pub(crate) fn write(self, revision: Revision, server: &Description, out: &mut Vec<u8>) {
        let modern = revision.era() == Era::Modern;
        if let Self::CallTool(result) = &self
            && let Some(text) = one_text(result)
        {
            return write_one_text(text, modern.then_some(&server.signature), out);
        }
        if !modern {
            return self.write_legacy(revision, out);
        }
        macro_rules! plain {
            ($result:ident) => {{
                let mut result = $result;
                result.result_type.get_or_insert(ResultType::Complete);
                result.meta = Some(server.meta(result.meta.take()));
                write(&result, out)
            }};
        }
        macro_rules! cached {
            ($result:ident, $cache:expr) => {{
                let mut result = $result;
                let (ttl, scope) = $cache;
                result.ttl_ms.get_or_insert_with(|| ttl.clone());
                result.cache_scope.get_or_insert_with(|| scope.clone());
                plain!(result)
            }};
        }
        let never = &(Json::from_text("0").expect("a number is JSON"), CacheScope::Private);
        match self {
            Self::CallTool(result) => plain!(result),
            Self::ListTools(result) => cached!(result, &server.cache),
            Self::ReadResource(result) => cached!(result, never),
            Self::ListResources(result) => cached!(result, &server.cache),
            Self::ListResourceTemplates(result) => cached!(result, &server.cache),
            Self::GetPrompt(result) => plain!(result),
            Self::ListPrompts(result) => cached!(result, &server.cache),
            Self::Complete(result) => plain!(result),
            Self::ListSkills(result) => cached!(result, &server.cache),
            Self::GetSkill(result) => cached!(result, &server.cache),
            Self::Task(result) => plain!(result),
            Self::Empty(result) => plain!(result),
            Self::Json(json) => write(&completed(json, server), out),
        }
    }

    fn write_legacy(self, revision: Revision, out: &mut Vec<u8>) {
        match self {
            Self::CallTool(result) => write(&downgrade::call_tool(result, revision), out),
            Self::ListTools(result) => write(&downgrade::list_tools(result, revision), out),
            Self::ReadResource(result) => write(&result, out),
            Self::ListResources(result) => write(&result, out),
            Self::ListResourceTemplates(result) => write(&result, out),
            Self::GetPrompt(result) => write(&downgrade::get_prompt(result, revision), out),
            Self::ListPrompts(result) => write(&result, out),
            Self::Complete(result) => write(&result, out),
            Self::ListSkills(result) => write(&result, out),
            Self::GetSkill(result) => write(&result, out),
            Self::Task(result) => write(&result, out),
            Self::Empty(result) => write(&result, out),
            Self::Json(json) => write(&json, out),
        }
    }
}

fn write<T: Serialize>(result: &T, out: &mut Vec<u8>) {
    write_json(result, out).expect("wire types have a JSON form");
}

/// A result as it came, with what is missing.
fn completed(json: Json, server: &Description) -> Json {
    let Ok(members) = json.decode::<Members<Json>>() else { return json };
    let mut all: Members<Json> = Members::default();
    let mut meta = None;
    for (name, value) in members {
        match &*name {
            "_meta" => meta = Some(Meta::from(value)),
            _ => all.push(name, value),
        }
    }
    if all.member("resultType").is_none() {
        all.push("resultType", Json::encode(&ResultType::Complete).expect("a word has a JSON form"));
    }
    all.push("_meta", server.meta(meta).json().clone());
    Json::encode(&all).unwrap_or(json)
}
