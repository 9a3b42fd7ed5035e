//! Which part of what was registered answers a request.

use std::collections::HashMap;

use codewhale_mcp_protocol::{
    Era, GetSkillResult, Json, ListCapability, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, Members, Prompt, Resource, ResourceTemplate,
    SKILLS_EXTENSION, ServerCapabilities, Skill, TASKS_EXTENSION, Tool, ToolHeaders, method,
};
use serde_json::value::RawValue;

use super::paging::page;
use super::resources::Listed;
use super::{CompletionRoute, PromptRoute, ResourceRoute, TemplateRoute};
use crate::builder::Announces;
use crate::tool::{TaskPolicy, ToolRoute};
use crate::{BuildError, Context, Failure, Handler, Handling, Reply, Request, tasks};

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
struct Ready {
    router: Router,
    announces: Announces,
    page: usize,
    tools_by_name: HashMap<String, usize>,
    resources_by_uri: HashMap<String, usize>,
    prompts_by_name: HashMap<String, usize>,
    tools: Vec<Tool>,
    resources: Vec<Resource>,
    templates: Vec<ResourceTemplate>,
    prompts: Vec<Prompt>,
}

impl Router {
    /// Checks what was registered.
    pub(crate) fn ready(mut self, announces: Announces, page: usize) -> Result<impl Handler, BuildError> {
        self.tools = self.tools.into_iter().map(ToolRoute::ready).collect::<Result<_, _>>()?;
        places("skills", self.skills.iter().map(|skill| skill.uri.as_str()))?;
        let templates = self.templates.iter().map(|route| route.template.uri_template.as_str());
        places("templates", templates)?;
        Ok(Ready {
            announces,
            page,
            tools_by_name: places("tools", self.tools.iter().map(|route| route.tool.name.as_str()))?,
            resources_by_uri: places(
                "resources",
                self.resources.iter().map(|route| route.resource.uri.as_str()),
            )?,
            prompts_by_name: places("prompts", self.prompts.iter().map(|route| route.prompt.name.as_str()))?,
            tools: self.tools.iter().map(|route| route.tool.clone()).collect(),
            resources: self
                .resources
                .iter()
                .filter(|route| route.listed == Listed::Yes)
                .map(|route| route.resource.clone())
                .collect(),
            templates: self.templates.iter().map(|route| route.template.clone()).collect(),
            prompts: self.prompts.iter().map(|route| route.prompt.clone()).collect(),
            router: self,
        })
    }
}

/// Where each name stands.
fn places<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<HashMap<String, usize>, BuildError> {
    let mut places = HashMap::new();
    for (at, name) in names.enumerate() {
        if places.insert(name.to_owned(), at).is_some() {
            return Err(BuildError::SameName { kind, name: name.to_owned() });
        }
    }
    Ok(places)
}

impl Handler for Ready {
    fn capabilities(&self) -> ServerCapabilities {
        let told = self.announces == Announces::Changes;
        let lists =
            |some: bool| some.then(|| ListCapability { list_changed: told, ..ListCapability::default() });
        let empty = || Json::from_text("{}").expect("an object is JSON");
        let router = &self.router;
        let has_resources = !router.resources.is_empty() || !router.templates.is_empty();
        let has_tasks = router.tools.iter().any(|route| route.task.is_some());
        let extensions = [(TASKS_EXTENSION, has_tasks), (SKILLS_EXTENSION, !router.skills.is_empty())];
        let extensions: Members<Json> =
            extensions.into_iter().filter(|(_, has)| *has).map(|(name, _)| (name, empty())).collect();
        ServerCapabilities {
            tools: lists(!self.tools.is_empty()),
            resources: lists(has_resources).map(|resources| ListCapability { subscribe: told, ..resources }),
            prompts: lists(!self.prompts.is_empty()),
            completions: self.router.completion.as_ref().map(|_| empty()),
            extensions: (!extensions.is_empty()).then(|| Json::encode(&extensions).ok()).flatten(),
            ..ServerCapabilities::default()
        }
    }

    fn handle(&self, request: &Request<'_>, context: Context) -> Handling {
        self.route(request, context).unwrap_or_else(Handling::refused)
    }

