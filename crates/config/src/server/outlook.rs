//! What can be said of a server that is not started.

use std::path::Path;

use crate::{Environment, MergedServer, Problem, Warning};

/// What a person should know of a server before it is started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outlook {
    /// What will keep it from starting: a refused definition, or what it needs from the environment and does not get.
    pub problems: Vec<Problem>,
    /// What is odd and stops nothing: what the file says, and secrets and placeholders that stand in it.
    pub warnings: Vec<Warning>,
}

impl MergedServer {
    /// Looks at everything that [`resolve`](Self::resolve) looks at, and at what stands in the definition as it is.
    /// Variables are looked up, so it is not for servers that nobody agreed to.
    pub fn outlook(&self, environment: &dyn Environment, workspace: &Path) -> Outlook {
        let problems = self.resolve(environment, workspace).err().unwrap_or_default();
        let mut warnings = self.entry.warnings.clone();
        if let Ok(definition) = &self.entry.definition {
            warnings.extend(definition.literal_secrets());
        }
        Outlook { problems, warnings }
    }
}
