//! A message and the headers that say again what it says.

use std::borrow::Cow;

use bytes::Bytes;
use codewhale_mcp_protocol::{Era, Json, Revision, header, method};
use codewhale_mcp_redact::Secret;
use codewhale_mcp_transport::Header;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A message that is ready to be posted.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) body: Bytes,
    pub(crate) headers: Vec<Header>,
    /// The answer opens a session.
    pub(crate) opens_session: bool,
    /// A stream that ends too early may be taken up again.
    pub(crate) resumable: bool,
}

/// What of a request stands in headers beside its method (MCP 2026-07-28, basic/transports/streamable-http).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Routed<'a> {
    /// The tool, the prompt, the resource or the task.
    pub(crate) name: Option<&'a str>,
    /// Arguments that the tool wants to see there: names with their prefix, and values as they are sent.
    pub(crate) mirrored: &'a [(String, String)],
}

impl Message {
    /// A request in this revision; `None` is `initialize`, which has none yet.
    pub(crate) fn request(
        frame: Vec<u8>,
        method: &'static str,
        revision: Option<Revision>,
        routed: Routed<'_>,
    ) -> Self {
        let mut headers = Vec::with_capacity(3 + routed.mirrored.len());
        headers.extend(revision.and_then(version));
        let modern = revision.is_some_and(|revision| revision.era() == Era::Modern);
        if modern {
            headers.push(plain(header::METHOD, method));
            if let Some(name) = routed.name {
                headers.push(plain(header::NAME, header::encode_value(name).into_owned()));
            }
            for (name, value) in routed.mirrored {
                headers.push(plain(name.clone(), value.clone()));
            }
        }
        let opens_session = method == method::INITIALIZE;
        Self { body: without_end(frame), headers, opens_session, resumable: !modern }
    }

    /// What a legacy server is told or answered.
    pub(crate) fn note(frame: &[u8], revision: Option<Revision>) -> Self {
        let headers = revision.and_then(version).into_iter().collect();
        Self { body: without_end(frame.to_vec()), headers, opens_session: false, resumable: false }
    }
}

/// The revision as a header. The first revision knows nothing of it.
pub(crate) fn version(revision: Revision) -> Option<Header> {
    (revision >= Revision::V2025_03_26).then(|| plain(header::PROTOCOL_VERSION, revision.as_str()))
}

fn plain(name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Header {
    Header { name: name.into(), value: Secret::new(value.into()) }
}

fn without_end(mut frame: Vec<u8>) -> Bytes {
    if frame.last() == Some(&b'\n') {
        frame.pop();
    }
    frame.into()
}

/// The arguments of a call, as they stand in its frame.
pub(crate) fn arguments(frame: &[u8]) -> Json {
    #[derive(Deserialize)]
    struct Call<'a> {
        #[serde(borrow)]
        params: Params<'a>,
    }
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        arguments: &'a RawValue,
    }
    let call = serde_json::from_slice::<Call<'_>>(frame);
    call.map(|call| Json::from(call.params.arguments)).unwrap_or_default()
}
