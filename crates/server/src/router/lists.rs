//! The handle by which a server's lists change while it runs.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::shelves::Shelves;
use super::{PromptRoute, ResourceRoute, TemplateRoute};
use crate::tool::ToolRoute;
use crate::{BuildError, Changes};

/// What a server offers, as it changes while the server runs: see [`Builder::build_with_lists`]. Every change is told to
/// the clients of both eras that want to hear of it, and is true for the next request. Clones are the same.
///
/// ```
/// use codewhale_mcp_server::{Context, Failure, NoArguments, Server, tool};
///
/// async fn now(_: NoArguments, _: Context) -> Result<&'static str, Failure> {
///     Ok("noon")
/// }
///
/// let (server, lists) = Server::builder("clock", "1.0.0").build_with_lists()?;
/// // While it is served:
/// lists.put_tool(tool("now", now).description("The time."))?;
/// assert!(lists.remove_tool("now"));
/// # drop(server);
/// # Ok::<(), codewhale_mcp_server::BuildError>(())
/// ```
///
/// [`Builder::build_with_lists`]: crate::Builder::build_with_lists
#[derive(Clone)]
pub struct Lists {
    shelves: Shared,
    changes: Changes,
}

/// What is offered, as it stands now.
pub(super) type Shared = Arc<RwLock<Arc<Shelves>>>;

impl Lists {
    pub(super) fn new(shelves: Shared, changes: Changes) -> Self {
        Self { shelves, changes }
    }

    /// Offers a tool from now on, in place of one with the same name. Calls that have begun go on.
    ///
    /// # Errors
    /// [`BuildError::Schema`], when its schema cannot be used.
    pub fn put_tool(&self, tool: ToolRoute) -> Result<(), BuildError> {
        let tool = tool.ready()?;
        drop(self.change(|shelves| shelves.tools.put(tool)));
        self.changes.tools();
        Ok(())
    }

    /// Offers a tool no longer; whether it was offered. Calls that have begun go on.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.remove(|shelves| shelves.tools.take(name), Changes::tools)
    }

    /// Offers a resource from now on, in place of one at the same address.
    pub fn put_resource(&self, resource: ResourceRoute) {
        drop(self.change(|shelves| shelves.resources.put(resource)));
        self.changes.resources();
    }

    /// Offers a resource no longer; whether it was offered.
    pub fn remove_resource(&self, uri: &str) -> bool {
        self.remove(|shelves| shelves.resources.take(uri), Changes::resources)
    }

    /// Offers a template from now on, in place of one of the same form.
    pub fn put_template(&self, template: TemplateRoute) {
        drop(self.change(|shelves| shelves.templates.put(template)));
        self.changes.resources();
    }

    /// Offers a template no longer; whether it was offered.
    pub fn remove_template(&self, uri_template: &str) -> bool {
        self.remove(|shelves| shelves.templates.take(uri_template), Changes::resources)
    }

    /// Offers a prompt from now on, in place of one with the same name.
    pub fn put_prompt(&self, prompt: PromptRoute) {
        drop(self.change(|shelves| shelves.prompts.put(prompt)));
        self.changes.prompts();
    }

    /// Offers a prompt no longer; whether it was offered.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.remove(|shelves| shelves.prompts.take(name), Changes::prompts)
    }

    /// Takes something away, and tells it if it was there.
    fn remove<R>(
        &self,
        take: impl FnOnce(&mut Shelves) -> Option<Arc<R>>,
        tell: impl FnOnce(&Changes),
    ) -> bool {
        let was = self.change(take).is_some();
        if was {
            tell(&self.changes);
        }
        was
    }

    /// Changes what is offered, and gives what is offered no longer: that is dropped when nothing is locked.
    fn change<T>(&self, change: impl FnOnce(&mut Shelves) -> T) -> T {
        change(Arc::make_mut(&mut *self.shelves.write().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl fmt::Debug for Lists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lists").finish_non_exhaustive()
    }
}
