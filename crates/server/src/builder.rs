//! The description of a server while it is written.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_protocol::{CacheScope, Implementation, Json, Revision, ServerCapabilities};
use tokio::sync::watch;

use crate::context::Seal;
use crate::router::{CompletionRoute, Lists, PromptRoute, ResourceRoute, Router, Stays, TemplateRoute};
use crate::server::{Description, Inner, signature};
use crate::subscriptions::Hub;
use crate::tasks::Tasks;
use crate::tool::ToolRoute;
use crate::{Handler, Limits, Server};

/// The description of a server while it is written: see [`Server::builder`].
#[must_use = "a description is no server until it is built"]
pub struct Builder {
    implementation: Implementation,
    instructions: Option<String>,
    revisions: Vec<Revision>,
    limits: Limits,
    cache: (Duration, CacheScope),
    key: Option<Vec<u8>>,
    announces: Announces,
    logging: bool,
    page: usize,
    router: Router,
}

/// Whether changes are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Announces {
    Nothing,
    Changes,
}

/// What was registered is no server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Two of a kind have the same name or address.
    #[error("two {kind} are called {name:?}")]
    SameName {
        /// `tools`, `resources`, `templates`, `prompts` or `skills`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The schema of a tool cannot be used.
    #[error("the schema of the tool {tool:?} cannot be used: {reason}")]
    Schema {
        /// The tool.
        tool: String,
        /// Why not.
        reason: String,
    },
    /// A template of addresses cannot be used.
    #[error("the template {template:?} cannot be used: {reason}")]
    Template {
        /// The template.
        template: String,
        /// Why not.
        reason: &'static str,
    },
    /// A skill is none that clients take.
    #[error("the skill {uri:?} cannot be offered: {reason}")]
    Skill {
        /// Its address.
        uri: String,
        /// Why not.
        reason: String,
    },
}

impl Builder {
    pub(crate) fn new(implementation: Implementation) -> Self {
        Self {
            implementation,
            instructions: None,
            revisions: Revision::ALL.to_vec(),
            limits: Limits::default(),
            cache: (Duration::ZERO, CacheScope::Private),
            key: None,
            announces: Announces::Nothing,
            logging: false,
            page: 250,
            router: Router::default(),
        }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.implementation.title = Some(title.into());
        self
    }

    /// How to use the server, for models and people.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Everything the server says of itself, in place of name, version and title.
    pub fn implementation(mut self, implementation: Implementation) -> Self {
        self.implementation = implementation;
        self
    }

    /// The revisions that it speaks; all of them, unless this says otherwise.
    pub fn revisions(mut self, revisions: impl IntoIterator<Item = Revision>) -> Self {
        self.revisions = revisions.into_iter().collect();
        self.revisions.sort_unstable();
        self
    }

    /// What one peer may make it hold.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// For how long clients of the modern era may take its lists as they are, and who may share them; not at all, unless
    /// this says otherwise (MCP 2026-07-28, server/utilities/caching).
    pub fn cache_lists(mut self, ttl: Duration, scope: CacheScope) -> Self {
        self.cache = (ttl, scope);
        self
    }

    /// The most entries of one page of a list.
    pub fn page_size(mut self, entries: usize) -> Self {
        self.page = entries.max(1);
        self
    }

    /// Seals what is kept between the rounds of a request with this key, so that a request may go on in another process.
    /// Without it each process has a key of its own.
    pub fn state_key(mut self, key: impl Into<Vec<u8>>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Tells clients that its lists and resources may change: [`Server::changes`] says when.
    pub fn announces_changes(mut self) -> Self {
        self.announces = Announces::Changes;
        self
    }

    /// Sends log messages to clients that want them: [`Context::log`](crate::Context::log).
    pub fn logs(mut self) -> Self {
        self.logging = true;
        self
    }

    /// A tool: see [`tool`](crate::tool).
    pub fn tool(mut self, tool: ToolRoute) -> Self {
        self.router.tools.push(tool);
        self
    }

    /// A tool that is there but not offered: a call of it is refused with these words (`-32602`).
    pub fn withheld_tool(mut self, name: impl Into<String>, why: impl Into<String>) -> Self {
        self.router.withheld.insert(name.into(), why.into());
        self
    }

    /// A resource: see [`resource`](crate::resource).
    pub fn resource(mut self, resource: ResourceRoute) -> Self {
        self.router.resources.push(resource);
        self
    }

    /// Resources with addresses of one form: see [`template`](crate::template).
    pub fn template(mut self, template: TemplateRoute) -> Self {
        self.router.templates.push(template);
        self
    }

    /// A prompt: see [`prompt`](crate::prompt).
    pub fn prompt(mut self, prompt: PromptRoute) -> Self {
        self.router.prompts.push(prompt);
        self
    }

    /// What completes the arguments of prompts and templates: see [`completion`](crate::completion).
    pub fn completion(mut self, completion: CompletionRoute) -> Self {
        self.router.completion = Some(completion);
        self
    }

    /// A skill: see [`skill`](crate::skill).
    #[cfg(feature = "skills")]
    pub fn skill(mut self, skill: crate::router::SkillRoute) -> Self {
        self.router.skills.push(skill.skill);
        self.router.resources.extend(skill.files);
        self
    }

    /// The server.
    ///
    /// # Errors
    /// [`BuildError`] names what cannot be registered.
    pub fn build(mut self) -> Result<Server, BuildError> {
        let ready = std::mem::take(&mut self.router).ready(self.announces, self.page, Stays::AsItIs)?;
        Ok(self.build_with(ready))
    }

    /// The server, and the handle by which its tools, resources and prompts come and go while it runs. Clients are told
    /// that it has all of these, also where there are none yet, and that they [change](Self::announces_changes).
    ///
    /// # Errors
    /// [`BuildError`] names what cannot be registered.
    pub fn build_with_lists(mut self) -> Result<(Server, Lists), BuildError> {
        self.announces = Announces::Changes;
        let ready = std::mem::take(&mut self.router).ready(self.announces, self.page, Stays::Changing)?;
        let lists = ready.lists();
        let server = self.build_with(ready);
        let lists = lists(server.changes());
        Ok((server, lists))
    }

    /// The server, with a handler that answers everything itself, for proxies. What was registered here is not asked.
    #[must_use]
    pub fn build_with<H: Handler>(self, handler: H) -> Server {
        let mut capabilities: ServerCapabilities = handler.capabilities();
        if self.logging {
            capabilities.logging = Json::from_text("{}").ok();
        }
        let hub = Arc::new(Hub::default());
        let ttl = u64::try_from(self.cache.0.as_millis()).unwrap_or(u64::MAX);
        let description = Description {
            signature: signature(&self.implementation),
            implementation: self.implementation,
            instructions: self.instructions,
            capabilities,
            cache: (Json::encode(&ttl).expect("a number has a JSON form"), self.cache.1),
        };
        Server(Arc::new(Inner {
            description,
            handler: Box::new(handler),
            tasks: Tasks::new(Arc::clone(&hub), self.limits.tasks),
            limits: self.limits,
            revisions: self.revisions,
            seal: self.key.map_or_else(Seal::random, |key| Seal::with_key(&key)),
            hub,
            ended: watch::Sender::new(false),
        }))
    }
}
