//! From tables to values.

use std::path::Path;

use codewhale_mcp_store::{ReadError, read_bounded};
use url::{Host, Url};

use super::tables::parse;
use super::{Approval, Limits, Mcp, McpServer, Model, Network, Settings, SettingsError, Tools};
use crate::entry::{Fields, url_expectation};
use crate::file::{MAX_FILE_SIZE, text};
use crate::json::{Document, Member};
use crate::suggest::closest;
use crate::{Located, Problem, Scope, Source, Warning};

const TOP_LEVEL: &[&str] = &[
    "mcp_config_path",
    "mcp_oauth_callback_port",
    "mcp_oauth_callback_url",
    "tools",
    "mcp",
    "network",
    "model",
    "mcp_server",
];

impl Settings {
    /// Reads a file of at most [`MAX_FILE_SIZE`]. One that is not there sets nothing.
    pub fn read(path: &Path, scope: Scope) -> Result<Self, SettingsError> {
        let source = Source::file(path, scope);
        match read_bounded(path, MAX_FILE_SIZE) {
            Ok(bytes) => Self::parse(text(&bytes, &source)?, &source),
            Err(ReadError::Missing { .. }) => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Parses a text. Of a project's file only `[tools]` is read; everything else in it is ignored, with a warning.
    pub fn parse(text: &str, source: &Source) -> Result<Self, SettingsError> {
        let document = parse(crate::json::strip_bom(text), source)?;
        let members = document.root.members().unwrap_or_default();
        match source.scope {
            Scope::Project => project(&document, members),
            _ => user(&document, members),
        }
    }

    /// These settings with a trusted project's `[tools]` added.
    #[must_use]
    pub fn with_project(mut self, project: Self) -> Self {
        self.tools.always_load.extend(project.tools.always_load);
        self.warnings.extend(project.warnings);
        self
    }
}

fn project(document: &Document<'_>, members: &[Member]) -> Result<Settings, SettingsError> {
    let (own, foreign): (Vec<_>, Vec<_>) = members.iter().cloned().partition(|member| member.key == "tools");
    let mut fields = Fields::new(document, &own);
    for member in &foreign {
        let place = fields.key_place(member);
        fields.warnings.push(Warning::NotForProjects { place, key: member.key.clone() });
    }
    let settings = Settings { tools: tools(&mut fields), ..Settings::default() };
    finish(settings, fields)
}

fn user(document: &Document<'_>, members: &[Member]) -> Result<Settings, SettingsError> {
    let mut fields = Fields::new(document, members);
    fields.warn_unknown(members, TOP_LEVEL, |key| closest(key, TOP_LEVEL));
    let port = fields.count("mcp_oauth_callback_port", u16::MAX.into());
    let settings = Settings {
        mcp_config_path: fields.name("mcp_config_path"),
        mcp_oauth_callback_port: port.and_then(|port| {
            let Located { value, place } = port;
            u16::try_from(value).ok().map(|value| Located::new(value, place))
        }),
        mcp_oauth_callback_url: callback_url(&mut fields),
        tools: tools(&mut fields),
        mcp: mcp(&mut fields),
        network: network(&mut fields),
        model: model(&mut fields),
        mcp_server: mcp_server(&mut fields),
        warnings: Vec::new(),
    };
    finish(settings, fields)
}

fn finish(mut settings: Settings, fields: Fields<'_>) -> Result<Settings, SettingsError> {
    let Fields { problems, warnings, .. } = fields;
    settings.warnings = warnings;
    match problems.is_empty() {
        true => Ok(settings),
        false => Err(SettingsError::Invalid { problems }),
    }
}

fn tools(fields: &mut Fields<'_>) -> Tools {
    let known = &["always_load"];
    fields.inner("tools", "tools.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        Tools { always_load: table.strings("always_load") }
    })
}

fn mcp(fields: &mut Fields<'_>) -> Mcp {
    // Definitions that older versions saved are kept, and nothing starts them.
    let known = &["lazy", "limits", "approval", "server_definitions"];
    fields.inner("mcp", "mcp.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        Mcp { lazy: table.flag("lazy"), limits: limits(table), approval: approval(table) }
    })
}

fn limits(fields: &mut Fields<'_>) -> Limits {
    let known = &["max_pages", "max_items", "max_message_bytes"];
    fields.inner("limits", "mcp.limits.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        Limits {
            max_pages: table.count("max_pages", u64::MAX),
            max_items: table.count("max_items", u64::MAX),
            max_message_bytes: table.count("max_message_bytes", u64::MAX),
        }
    })
}

fn approval(fields: &mut Fields<'_>) -> Approval {
    let known = &["allow", "ask", "deny"];
    fields.inner("approval", "mcp.approval.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        Approval { allow: table.strings("allow"), ask: table.strings("ask"), deny: table.strings("deny") }
    })
}

fn network(fields: &mut Fields<'_>) -> Network {
    let known = &["allow", "deny", "ca_file"];
    fields.inner("network", "network.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        Network { allow: table.strings("allow"), deny: table.strings("deny"), ca_file: table.name("ca_file") }
    })
}

fn model(fields: &mut Fields<'_>) -> Model {
    let known = &["base_url", "model", "api_key_env"];
    fields.inner("model", "model.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        let base_url = table.name("base_url");
        if let Some(url) = &base_url
            && let Some(expected) = url_expectation(&url.value)
        {
            let (place, key) = (url.place.clone(), "model.base_url".to_owned());
            table.problems.push(Problem::BadValue { place, key, expected });
        }
        Model { base_url, model: table.name("model"), api_key_env: table.name("api_key_env") }
    })
}

fn mcp_server(fields: &mut Fields<'_>) -> McpServer {
    let known = &["allow", "shell_env"];
    fields.inner("mcp_server", "mcp_server.", |table, members| {
        table.warn_unknown(members, known, |key| closest(key, known));
        McpServer { allow: table.strings("allow"), shell_env: table.strings("shell_env") }
    })
}

/// The code of a login arrives there: https, or http on the own machine.
fn callback_url(fields: &mut Fields<'_>) -> Option<Located<String>> {
    let url = fields.name("mcp_oauth_callback_url")?;
    let safe = Url::parse(&url.value).is_ok_and(|parsed| match parsed.scheme() {
        "https" => parsed.host().is_some(),
        "http" => match parsed.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        },
        _ => false,
    });
    match safe {
        true => Some(url),
        false => {
            let (place, key) = (url.place, "mcp_oauth_callback_url".to_owned());
            let expected = "an https URL, or http on a loopback address";
            fields.problems.push(Problem::BadValue { place, key, expected });
            None
        }
    }
}
