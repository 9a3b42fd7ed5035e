//! What is written for a new server.

use std::fmt;

use codewhale_mcp_redact::Secret;

use super::EditError;
use crate::file::CONTAINERS;
use crate::json::{Data, Node, Style, print_member};
use crate::{Entry, McpFile, Scope, Source};

/// A server's definition as it will be written, members in order. `Debug` shows nothing of it.
#[derive(Clone)]
pub struct Definition(Node);

/// The parts of a definition, in the order in which they are written. What is empty, `None` or `false` is left out.
#[derive(Clone, Default)]
pub struct Draft {
    /// `command`
    pub command: Option<String>,
    /// `args`
    pub args: Vec<String>,
    /// `env`
    pub env: Vec<(String, Secret<String>)>,
    /// `cwd`
    pub cwd: Option<String>,
    /// `url`
    pub url: Option<String>,
    /// `type` or `transport`
    pub transport: Option<DraftTransport>,
    /// `headers`
    pub headers: Vec<(String, Secret<String>)>,
    /// `env_headers`: header name to variable name
    pub env_headers: Vec<(String, String)>,
    /// `bearer_token_env_var`
    pub bearer_token_env_var: Option<String>,
    /// `scopes`
    pub scopes: Vec<String>,
    /// `oauth.client_id`
    pub oauth_client_id: Option<String>,
    /// `oauth.client_secret_env_var`
    pub oauth_client_secret_env_var: Option<String>,
    /// `oauth_resource`
    pub oauth_resource: Option<String>,
    /// `allow_private_network`
    pub allow_private_network: bool,
    /// `connect_timeout`, in seconds
    pub connect_timeout: Option<f64>,
    /// `execute_timeout`, in seconds
    pub execute_timeout: Option<f64>,
    /// `read_timeout`, in seconds
    pub read_timeout: Option<f64>,
    /// `required`
    pub required: bool,
    /// `disabled`
    pub disabled: bool,
}

/// A transport that is written down: without one, a URL means Streamable HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftTransport {
    /// `type: "http"`
    Http,
    /// `transport: "sse"`
    Sse,
}

impl Definition {
    /// What the definition means when it is read under this name: warnings, and the rich type or every problem.
    pub fn check(&self, name: &str, scope: Scope) -> Result<Entry, EditError> {
        let servers = Node::object([(name, self.0.clone())]);
        let text = format!("{{{}}}", print_member(CONTAINERS[0], &servers, &Style::Inline { gap: " " }));
        let mut file = McpFile::parse(&text, &Source::label("new definition", scope))?;
        match file.entries.pop() {
            Some(Entry { definition: Err(problems), .. }) => Err(EditError::BadDefinition { problems }),
            Some(entry) => Ok(entry),
            None => Err(EditError::BadName { name: name.to_owned() }),
        }
    }

    pub(super) fn new(node: Node) -> Self {
        Self(node)
    }

    pub(super) fn node(&self) -> &Node {
        &self.0
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definition").finish_non_exhaustive()
    }
}

impl From<&Draft> for Definition {
    fn from(draft: &Draft) -> Self {
        let mut members: Vec<(&str, Node)> = Vec::new();
        let texts =
            |texts: &[String]| Node::new(Data::Array(texts.iter().map(|text| Node::string(text)).collect()));
        let secrets = |pairs: &[(String, Secret<String>)]| {
            Node::object(pairs.iter().map(|(name, value)| (name.clone(), Node::string(value.expose()))))
        };
        let mut put = |key, node: Option<Node>| members.extend(node.map(|node| (key, node)));
        let text = |text: &Option<String>| text.as_deref().map(Node::string);
        let flag = |flag: bool| flag.then(|| Node::new(Data::Bool(true)));
        let number = |number: Option<f64>| number.map(|n| Node::new(Data::Number(n.to_string())));
        let filled = |node: Node, is_empty: bool| (!is_empty).then_some(node);

        put("command", text(&draft.command));
        put("args", filled(texts(&draft.args), draft.args.is_empty()));
        put("env", filled(secrets(&draft.env), draft.env.is_empty()));
        put("cwd", text(&draft.cwd));
        put("url", text(&draft.url));
        match draft.transport {
            Some(DraftTransport::Http) => put("type", Some(Node::string("http"))),
            Some(DraftTransport::Sse) => put("transport", Some(Node::string("sse"))),
            None => {}
        }
        put("headers", filled(secrets(&draft.headers), draft.headers.is_empty()));
        let env_headers =
            draft.env_headers.iter().map(|(name, variable)| (name.clone(), Node::string(variable)));
        put("env_headers", filled(Node::object(env_headers), draft.env_headers.is_empty()));
        put("bearer_token_env_var", text(&draft.bearer_token_env_var));
        put("scopes", filled(texts(&draft.scopes), draft.scopes.is_empty()));
        let oauth = [
            ("client_id", text(&draft.oauth_client_id)),
            ("client_secret_env_var", text(&draft.oauth_client_secret_env_var)),
        ];
        let oauth: Vec<_> = oauth.into_iter().filter_map(|(key, node)| Some((key, node?))).collect();
        let is_empty = oauth.is_empty();
        put("oauth", filled(Node::object(oauth), is_empty));
        put("oauth_resource", text(&draft.oauth_resource));
        put("allow_private_network", flag(draft.allow_private_network));
        put("connect_timeout", number(draft.connect_timeout));
        put("execute_timeout", number(draft.execute_timeout));
        put("read_timeout", number(draft.read_timeout));
        put("required", flag(draft.required));
        put("disabled", flag(draft.disabled));
        Self(Node::object(members))
    }
}
