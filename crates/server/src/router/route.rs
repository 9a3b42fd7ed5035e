//! Which part of what was registered answers a request.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use codewhale_mcp_protocol::{
    GetSkillResult, Json, ListCapability, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, Members, SKILLS_EXTENSION, ServerCapabilities,
    Skill, TASKS_EXTENSION, ToolHeaders, method,
};
use serde_json::value::RawValue;

use super::lists::Shared;
use super::paging::page;
use super::resources::Listed;
use super::shelves::{Shelf, Shelves};
use super::{CompletionRoute, Lists, PromptRoute, ResourceRoute, TemplateRoute};
use crate::builder::Announces;
use crate::tool::ToolRoute;
use crate::{BuildError, Changes, Context, Failure, Handler, Handling, Reply, Request, tasks};

/// What was registered.
#[derive(Default)]
pub(crate) struct Router {
    pub(crate) tools: Vec<ToolRoute>,
    /// Why tools that are there are not offered, by name.
    pub(crate) withheld: HashMap<String, String>,
    pub(crate) resources: Vec<ResourceRoute>,
    pub(crate) templates: Vec<TemplateRoute>,
    pub(crate) prompts: Vec<PromptRoute>,
    pub(crate) completion: Option<CompletionRoute>,
    pub(crate) skills: Vec<Skill>,
}

/// What was registered, ready to answer.
pub(crate) struct Ready {
    shelves: Shared,
    withheld: HashMap<String, String>,
    completion: Option<CompletionRoute>,
    skills: Vec<Skill>,
    page: usize,
    capabilities: ServerCapabilities,
}

/// Whether what is offered changes while the server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stays {
    /// It stays as it was registered.
    AsItIs,
    /// Tools, resources and prompts come and go, so all of them are declared, and tasks, too.
    Changing,
}

impl Router {
    /// Checks what was registered.
    pub(crate) fn ready(self, announces: Announces, page: usize, stays: Stays) -> Result<Ready, BuildError> {
        let capabilities = self.capabilities(announces, stays);
        let tools: Vec<ToolRoute> = self.tools.into_iter().map(ToolRoute::ready).collect::<Result<_, _>>()?;
        let mut skills = HashSet::new();
        if let Some(same) = self.skills.iter().find(|skill| !skills.insert(&skill.uri)) {
            return Err(BuildError::SameName { kind: "skills", name: same.uri.clone() });
        }
        let shelves = Shelves {
            tools: Shelf::of(tools)?,
            resources: Shelf::of(self.resources)?,
            templates: Shelf::of(self.templates)?,
            prompts: Shelf::of(self.prompts)?,
        };
        Ok(Ready {
            shelves: Arc::new(RwLock::new(Arc::new(shelves))),
            withheld: self.withheld,
            completion: self.completion,
            skills: self.skills,
            page,
            capabilities,
        })
    }

    fn capabilities(&self, announces: Announces, stays: Stays) -> ServerCapabilities {
        let told = announces == Announces::Changes;
        let lists = |some: bool| {
            let declared = some || stays == Stays::Changing;
            declared.then(|| ListCapability { list_changed: told, ..ListCapability::default() })
        };
        let empty = || Json::from_text("{}").expect("an object is JSON");
        let has_resources = !self.resources.is_empty() || !self.templates.is_empty();
        let has_tasks = stays == Stays::Changing || self.tools.iter().any(|route| route.task.is_some());
        let extensions = [(TASKS_EXTENSION, has_tasks), (SKILLS_EXTENSION, !self.skills.is_empty())];
        let extensions: Members<Json> =
            extensions.into_iter().filter(|(_, has)| *has).map(|(name, _)| (name, empty())).collect();
        ServerCapabilities {
            tools: lists(!self.tools.is_empty()),
            resources: lists(has_resources).map(|resources| ListCapability { subscribe: told, ..resources }),
            prompts: lists(!self.prompts.is_empty()),
            completions: self.completion.as_ref().map(|_| empty()),
            tasks: has_tasks.then(tasks::capability),
            extensions: (!extensions.is_empty()).then(|| Json::encode(&extensions).ok()).flatten(),
            ..ServerCapabilities::default()
        }
    }
}

impl Handler for Ready {
    fn capabilities(&self) -> ServerCapabilities {
        self.capabilities.clone()
    }

    fn handle(&self, request: &Request<'_>, context: Context) -> Handling {
        self.route(&self.now(), request, context).unwrap_or_else(Handling::refused)
    }

    fn tool_headers(&self, tool: &str) -> Option<Arc<ToolHeaders>> {
        self.now().tools.find(tool)?.headers.clone()
    }
}

