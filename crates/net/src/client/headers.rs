//! What a proxy is sent: the only secrets that the engine itself writes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, header};

use crate::Proxy;

/// A request for a tunnel to `target`, a host and port.
pub(super) fn connect(target: &str, proxy: &Proxy) -> Vec<u8> {
    let mut head = format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n");
    if let Some(basic) = basic(proxy) {
        head.push_str("Proxy-Authorization: ");
        head.push_str(&basic);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// Adds what a proxy wants to know of us to a request that it passes on.
pub(super) fn authorize_at(proxy: &Proxy, headers: &mut HeaderMap) {
    if let Some(basic) = basic(proxy) {
        let mut value = HeaderValue::try_from(basic).expect("base64 is visible ASCII");
        value.set_sensitive(true);
        headers.insert(header::PROXY_AUTHORIZATION, value);
    }
}

fn basic(proxy: &Proxy) -> Option<String> {
    proxy.credentials.as_ref().map(|credentials| format!("Basic {}", STANDARD.encode(credentials.expose())))
}
