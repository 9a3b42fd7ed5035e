//! A server's definition, every value with its place.

use codewhale_mcp_redact::{Secret, is_secret_name};
use url::Url;

use crate::timeouts::TimeoutSettings;
use crate::{Located, Place, Warning};

/// One server as written, with the rules between its members checked and nothing expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerEntry {
    /// How the server is reached; follows from `type`, `transport`, `command` and `url`.
    pub kind: Kind,
    /// Where `type`, else `transport`, says so, if one of them does.
    pub kind_place: Option<Place>,
    /// The program: one name or path, never split at blanks.
    pub command: Option<Located<String>>,
    /// The program's arguments. Show them through `safe_args`.
    pub args: Vec<Located<String>>,
    /// Environment of the program.
    pub env: Vec<Pair<Secret<String>>>,
    /// Working directory of the program. A relative one starts at the workspace.
    pub cwd: Option<Located<String>>,
    /// The endpoint. Show it through `safe_url`.
    pub url: Option<Located<String>>,
    /// Literal headers.
    pub headers: Vec<Pair<Secret<String>>>,
    /// Headers whose value is in an environment variable: header name to variable name.
    pub env_headers: Vec<Pair<String>>,
    /// The variable that holds a bearer token.
    pub bearer_token_env_var: Option<Located<String>>,
    /// Default scopes of a login.
    pub scopes: Vec<Located<String>>,
    /// `oauth.client_id`.
    pub oauth_client_id: Option<Located<String>>,
    /// `oauth.client_secret_env_var`.
    pub oauth_client_secret_env_var: Option<Located<String>>,
    /// Replaces the canonical resource in OAuth requests.
    pub oauth_resource: Option<Located<String>>,
    /// Allows a private address behind the name in `url`.
    pub allow_private_network: Option<Located<bool>>,
    /// On only if not `true`.
    pub disabled: Option<Located<bool>>,
    /// On only if not `false`.
    pub enabled: Option<Located<bool>>,
    /// A failure of this server fails the turn.
    pub required: Option<Located<bool>>,
    /// The only raw tool names offered; none means all.
    pub enabled_tools: Vec<Located<String>>,
    /// Raw tool names never offered.
    pub disabled_tools: Vec<Located<String>>,
    /// Tools that run without a question.
    pub auto_approve: Option<Located<AutoApprove>>,
    /// Starts at once in host mode.
    pub always_load: Option<Located<bool>>,
    /// `false` starts at once in host mode.
    pub defer_loading: Option<Located<bool>>,
    /// The server's own budgets.
    pub timeouts: TimeoutSettings,
}

/// One member of `env`, `headers` or `env_headers`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair<T> {
    /// Its name.
    pub name: String,
    /// Its value and place.
    pub value: Located<T>,
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// Legacy HTTP with SSE.
    Sse,
    /// In the process of the SDK that started us; host mode only.
    Sdk,
}

impl Kind {
    /// `stdio`, `http`, `sse` or `sdk`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::Sse => "sse",
            Self::Sdk => "sdk",
        }
    }

    /// Reads a `type`, other clients' spellings included.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "stdio" => Some(Self::Stdio),
            "http" | "streamable-http" | "streamableHttp" | "streamable_http" => Some(Self::Http),
            "sse" => Some(Self::Sse),
            "sdk" => Some(Self::Sdk),
            _ => None,
        }
    }
}

/// Which tools of a server run without a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AutoApprove {
    /// None: `false`, or not set.
    #[default]
    None,
    /// All of them: `true`.
    All,
    /// The tools with these raw names.
    Tools(Vec<String>),
}

impl AutoApprove {
    /// Whether a tool (by its raw name) runs without a question.
    pub fn covers(&self, tool: &str) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Tools(tools) => tools.iter().any(|name| name == tool),
        }
    }
}

/// How a server's requests are authorized, as far as the file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Auth {
    /// Not a remote server.
    None,
    /// A literal header, or a user in the URL.
    Header,
    /// A header from the environment.
    EnvHeader,
    /// A bearer token from the environment.
    BearerEnv,
    /// OAuth, if the server asks for it.
    OAuth,
}

impl Auth {
    /// `none`, `header`, `env_header`, `bearer_env` or `oauth`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Header => "header",
            Self::EnvHeader => "env_header",
            Self::BearerEnv => "bearer_env",
            Self::OAuth => "oauth",
        }
    }
}

impl ServerEntry {
    /// Whether the URL names a user, who is sent in a header.
    fn has_user(&self) -> bool {
        let url = self.url.as_ref().and_then(|url| Url::parse(&url.value).ok());
        url.is_some_and(|url| !url.username().is_empty() || url.password().is_some())
    }

    /// On means `enabled && !disabled`.
    pub fn is_on(&self) -> bool {
        self.enabled.as_ref().is_none_or(|enabled| enabled.value)
            && self.disabled.as_ref().is_none_or(|disabled| !disabled.value)
    }

    /// Where a request's authorization will come from: headers first, then the bearer variable, then a user in the URL,
    /// then OAuth.
    pub fn auth(&self) -> Auth {
        let from_env = self.env_headers.iter().any(|pair| is_secret_name(&pair.name));
        match self.kind {
            Kind::Stdio | Kind::Sdk => Auth::None,
            Kind::Http | Kind::Sse if from_env => Auth::EnvHeader,
            Kind::Http | Kind::Sse if self.headers.iter().any(|pair| is_secret_name(&pair.name)) => {
                Auth::Header
            }
            Kind::Http | Kind::Sse if self.bearer_token_env_var.is_some() => Auth::BearerEnv,
            Kind::Http | Kind::Sse if self.has_user() => Auth::Header,
            Kind::Http | Kind::Sse => Auth::OAuth,
        }
    }

    /// The variables whose values a remote server is sent with every request, or its authorization server with a login:
    /// the member that takes it, and its name. Nothing for other servers.
    pub fn sent_variables(&self) -> Vec<(String, String)> {
        match self.kind {
            Kind::Http | Kind::Sse => super::sent::sent_variables(self),
            Kind::Stdio | Kind::Sdk => Vec::new(),
        }
    }

    /// Secrets that stand in the definition as they are, with what to write instead, and placeholders: one warning a
    /// kind, whatever their number.
    pub fn literal_secrets(&self) -> Vec<Warning> {
        super::literal::literal_secrets(self)
    }
}