impl Ready {
    /// The handle by which it changes, once there is somebody to tell.
    pub(crate) fn lists(&self) -> impl FnOnce(Changes) -> Lists + use<> {
        let shelves = Arc::clone(&self.shelves);
        |changes| Lists::new(shelves, changes)
    }

    /// What is offered now. A handler may change that, so nothing is locked while one runs.
    fn now(&self) -> Arc<Shelves> {
        Arc::clone(&self.shelves.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn route(&self, shelves: &Shelves, request: &Request<'_>, context: Context) -> Result<Handling, Failure> {
        let cursor = request.fields.cursor;
        let arguments = request.arguments().map_or("{}", RawValue::get);
        match request.method() {
            method::TOOLS_CALL => self.call_tool(shelves, request, context),
            method::RESOURCES_READ => read_resource(shelves, &request.uri()?, context),
            method::PROMPTS_GET => {
                let name = request.name()?;
                let unknown = || Failure::invalid_params(format!("there is no prompt {name:?}"));
                Ok(shelves.prompts.find(&name).ok_or_else(unknown)?.get(arguments, context))
            }
            method::COMPLETE => {
                let completion = self.completion.as_ref();
                let unknown = || Failure::method_not_found(method::COMPLETE);
                Ok(completion.ok_or_else(unknown)?.call(request, context))
            }
            method::TOOLS_LIST => {
                let all = shelves.tools.all();
                let (part, next_cursor) = page(all.len(), cursor, self.page)?;
                let tools = all[part].iter().map(|route| route.told(context.revision())).collect();
                ready(ListToolsResult { tools, next_cursor, ..ListToolsResult::default() })
            }
            method::RESOURCES_LIST => {
                let all: Vec<_> =
                    shelves.resources.all().iter().filter(|route| route.listed == Listed::Yes).collect();
                let (part, next_cursor) = page(all.len(), cursor, self.page)?;
                let resources = all[part].iter().map(|route| route.resource.clone()).collect();
                ready(ListResourcesResult { resources, next_cursor, ..ListResourcesResult::default() })
            }
            method::RESOURCES_TEMPLATES_LIST => {
                let all = shelves.templates.all();
                let (part, next_cursor) = page(all.len(), cursor, self.page)?;
                let resource_templates = all[part].iter().map(|route| route.template.clone()).collect();
                ready(ListResourceTemplatesResult {
                    resource_templates,
                    next_cursor,
                    ..ListResourceTemplatesResult::default()
                })
            }
            method::PROMPTS_LIST => {
                let all = shelves.prompts.all();
                let (part, next_cursor) = page(all.len(), cursor, self.page)?;
                let prompts = all[part].iter().map(|route| route.prompt.clone()).collect();
                ready(ListPromptsResult { prompts, next_cursor, ..ListPromptsResult::default() })
            }
            method::SKILLS_LIST => {
                let (part, next_cursor) = page(self.skills.len(), cursor, self.page)?;
                let skills = self.skills[part].to_vec();
                ready(ListSkillsResult { skills, next_cursor, ..ListSkillsResult::default() })
            }
            method::SKILLS_GET => {
                let uri = request.uri()?;
                let skill = self.skills.iter().find(|skill| skill.uri == uri).cloned();
                let skill =
                    skill.ok_or_else(|| Failure::invalid_params(format!("there is no skill {uri:?}")))?;
                ready(GetSkillResult { skill, ..GetSkillResult::default() })
            }
            other => Err(Failure::method_not_found(other)),
        }
    }

    fn call_tool(
        &self,
        shelves: &Shelves,
        request: &Request<'_>,
        context: Context,
    ) -> Result<Handling, Failure> {
        let name = request.name()?;
        let arguments = request.arguments().map_or("{}", RawValue::get);
        let unknown = || match self.withheld.get(&*name) {
            Some(why) => Failure::invalid_params(why),
            None => Failure::invalid_params(format!("there is no tool {name:?}")),
        };
        let route = shelves.tools.find(&name).ok_or_else(unknown)?;
        let Some(times) = tasks::becomes_one(route, request, &context)? else {
            return Ok(route.call(arguments, context));
        };
        let begin = |context| route.call(arguments, context);
        let task = context.server().tasks().start(&context, times, begin)?;
        Ok(Handling::Ready(Ok(tasks::made(task, context.era()))))
    }
}

fn read_resource(shelves: &Shelves, uri: &str, context: Context) -> Result<Handling, Failure> {
    if let Some(route) = shelves.resources.find(uri) {
        return Ok(route.read(context));
    }
    let found = shelves.templates.all().iter().find_map(|route| route.read(uri, &context));
    found.ok_or_else(|| Failure::resource_not_found(uri))
}

fn ready<R: Into<Reply>>(result: R) -> Result<Handling, Failure> {
    Ok(Handling::Ready(Ok(result.into())))
}
