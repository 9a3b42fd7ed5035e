//! What logins are carried out with.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_net::Fetch;
use codewhale_mcp_redact::Secret;

use crate::LoginError;
use crate::browse::Browse;
use crate::credentials::CredentialStore;
use crate::flow::{DeviceCode, SubjectKind};
use crate::world::{RealWorld, World};

/// What logins are carried out with.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Makes requests, where the guard of logins lets them go.
    pub fetch: Arc<dyn Fetch>,
    /// Keeps credentials.
    pub store: Arc<dyn CredentialStore>,
    /// The clock and the dice.
    pub world: Arc<dyn World>,
    /// Sends people to authorization servers. Without it nobody is asked.
    pub browse: Option<Arc<dyn Browse>>,
    /// Shows people codes to type in elsewhere. Without it nobody is asked.
    pub show: Option<Arc<dyn ShowCode>>,
    /// Says who we are, or who a person is.
    pub subject: Option<Arc<dyn Subject>>,
}

impl Parts {
    /// Parts that ask nobody anything.
    #[must_use]
    pub fn new(fetch: Arc<dyn Fetch>, store: Arc<dyn CredentialStore>) -> Self {
        Self { fetch, store, world: Arc::new(RealWorld), browse: None, show: None, subject: None }
    }
}

/// Shows a person where to type a code in.
#[async_trait]
pub trait ShowCode: Send + Sync + fmt::Debug {
    /// Shows it, and does not wait for them.
    async fn show(&self, code: DeviceCode);
}

/// Says who we are, or who a person is.
#[async_trait]
pub trait Subject: Send + Sync + fmt::Debug {
    /// A token that says so, read anew each time.
    ///
    /// # Errors
    /// [`LoginError::Subject`].
    async fn token(&self, kind: SubjectKind) -> Result<Secret<String>, LoginError>;
}
