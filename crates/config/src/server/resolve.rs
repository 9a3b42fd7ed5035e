//! From an entry to a server that is ready to start.

use std::path::Path;

use codewhale_mcp_redact::{
    Secret, is_ordinary, is_secret_name, looks_like_secret, secrets_in_args, secrets_in_url,
};

use super::expand::{ExpandError, expand};
use super::{OAuth, Remote, Server, Stdio, ToolFilter, Transport};
use crate::entry::{Kind, Pair, ServerEntry, url_expectation, value_expectation};
use crate::timeouts::Timeouts;
use crate::{Entry, Environment, Located, Place, Problem};

/// Expands and checks everything of an entry; what is wrong is collected, not only the first of it.
pub(crate) fn resolve(
    entry: &Entry,
    timeouts: Timeouts,
    environment: &dyn Environment,
    workspace: &Path,
) -> Result<Server, Vec<Problem>> {
    let definition = entry.definition.as_ref().map_err(Clone::clone)?;
    let mut resolver = Resolver { environment, problems: Vec::new(), secrets: Vec::new() };
    let transport = match definition.kind {
        Kind::Stdio => Transport::Stdio(resolver.stdio(definition, workspace)),
        Kind::Http => Transport::Http(resolver.remote(definition)),
        Kind::Sse => Transport::Sse(resolver.remote(definition)),
        Kind::Sdk => Transport::Sdk,
    };
    let Resolver { problems, mut secrets, .. } = resolver;
    if !problems.is_empty() {
        return Err(problems);
    }
    secrets.retain(|secret| !secret.expose().is_empty());
    let set = |flag: &Option<Located<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
    let plain = |list: &[Located<String>]| list.iter().map(|item| item.value.clone()).collect();
    let always_load = set(&definition.always_load);
    Ok(Server {
        name: entry.name.clone(),
        scope: entry.place.scope,
        place: entry.place.clone(),
        enabled: definition.is_on(),
        required: set(&definition.required),
        transport,
        timeouts,
        tools: ToolFilter {
            enabled: plain(&definition.enabled_tools),
            disabled: plain(&definition.disabled_tools),
        },
        auto_approve: definition.auto_approve.as_ref().map(|set| set.value.clone()).unwrap_or_default(),
        always_load,
        defer_loading: definition
            .defer_loading
            .as_ref()
            .map(|set| set.value)
            .filter(|defer| !(*defer && always_load)),
        hash: entry.hash.clone(),
        secrets,
        warnings: entry.warnings.clone(),
    })
}

struct Resolver<'e> {
    environment: &'e dyn Environment,
    problems: Vec<Problem>,
    secrets: Vec<Secret<String>>,
}