    fn tool_headers(&self, tool: &str) -> Option<&ToolHeaders> {
        self.router.tools[*self.tools_by_name.get(tool)?].headers.as_ref()
    }
}

impl Ready {
    fn route(&self, request: &Request<'_>, context: Context) -> Result<Handling, Failure> {
        let cursor = request.fields.cursor;
        let arguments = request.arguments().map_or("{}", RawValue::get);
        match request.method() {
            method::TOOLS_CALL => self.call_tool(&request.name()?, arguments, context),
            method::RESOURCES_READ => self.read_resource(&request.uri()?, context),
            method::PROMPTS_GET => {
                let name = request.name()?;
                let unknown = || Failure::invalid_params(format!("there is no prompt {name:?}"));
                let at = *self.prompts_by_name.get(&*name).ok_or_else(unknown)?;
                Ok(self.router.prompts[at].get(arguments, context))
            }
            method::COMPLETE => {
                let completion = self.router.completion.as_ref();
                let unknown = || Failure::method_not_found(method::COMPLETE);
                Ok(completion.ok_or_else(unknown)?.call(request, context))
            }
            method::TOOLS_LIST => {
                let (tools, next_cursor) = page(&self.tools, cursor, self.page)?;
                ready(ListToolsResult { tools, next_cursor, ..ListToolsResult::default() })
            }
            method::RESOURCES_LIST => {
                let (resources, next_cursor) = page(&self.resources, cursor, self.page)?;
                ready(ListResourcesResult { resources, next_cursor, ..ListResourcesResult::default() })
            }
            method::RESOURCES_TEMPLATES_LIST => {
                let (resource_templates, next_cursor) = page(&self.templates, cursor, self.page)?;
                ready(ListResourceTemplatesResult {
                    resource_templates,
                    next_cursor,
                    ..ListResourceTemplatesResult::default()
                })
            }
            method::PROMPTS_LIST => {
                let (prompts, next_cursor) = page(&self.prompts, cursor, self.page)?;
                ready(ListPromptsResult { prompts, next_cursor, ..ListPromptsResult::default() })
            }
            method::SKILLS_LIST => {
                let (skills, next_cursor) = page(&self.router.skills, cursor, self.page)?;
                ready(ListSkillsResult { skills, next_cursor, ..ListSkillsResult::default() })
            }
            method::SKILLS_GET => {
                let uri = request.uri()?;
                let skill = self.router.skills.iter().find(|skill| skill.uri == uri).cloned();
                let skill =
                    skill.ok_or_else(|| Failure::invalid_params(format!("there is no skill {uri:?}")))?;
                ready(GetSkillResult { skill, ..GetSkillResult::default() })
            }
            other => Err(Failure::method_not_found(other)),
        }
    }

    fn call_tool(&self, name: &str, arguments: &str, context: Context) -> Result<Handling, Failure> {
        let unknown = || match self.router.withheld.get(name) {
            Some(why) => Failure::invalid_params(why),
            None => Failure::invalid_params(format!("there is no tool {name:?}")),
        };
        let route = &self.router.tools[*self.tools_by_name.get(name).ok_or_else(unknown)?];
        match route.task.filter(|_| context.era() == Era::Modern) {
            Some(TaskPolicy::AtOnce { required, lifetime, poll_interval })
                if required || tasks::declares(&context) =>
            {
                let begin = |context| route.call(arguments, context);
                let task = context.server().tasks().start(&context, lifetime, poll_interval, begin)?;
                Ok(Handling::Ready(Ok(Reply::Task(Box::new(task)))))
            }
            _ => Ok(route.call(arguments, context)),
        }
    }

    fn read_resource(&self, uri: &str, context: Context) -> Result<Handling, Failure> {
        if let Some(at) = self.resources_by_uri.get(uri) {
            return Ok(self.router.resources[*at].read(context));
        }
        let found = self.router.templates.iter().find_map(|route| route.read(uri, &context));
        found.ok_or_else(|| Failure::resource_not_found(uri))
    }
}

fn ready<R: Into<Reply>>(result: R) -> Result<Handling, Failure> {
    Ok(Handling::Ready(Ok(result.into())))
}
