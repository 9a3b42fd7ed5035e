//! What is offered at one moment: the routes of each kind, found by their names, in the order in which they came.

use std::collections::HashMap;
use std::sync::Arc;

use super::{PromptRoute, ResourceRoute, TemplateRoute};
use crate::BuildError;
use crate::tool::ToolRoute;

/// All that is offered and may change.
#[derive(Clone)]
pub(crate) struct Shelves {
    pub(super) tools: Shelf<ToolRoute>,
    pub(super) resources: Shelf<ResourceRoute>,
    pub(super) templates: Shelf<TemplateRoute>,
    pub(super) prompts: Shelf<PromptRoute>,
}

/// Routes of one kind.
pub(super) struct Shelf<R> {
    routes: Vec<Arc<R>>,
    places: HashMap<String, usize>,
}

/// What is found by a name.
pub(super) trait Named {
    /// What all of its kind are called.
    const KIND: &'static str;

    /// Its name, or its address.
    fn known_by(&self) -> &str;
}

impl Named for ToolRoute {
    const KIND: &'static str = "tools";

    fn known_by(&self) -> &str {
        &self.tool.name
    }
}

impl Named for ResourceRoute {
    const KIND: &'static str = "resources";

    fn known_by(&self) -> &str {
        &self.resource.uri
    }
}

impl Named for TemplateRoute {
    const KIND: &'static str = "templates";

    fn known_by(&self) -> &str {
        &self.template.uri_template
    }
}

impl Named for PromptRoute {
    const KIND: &'static str = "prompts";

    fn known_by(&self) -> &str {
        &self.prompt.name
    }
}

impl<R: Named> Shelf<R> {
    /// Routes that have different names.
    pub(super) fn of(routes: impl IntoIterator<Item = R>) -> Result<Self, BuildError> {
        let mut shelf = Self { routes: Vec::new(), places: HashMap::new() };
        for route in routes {
            if let Some(same) = shelf.put(route) {
                return Err(BuildError::SameName { kind: R::KIND, name: same.known_by().to_owned() });
            }
        }
        Ok(shelf)
    }

    pub(super) fn all(&self) -> &[Arc<R>] {
        &self.routes
    }

    pub(super) fn find(&self, name: &str) -> Option<&R> {
        self.places.get(name).map(|place| &*self.routes[*place])
    }

    /// One more; one of the same name gives it its place.
    pub(super) fn put(&mut self, route: R) -> Option<Arc<R>> {
        let route = Arc::new(route);
        if let Some(place) = self.places.get(route.known_by()) {
            return Some(std::mem::replace(&mut self.routes[*place], route));
        }
        self.places.insert(route.known_by().to_owned(), self.routes.len());
        self.routes.push(route);
        None
    }

    /// One less, if it was there.
    pub(super) fn take(&mut self, name: &str) -> Option<Arc<R>> {
        let place = self.places.remove(name)?;
        for later in self.places.values_mut().filter(|later| **later > place) {
            *later -= 1;
        }
        Some(self.routes.remove(place))
    }
}

// What is shared need not be cloned, whatever it is.
impl<R> Clone for Shelf<R> {
    fn clone(&self) -> Self {
        Self { routes: self.routes.clone(), places: self.places.clone() }
    }
}