impl Resolver<'_> {
    fn stdio(&mut self, definition: &ServerEntry, workspace: &Path) -> Stdio {
        let command =
            definition.command.as_ref().map(|command| self.expand(command, "command")).unwrap_or_default();
        if command.trim().is_empty()
            && self.problems.is_empty()
            && let Some(written) = &definition.command
        {
            self.bad(&written.place, "command", "not empty");
        }
        let args: Vec<String> = definition
            .args
            .iter()
            .enumerate()
            .map(|(at, arg)| self.expand(arg, &format!("args[{at}]")))
            .collect();
        self.secrets.extend(secrets_in_args(&args));
        // It may be a whole command line by mistake.
        self.secrets.extend(secrets_in_args(&[&command]));
        let env = definition.env.iter().map(|pair| self.variable(pair)).collect();
        let cwd = definition.cwd.as_ref().map(|cwd| workspace.join(self.expand(cwd, "cwd")));
        Stdio { command, args, env, cwd }
    }

    fn variable(&mut self, pair: &Pair<Secret<String>>) -> (String, Secret<String>) {
        let key = format!("env.{}", pair.name);
        let written = pair.value.clone().map(|value| value.expose().clone());
        let value = Secret::new(self.expand(&written, &key));
        self.may_be_secret(&pair.name, value.expose());
        (pair.name.clone(), value)
    }

    fn remote(&mut self, definition: &ServerEntry) -> Remote {
        let url = definition.url.as_ref().map(|url| self.expand(url, "url")).unwrap_or_default();
        if let Some(written) = &definition.url
            && self.problems.is_empty()
            && let Some(expected) = url_expectation(&url)
        {
            self.bad(&written.place, "url", expected);
        }
        self.secrets.extend(secrets_in_url(&url));
        let headers = self.headers(definition);
        let authorized = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let bearer = match &definition.bearer_token_env_var {
            Some(variable) if !authorized => self.credential(variable, "bearer_token_env_var"),
            _ => None,
        };
        let plain = |text: &Option<Located<String>>| text.as_ref().map(|text| text.value.clone());
        Remote {
            url,
            headers,
            bearer,
            oauth: OAuth {
                client_id: plain(&definition.oauth_client_id),
                client_secret_env_var: plain(&definition.oauth_client_secret_env_var),
                account: None,
                resource: plain(&definition.oauth_resource),
                scopes: definition.scopes.iter().map(|scope| scope.value.clone()).collect(),
            },
            allow_private_network: definition.allow_private_network.as_ref().is_some_and(|allow| allow.value),
            is_said: definition.kind_place.is_some(),
        }
    }

    fn headers(&mut self, definition: &ServerEntry) -> Vec<(String, Secret<String>)> {
        let mut headers = Vec::new();
        let beaten =
            |name: &str| definition.env_headers.iter().any(|pair| pair.name.eq_ignore_ascii_case(name));
        for pair in definition.headers.iter().filter(|pair| !beaten(&pair.name)) {
            let key = format!("headers.{}", pair.name);
            let used_before = self.secrets.len();
            let written = pair.value.clone().map(|value| value.expose().clone());
            let value = self.expand_secret(&written, &key);
            if let Some(expected) = value_expectation(&value) {
                self.bad(&pair.value.place, &key, expected);
            }
            if is_secret_name(&pair.name) || looks_like_secret(&value) || self.secrets.len() > used_before {
                self.header_secret(&value);
            }
            headers.push((pair.name.clone(), Secret::new(value)));
        }
        for pair in &definition.env_headers {
            let key = format!("env_headers.{}", pair.name);
            if let Some(value) = self.credential(&pair.value, &key) {
                self.header_secret(value.expose());
                headers.push((pair.name.clone(), value));
            }
        }
        headers
    }

    /// The value of a variable that holds a credential: unset, empty or unfit for a header is a failure, never a
    /// silent fall to another way of logging in.
    fn credential(&mut self, variable: &Located<String>, key: &str) -> Option<Secret<String>> {
        let (place, name, key) = (variable.place.clone(), variable.value.clone(), key.to_owned());
        match self.environment.variable(&name).map(std::ffi::OsString::into_string) {
            Some(Ok(value)) if value_expectation(&value).is_some() => {
                self.bad(&place, &key, "the name of a variable whose value has no line breaks");
                None
            }
            Some(Ok(value)) if !value.trim().is_empty() => {
                let value = Secret::new(value);
                self.secrets.push(value.clone());
                Some(value)
            }
            Some(Err(_)) => {
                self.problems.push(Problem::VariableNotText { place, key, variable: name });
                None
            }
            Some(Ok(_)) | None => {
                self.problems.push(Problem::MissingVariable { place, key, variable: name });
                None
            }
        }
    }

    fn expand(&mut self, written: &Located<String>, key: &str) -> String {
        let (text, used) = self.expand_used(written, key);
        for (name, value) in used {
            self.may_be_secret(&name, &value);
        }
        text
    }

    /// The value of a variable: it is a secret unless it is plainly a setting.
    fn may_be_secret(&mut self, name: &str, value: &str) {
        if is_secret_name(name) || !is_ordinary(value) {
            self.secrets.push(Secret::new(value.to_owned()));
            self.secrets.extend(secrets_in_args(&[value]));
        }
    }

    /// Everything that comes from the environment into a header is a secret.
    fn expand_secret(&mut self, written: &Located<String>, key: &str) -> String {
        let (text, used) = self.expand_used(written, key);
        self.secrets.extend(used.into_iter().map(|(_, value)| Secret::new(value)));
        text
    }

    fn expand_used(&mut self, written: &Located<String>, key: &str) -> (String, Vec<(String, String)>) {
        let (place, key) = (written.place.clone(), key.to_owned());
        match expand(&written.value, self.environment) {
            Ok(expanded) => {
                if expanded.text.contains('\0') {
                    self.bad(&place, &key, "a string without null characters");
                }
                return (expanded.text, expanded.used);
            }
            Err(ExpandError::Missing(variable)) => {
                self.problems.push(Problem::MissingVariable { place, key, variable });
            }
            Err(ExpandError::NotText(variable)) => {
                self.problems.push(Problem::VariableNotText { place, key, variable });
            }
        }
        (String::new(), Vec::new())
    }

    fn bad(&mut self, place: &Place, key: &str, expected: &'static str) {
        self.problems.push(Problem::BadValue { place: place.clone(), key: key.to_owned(), expected });
    }

    /// A header's value, and what stands behind its scheme.
    fn header_secret(&mut self, value: &str) {
        self.secrets.push(Secret::new(value.to_owned()));
        if let Some((_, token)) = value.split_once(' ') {
            self.secrets.push(Secret::new(token.to_owned()));
        }
    }
}
