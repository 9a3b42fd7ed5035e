//! Hosts that are reached without a proxy: `NO_PROXY`.

use crate::{Block, Origin, Pattern};

/// The entries of `NO_PROXY`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NoProxy(Vec<Entry>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// A host matches if one of them does.
    hosts: Vec<Pattern>,
    /// The only port it is meant for.
    port: Option<u16>,
}

impl NoProxy {
    /// Reads entries with commas or blanks between them: `*`; `corp` and `.corp`, which stand for this name and all
    /// below it; `*.corp`, for those below it; addresses and blocks such as `10.0.0.0/8`, which match hosts that are
    /// written as addresses. With `:port` behind it an entry is meant for this port alone.
    ///
    /// What is none of these says something to other programs alone and is passed over: then the proxy is used.
    pub(crate) fn read(text: &str) -> Self {
        let entries = text.split(|c: char| c == ',' || c.is_whitespace());
        Self(entries.filter(|entry| !entry.is_empty()).filter_map(entry).collect())
    }

    pub(crate) fn covers(&self, origin: &Origin) -> bool {
        self.0.iter().any(|entry| {
            entry.port.is_none_or(|port| port == origin.port())
                && entry.hosts.iter().any(|host| host.matches(origin.host()))
        })
    }
}

fn entry(text: &str) -> Option<Entry> {
    if let Ok(block) = text.parse::<Block>() {
        return Some(Entry { hosts: vec![Pattern::Block(block)], port: None });
    }
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) => (host, Some(port.parse().ok()?)),
        None => (text, None),
    };
    let hosts = match host.strip_prefix('.').unwrap_or(host).parse().ok()? {
        Pattern::Name(name) => vec![Pattern::Below(name.clone()), Pattern::Name(name)],
        other => vec![other],
    };
    Some(Entry { hosts, port })
}
