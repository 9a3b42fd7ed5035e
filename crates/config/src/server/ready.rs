//! A server with nothing left to look up.

use std::fmt;
use std::path::PathBuf;

use codewhale_mcp_redact::{Redactor, Secret, safe_args, safe_url};

use crate::entry::{AutoApprove, DefinitionHash, hex_digest};
use crate::timeouts::Timeouts;
use crate::{Place, Scope, Warning};

/// A server ready to start.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Server {
    /// Its name, printable.
    pub name: String,
    /// Whose it is.
    pub scope: Scope,
    /// Where it is defined.
    pub place: Place,
    /// Not to be started if `false`.
    pub enabled: bool,
    /// Its failure fails the turn.
    pub required: bool,
    /// How it is reached.
    pub transport: Transport,
    /// Its budgets.
    pub timeouts: Timeouts,
    /// Which of its tools are offered.
    pub tools: ToolFilter,
    /// Which of its tools run without a question.
    pub auto_approve: AutoApprove,
    /// `alwaysLoad`.
    pub always_load: bool,
    /// `defer_loading`, if set and not beaten by `alwaysLoad`.
    pub defer_loading: Option<bool>,
    /// What a consent is bound to.
    pub hash: DefinitionHash,
    /// Values that must not be shown, for a [`Redactor`].
    pub secrets: Vec<Secret<String>>,
    /// What is odd about it, found while reading and while expanding.
    pub warnings: Vec<Warning>,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transport {
    /// A child process.
    Stdio(Stdio),
    /// Streamable HTTP.
    Http(Remote),
    /// Legacy HTTP with SSE.
    Sse(Remote),
    /// In the process of the SDK that started us; host mode only.
    Sdk,
}

impl Transport {
    /// `stdio`, `http`, `sse` or `sdk`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Stdio(_) => "stdio",
            Self::Http(_) => "http",
            Self::Sse(_) => "sse",
            Self::Sdk => "sdk",
        }
    }
}

/// A child process. `Debug` hides what looks like a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Stdio {
    /// The program: one name or path, never split at blanks.
    pub command: String,
    /// Its arguments. Show them through `safe_args`.
    pub args: Vec<String>,
    /// Added to the environment it inherits.
    pub env: Vec<(String, Secret<String>)>,
    /// Where it runs, absolute if the workspace is; not checked to exist. `None` is the caller's choice.
    pub cwd: Option<PathBuf>,
}

impl fmt::Debug for Stdio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stdio")
            .field("command", &self.command)
            .field("args", &safe_args(&self.args))
            .field("env", &self.env)
            .field("cwd", &self.cwd)
            .finish()
    }
}

/// A remote server. `Debug` hides the secrets of the URL.
#[derive(Clone, PartialEq, Eq)]
pub struct Remote {
    /// The endpoint as written, expanded: an absolute http or https URL. Show it through `safe_url`.
    pub url: String,
    /// Headers of every request: literal ones and those from the environment, which win.
    pub headers: Vec<(String, Secret<String>)>,
    /// The token for `Authorization: Bearer`, if no header sets `Authorization`.
    pub bearer: Option<Secret<String>>,
    /// What a login needs to know.
    pub oauth: OAuth,
    /// Allows a private address behind the name in the URL, for its origin alone.
    pub allow_private_network: bool,
    /// Whether `type` or `transport` says how it is reached; otherwise legacy HTTP with SSE may be tried where
    /// Streamable HTTP turns out not to be spoken.
    pub is_said: bool,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("url", &safe_url(&self.url))
            .field("headers", &self.headers)
            .field("bearer", &self.bearer)
            .field("oauth", &self.oauth)
            .field("allow_private_network", &self.allow_private_network)
            .field("is_said", &self.is_said)
            .finish()
    }
}

/// What a login needs to know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OAuth {
    /// A client that was registered before.
    pub client_id: Option<String>,
    /// The variable that holds that client's secret; looked up at login.
    pub client_secret_env_var: Option<String>,
    /// The name that its credentials are found by, where that is not the server's own.
    pub account: Option<String>,
    /// Replaces the canonical resource.
    pub resource: Option<String>,
    /// Default scopes.
    pub scopes: Vec<String>,
}

/// Which tools are offered, by exact raw name: an empty allow list allows all, a denial wins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// `enabled_tools`.
    pub enabled: Vec<String>,
    /// `disabled_tools`.
    pub disabled: Vec<String>,
}

impl ToolFilter {
    /// Whether a tool is offered.
    pub fn allows(&self, tool: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|name| name == tool);
        !named(&self.disabled) && (self.enabled.is_empty() || named(&self.enabled))
    }
}

impl Server {
    /// Whether the first prompt of a host waits for it: `alwaysLoad: true`, `defer_loading: false` or `required: true`.
    pub fn is_eager(&self) -> bool {
        self.required || self.always_load || self.defer_loading == Some(false)
    }

    /// Hides this server's secrets in its logs and messages.
    pub fn redactor(&self) -> Redactor {
        self.secrets.iter().collect()
    }

    /// Changes when anything changes that decides what the server is or may do, expanded values included: the key of
    /// what was learnt from it. 64 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let mut parts: Vec<Vec<u8>> = vec![self.transport.as_str().into()];
        let mut text = |part: &str| parts.push(part.into());
        let list = |text: &mut dyn FnMut(&str), items: &[String]| {
            text(&items.len().to_string());
            items.iter().for_each(|item| text(item));
        };
        let pairs = |text: &mut dyn FnMut(&str), pairs: &[(String, Secret<String>)]| {
            text(&pairs.len().to_string());
            pairs.iter().for_each(|(name, value)| {
                text(name);
                text(value.expose());
            });
        };
        match &self.transport {
            Transport::Stdio(stdio) => {
                text(&stdio.command);
                list(&mut text, &stdio.args);
                pairs(&mut text, &stdio.env);
                text(&format!("{:?}", stdio.cwd));
            }
            Transport::Http(remote) | Transport::Sse(remote) => {
                text(&remote.url);
                pairs(&mut text, &remote.headers);
                text(remote.bearer.as_ref().map_or("", |bearer| bearer.expose()));
                text(&format!("{:?}", remote.oauth));
                text(if remote.is_said { "said" } else { "" });
            }
            Transport::Sdk => text(&self.name),
        }
        list(&mut text, &self.tools.enabled);
        list(&mut text, &self.tools.disabled);
        hex_digest(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}
