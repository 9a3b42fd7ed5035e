//! Why a handler has no result.

use std::error::Error;
use std::fmt;

use codewhale_mcp_protocol::{
    ClientCapabilities, Era, ErrorObject, Json, MissingRequiredClientCapabilityData, ResourceNotFoundData,
    Revision, code,
};

/// Why a handler has no result.
///
/// Any error becomes one by `?`: of a tool, that is a result with `isError`, whose text a model can act on; of anything
/// else it is an internal error. What has an error code of its own is made by one of the functions here.
///
/// ```
/// use codewhale_mcp_server::Failure;
///
/// fn parse(text: &str) -> Result<u16, Failure> {
///     Ok(text.parse::<u16>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
pub struct Failure(Kind);

pub(crate) enum Kind {
    /// In words, for whoever asked.
    Told(String),
    /// An error of the protocol.
    Protocol(ErrorObject),
    /// There is no such resource; the code is another one in each era.
    NoResource { uri: String },
    /// The client would have to declare more.
    NotDeclared(Box<ClientCapabilities>),
}

impl Failure {
    /// A failure in words: of a tool, a result with `isError`.
    #[must_use]
    pub fn told(text: impl Into<String>) -> Self {
        Self(Kind::Told(text.into()))
    }

    /// An error of the protocol, which a model does not see.
    #[must_use]
    pub fn protocol(code: i64, message: impl Into<String>) -> Self {
        Self::error(ErrorObject { code, message: message.into(), ..ErrorObject::default() })
    }

    /// An error of the protocol as it is, such as another server's.
    #[must_use]
    pub fn error(error: ErrorObject) -> Self {
        Self(Kind::Protocol(error))
    }

    /// The params make no sense (`-32602`).
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::protocol(code::INVALID_PARAMS, message)
    }

    /// There is no such method (`-32601`).
    #[must_use]
    pub fn method_not_found(method: &str) -> Self {
        Self::protocol(code::METHOD_NOT_FOUND, format!("there is no method {method:?}"))
    }

    /// There is no such resource (`-32602`, in the legacy era `-32002`; MCP 2026-07-28, server/resources).
    #[must_use]
    pub fn resource_not_found(uri: impl Into<String>) -> Self {
        Self(Kind::NoResource { uri: uri.into() })
    }

    /// The client has to declare this first (`-32021`, in the legacy era `-32602`).
    #[must_use]
    pub fn not_declared(required: ClientCapabilities) -> Self {
        Self(Kind::NotDeclared(Box::new(required)))
    }

    pub(crate) fn of(kind: Kind) -> Self {
        Self(kind)
    }

    pub(crate) fn kind(self) -> Kind {
        self.0
    }

    /// The error of the protocol that this is in a revision.
    #[must_use]
    pub fn into_error(self, revision: Revision) -> ErrorObject {
        let error =
            |code, message: String, data| ErrorObject { code, message, data, ..ErrorObject::default() };
        let modern = revision.era() == Era::Modern;
        match self.0 {
            Kind::Told(text) => error(code::INTERNAL_ERROR, text, None),
            Kind::Protocol(error) => error,
            Kind::NoResource { uri } => {
                let code = if modern { code::INVALID_PARAMS } else { code::RESOURCE_NOT_FOUND };
                let data = ResourceNotFoundData { uri: Some(uri), ..ResourceNotFoundData::default() };
                error(code, "there is no such resource".into(), encoded(&data))
            }
            Kind::NotDeclared(required) => {
                let message = "the client does not declare a capability that this needs".to_owned();
                if !modern {
                    return error(code::INVALID_PARAMS, message, None);
                }
                let data = MissingRequiredClientCapabilityData {
                    required_capabilities: *required,
                    ..MissingRequiredClientCapabilityData::default()
                };
                error(code::MISSING_REQUIRED_CLIENT_CAPABILITY, message, encoded(&data))
            }
        }
    }
}

fn encoded<T: serde::Serialize>(data: &T) -> Option<Json> {
    Some(Json::encode(data).expect("wire types have a JSON form"))
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let error: Box<dyn Error + Send + Sync> = Box::new(error);
        match error.downcast::<crate::InputError>() {
            Ok(input) => input.into_failure(),
            Err(error) => Self::told(error.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Told(text) => f.write_str(text),
            Kind::Protocol(error) => error.fmt(f),
            Kind::NoResource { uri } => write!(f, "there is no resource {uri:?}"),
            Kind::NotDeclared(_) => f.write_str("the client does not declare a capability that this needs"),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({self})")
    }
}
