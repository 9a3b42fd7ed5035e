//! Proxies that the environment names.

use std::ffi::OsString;
use std::fmt;

use codewhale_mcp_redact::Secret;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::no_proxy::NoProxy;
use crate::{Origin, Scheme};

/// The proxies of an environment, and the hosts that are reached without one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    http: Option<Result<Proxy, ProxyError>>,
    https: Option<Result<Proxy, ProxyError>>,
    none_for: NoProxy,
}

/// An HTTP proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Where it is. To one that is `https` the way is encrypted, too.
    pub origin: Origin,
    /// What `Proxy-Authorization: Basic` encodes: user, colon and password (RFC 7617, section 2).
    pub credentials: Option<Secret<Vec<u8>>>,
}

/// A variable of the environment names no proxy that can be used. The text never holds its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} names no proxy that can be used: {problem}")]
pub struct ProxyError {
    /// The variable.
    pub variable: &'static str,
    /// What is wrong with it.
    pub problem: ProxyProblem,
}

/// What is wrong with the address of a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyProblem {
    /// It is no URL with a host.
    NoUrl,
    /// Its scheme is neither `http` nor `https`, such as `socks5`.
    Scheme,
}

impl fmt::Display for ProxyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoUrl => "it is no URL with a host",
            Self::Scheme => "its scheme is neither http nor https",
        })
    }
}

impl Proxies {
    /// Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. Of each the spelling in lower case wins, and an
    /// empty one is as none; `ALL_PROXY` counts where the scheme has none of its own.
    ///
    /// `HTTP_PROXY` does not count beside `REQUEST_METHOD`: a web server that runs a program makes it out of a
    /// request's header (CVE-2016-5385).
    pub fn from_environment(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        let first = |names: &[&'static str]| {
            names.iter().find_map(|name| Some((*name, look_up(name).filter(|value| !value.is_empty())?)))
        };
        let named = |names: &[&'static str]| first(names).map(|(name, value)| read(name, &value));
        let http: &[_] = match look_up("REQUEST_METHOD") {
            Some(_) => &["http_proxy", "all_proxy", "ALL_PROXY"],
            None => &["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
        };
        let none_for = first(&["no_proxy", "NO_PROXY"]);
        Self {
            http: named(http),
            https: named(&["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
            none_for: none_for.map(|(_, value)| NoProxy::read(&value.to_string_lossy())).unwrap_or_default(),
        }
    }

    /// The proxy for requests to an origin.
    ///
    /// # Errors
    /// [`ProxyError`] when the origin needs one that cannot be used; it is never reached directly instead.
    pub fn of(&self, origin: &Origin) -> Result<Option<&Proxy>, ProxyError> {
        let proxy = match origin.scheme() {
            Scheme::Http => &self.http,
            Scheme::Https => &self.https,
        };
        match proxy {
            Some(proxy) if !self.none_for.covers(origin) => proxy.as_ref().map(Some).map_err(Clone::clone),
            _ => Ok(None),
        }
    }
}

/// Reads the address of a proxy; without a scheme it is `http`.
fn read(variable: &'static str, value: &OsString) -> Result<Proxy, ProxyError> {
    let error = |problem| ProxyError { variable, problem };
    let value = value.to_str().map(str::trim).ok_or(error(ProxyProblem::NoUrl))?;
    let url = match value.contains("://") {
        true => Url::parse(value),
        false => Url::parse(&format!("http://{value}")),
    };
    let url = url.map_err(|_| error(ProxyProblem::NoUrl))?;
    let origin = Origin::of(&url).map_err(|_| error(ProxyProblem::Scheme))?;
    let (user, password) = (url.username(), url.password());
    let credentials = (!user.is_empty() || password.is_some()).then(|| {
        let mut basic: Vec<u8> = percent_decode_str(user).collect();
        basic.push(b':');
        basic.extend(percent_decode_str(password.unwrap_or_default()));
        Secret::new(basic)
    });
    Ok(Proxy { origin, credentials })
}
