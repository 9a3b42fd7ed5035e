//! What the `data` of MCP's own errors says.

use crate::open::open_object;
use crate::{ClientCapabilities, ElicitParams, ErrorObject, code};

open_object! {
    /// `data` of an unsupported revision (`-32022`; MCP 2026-07-28, basic/versioning). Legacy servers may send
    /// it with `-32602`.
    pub struct UnsupportedProtocolVersionData {
        /// The revisions the server speaks.
        required supported: Vec<String> = "supported",
        /// The one that was asked for.
        optional requested: String = "requested",
    }
}

open_object! {
    /// `data` of a missing capability (`-32021`; MCP 2026-07-28, basic/index).
    pub struct MissingRequiredClientCapabilityData {
        /// What the client has to declare.
        required required_capabilities: ClientCapabilities = "requiredCapabilities",
    }
}

open_object! {
    /// `data` of `-32042` (MCP 2025-11-25, client/elicitation): addresses a person has to visit first.
    pub struct UrlElicitationRequiredData {
        /// The visits, each of mode `url` with an `elicitationId`.
        required elicitations: Vec<ElicitParams> = "elicitations",
    }
}

open_object! {
    /// `data` of a resource that is not there (`-32002` of legacy servers, `-32602` of modern ones).
    pub struct ResourceNotFoundData {
        /// Its address.
        optional uri: String = "uri",
    }
}

impl ErrorObject {
    /// What the client has to declare, if that is the error.
    #[must_use]
    pub fn required_capabilities(&self) -> Option<ClientCapabilities> {
        let data = self.data_of(code::MISSING_REQUIRED_CLIENT_CAPABILITY)?;
        data.decode::<MissingRequiredClientCapabilityData>().ok().map(|data| data.required_capabilities)
    }

    /// The addresses a person has to visit first, if that is the error (2025-11-25).
    #[must_use]
    pub fn required_elicitations(&self) -> Option<Vec<ElicitParams>> {
        let data = self.data_of(code::URL_ELICITATION_REQUIRED)?;
        data.decode::<UrlElicitationRequiredData>().ok().map(|data| data.elicitations)
    }

    /// The revisions that the peer says it speaks: `data.supported` of a version error.
    #[must_use]
    pub fn supported_versions(&self) -> Vec<String> {
        let data = self.data.as_ref().and_then(|data| data.decode::<UnsupportedProtocolVersionData>().ok());
        data.map(|data| data.supported).unwrap_or_default()
    }

    fn data_of(&self, code: i64) -> Option<&crate::Json> {
        self.data.as_ref().filter(|_| self.code == code)
    }
}
