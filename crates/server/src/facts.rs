//! What a transport knows of a request beside its text.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// What a transport knows of a request beside its text: who is authorized to make it, and values of any type, which a
/// handler finds by their type. The facts of a process's own input are empty. Clones share the values.
#[derive(Clone, Default)]
pub struct Facts {
    principal: Option<Arc<str>>,
    values: Option<Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Facts {
    /// No facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the one who was found to be authorized. A task, and the state between the rounds of a request, belong to the
    /// principal they began with.
    #[must_use]
    pub fn with_principal(mut self, principal: impl Into<Arc<str>>) -> Self {
        self.principal = Some(principal.into());
        self
    }

    /// With a value more; one of the same type is replaced.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        let mut values = self.values.as_deref().cloned().unwrap_or_default();
        values.insert(TypeId::of::<T>(), Arc::new(value));
        self.values = Some(Arc::new(values));
        self
    }

    /// Who is authorized to make the request, where the transport knows.
    #[must_use]
    pub fn principal(&self) -> Option<&str> {
        self.principal.as_deref()
    }

    /// The value of this type.
    #[must_use]
    pub fn value<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.values.as_ref()?.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.as_ref().map_or(0, |values| values.len());
        f.debug_struct("Facts").field("principal", &self.principal).field("values", &values).finish()
    }
}
