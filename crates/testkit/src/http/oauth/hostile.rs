//! What an authorization server, or the server that names it, may say to lead a client astray.

use serde_json::Value;

use crate::http::form::encoded;
use crate::http::response::Response;
use crate::options::Options;

/// Everything is as it should be by default.
pub(super) struct Hostile {
    /// A member of the authorization server's metadata.
    says: Option<(String, String)>,
    /// A member of the server's own metadata.
    resource_says: Option<(String, String)>,
    /// Where the challenge says that the metadata are.
    pub(super) told: Option<String>,
    /// What comes back as `iss`.
    iss: Option<String>,
    /// The description of an error that comes back instead of a code.
    error: Option<String>,
    /// What else comes back, as it stands in a query.
    also: Option<String>,
    /// A member that the answer with a token has twice.
    twice: Option<String>,
    /// So much more is in every document.
    padding: usize,
    /// Every document is somewhere else.
    pub(super) loops: bool,
}

impl Hostile {
    pub(super) fn read(options: &Options) -> Hostile {
        let member = |name: &str| {
            let text = options.text(name)?;
            text.split_once('=').map(|(member, value)| (member.to_owned(), value.to_owned()))
        };
        Hostile {
            says: member("says"),
            resource_says: member("resource-says"),
            told: options.text("told"),
            iss: options.text("iss"),
            error: options.text("error"),
            also: options.text("also"),
            twice: options.text("twice"),
            padding: options.count("padding", 0),
            loops: options.has("loops"),
        }
    }

    /// The authorization server's metadata.
    pub(super) fn issuer(&self, document: Value) -> Response {
        self.document(document, self.says.as_ref())
    }

    /// The server's metadata.
    pub(super) fn resource(&self, document: Value) -> Response {
        self.document(document, self.resource_says.as_ref())
    }

    fn document(&self, mut document: Value, member: Option<&(String, String)>) -> Response {
        if let Some((name, value)) = member {
            // A list stays one.
            document[name] = match document[name] {
                Value::Array(_) => Value::from(vec![value.as_str()]),
                _ => value.as_str().into(),
            };
        }
        if self.padding > 0 {
            document["padding"] = "x".repeat(self.padding).into();
        }
        Response::json(200, document.to_string())
    }

    /// What the browser comes back with, in the place of a code.
    pub(super) fn refusal(&self) -> Option<String> {
        let error = self.error.as_deref()?;
        Some(format!("error=server_error&error_description={}", encoded(error)))
    }

    /// What else the browser comes back with.
    pub(super) fn also(&self) -> String {
        self.also.as_ref().map(|query| format!("&{query}")).unwrap_or_default()
    }

    /// The answer with a token.
    pub(super) fn token(&self, document: &Value) -> Response {
        let text = document.to_string();
        Response::json(
            200,
            match &self.twice {
                Some(member) => text.replacen('{', &format!("{{\"{member}\":{},", document[member]), 1),
                None => text,
            },
        )
    }

    /// Who says so.
    pub(super) fn iss(&self, base: &str) -> String {
        match self.iss.as_deref() {
            Some("none") => String::new(),
            iss => format!("&iss={}", encoded(iss.unwrap_or(base))),
        }
    }
}
