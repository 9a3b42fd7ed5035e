//! A server: what it is and what answers for it, apart from any connection.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_protocol::{
    CacheScope, Implementation, Json, Members, Meta, MetaMembers, Revision, ServerCapabilities, ToolHeaders,
    meta,
};
use tokio::sync::watch;

use crate::context::Seal;
use crate::subscriptions::{Changes, Hub};
use crate::tasks::Tasks;
use crate::{Builder, Handler, Limits};

/// A server: what it is and what answers for it, apart from any connection. It does not change; clones are the same.
#[derive(Clone)]
pub struct Server(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) description: Description,
    pub(crate) handler: Box<dyn Handler>,
    pub(crate) limits: Limits,
    pub(crate) revisions: Vec<Revision>,
    pub(crate) seal: Seal,
    pub(crate) hub: Arc<Hub>,
    pub(crate) tasks: Tasks,
    pub(crate) ended: watch::Sender<bool>,
}

/// What a server says of itself.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    pub(crate) implementation: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) capabilities: ServerCapabilities,
    /// How long lists stay true, and for whom.
    pub(crate) cache: (Json, CacheScope),
    /// `_meta` of every modern result.
    pub(crate) signature: Meta,
}

impl Description {
    /// `_meta` of a modern result: who answers, beside what the handler says.
    pub(crate) fn meta(&self, told: Option<Meta>) -> Meta {
        let Some(told) = told else { return self.signature.clone() };
        let Ok(mut members) = told.json().decode::<Members<Json>>() else { return self.signature.clone() };
        if members.member(meta::SERVER_INFO).is_none() {
            members.push(
                meta::SERVER_INFO,
                Json::encode(&self.implementation).expect("wire types have a JSON form"),
            );
        }
        Meta::from(Json::encode(&members).expect("JSON texts have a JSON form"))
    }

    /// Who answers, as an earlier revision says it.
    pub(crate) fn implementation_in(&self, revision: Revision) -> Implementation {
        let ours = self.implementation.clone();
        let later = revision >= Revision::V2025_11_25;
        Implementation {
            title: ours.title.filter(|_| revision >= Revision::V2025_06_18),
            description: ours.description.filter(|_| later),
            website_url: ours.website_url.filter(|_| later),
            icons: ours.icons.filter(|_| later),
            ..ours
        }
    }
}

/// What every modern result says: who answers.
pub(crate) fn signature(implementation: &Implementation) -> Meta {
    Meta::from(&MetaMembers { server_info: Some(implementation.clone()), ..MetaMembers::default() })
}

/// Waits for the end of a server.
pub(crate) struct Ended(watch::Receiver<bool>);

impl Ended {
    pub(crate) async fn wait(&mut self) {
        // The sender is part of the server, which lives as long as whoever waits.
        let _ = self.0.wait_for(|ended| *ended).await;
    }
}

impl Server {
    /// Begins the description of a server with its name and version, as clients see them.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> Builder {
        Builder::new(Implementation {
            name: name.into(),
            version: version.into(),
            ..Implementation::default()
        })
    }

    /// Says what changed, to all clients that want to hear it.
    #[must_use]
    pub fn changes(&self) -> Changes {
        Changes::new(Arc::clone(&self.0.hub))
    }

    /// Ends every subscription with the answer that it waits for, and cancels every task. New ones end at once.
    pub fn end(&self) {
        self.0.ended.send_replace(true);
        self.0.tasks.cancel_all();
    }

    /// The revisions that it speaks, oldest first.
    #[must_use]
    pub fn revisions(&self) -> &[Revision] {
        &self.0.revisions
    }

    /// What it offers.
    #[must_use]
    pub fn capabilities(&self) -> &ServerCapabilities {
        &self.0.description.capabilities
    }

    /// What one peer may make it hold.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The arguments of a tool that stand in HTTP headers too; `None` if there is no such tool or it has none.
    #[must_use]
    pub fn tool_headers(&self, tool: &str) -> Option<Arc<ToolHeaders>> {
        self.0.handler.tool_headers(tool)
    }

    pub(crate) fn description(&self) -> &Description {
        &self.0.description
    }

    pub(crate) fn handler(&self) -> &dyn Handler {
        &*self.0.handler
    }

    pub(crate) fn seal(&self) -> &Seal {
        &self.0.seal
    }

    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.0.tasks
    }

    pub(crate) fn ended(&self) -> Ended {
        Ended(self.0.ended.subscribe())
    }

    pub(crate) fn logs(&self) -> bool {
        self.0.description.capabilities.logging.is_some()
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("implementation", &self.0.description.implementation)
            .finish_non_exhaustive()
    }
}
