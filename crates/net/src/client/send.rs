//! One request with its hops and repetitions.

use std::fmt;

use codewhale_mcp_redact::safe_line;
use http::response::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::body::Body;
use super::egress::Egress;
use super::exchange::Answer;
use super::inflate::{Form, Inflate};
use super::redirect::{Hop, bare, hop};
use crate::{Authorizer, Because, Call, NetError, Sent, Verdict};

/// Who we are.
const USER_AGENT: HeaderValue = HeaderValue::from_static(concat!("codewhale/", env!("CARGO_PKG_VERSION")));

/// What [`Inflate`] can take.
const ENCODINGS: HeaderValue = HeaderValue::from_static("gzip, deflate");

/// An answer whose body is on its way.
pub struct Response {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Body,
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("status", &self.status).finish_non_exhaustive()
    }
}

impl Egress {
    pub(super) async fn run(
        &self,
        call: Call,
        mut authorizer: Option<&dyn Authorizer>,
    ) -> Result<Response, NetError> {
        let Call { method, mut url, mut headers, body, redirects } = call;
        // What a relative redirect is resolved against has none either. A URL that has a host can do without.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        headers.entry(header::USER_AGENT).or_insert(USER_AGENT);
        headers.entry(header::ACCEPT_ENCODING).or_insert(ENCODINGS);
        let mut repeated = Repeated::default();
        let mut hops = 0;
        loop {
            let mut sent = headers.clone();
            let mut credentials = Sent::default();
            if let Some(authorizer) = authorizer {
                let prepared = authorizer.prepare(&method, &url, &mut sent);
                credentials = Box::pin(self.unless_closed(prepared)).await??;
            }
            let answer = self.exchange(&url, &method, sent, &body).await?;
            let parts = &answer.0;
            if let Some(authorizer) = authorizer {
                let received = authorizer.received(credentials, &url, parts.status, &parts.headers);
                let repeat = async { repeated.again(received.await).await };
                if Box::pin(self.unless_closed(repeat)).await?? {
                    continue;
                }
            }
            match hop(redirects, &url, hops, parts.status, &parts.headers)? {
                None => return response(answer),
                Some(Hop::Same(to)) => url = to,
                Some(Hop::Bare(to)) => {
                    url = to;
                    headers = bare(&headers);
                    authorizer = None;
                }
            }
            hops += 1;
        }
    }
}

fn response((parts, body): Answer) -> Result<Response, NetError> {
    let Parts { status, mut headers, .. } = parts;
    let form = encoding(&headers)?;
    if form.is_some() {
        headers.remove(header::CONTENT_ENCODING);
        headers.remove(header::CONTENT_LENGTH);
    }
    Ok(Response { status, headers, body: body.inflated(form.map(Inflate::new)) })
}

fn encoding(headers: &HeaderMap) -> Result<Option<Form>, NetError> {
    let Some(value) = headers.get(header::CONTENT_ENCODING) else { return Ok(None) };
    let value = String::from_utf8_lossy(value.as_bytes());
    match value.trim().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(None),
        "gzip" | "x-gzip" => Ok(Some(Form::Gzip)),
        "deflate" => Ok(Some(Form::Deflate)),
        other => Err(NetError::Broken {
            reason: format!("its body is encoded as {}, which was not asked for", safe_line(other)),
        }),
    }
}

/// How often a request was sent again.
#[derive(Debug, Default)]
struct Repeated {
    token: bool,
    nonce: bool,
}

impl Repeated {
    /// Whether to send the request once more.
    async fn again(&mut self, mut verdict: Verdict) -> Result<bool, NetError> {
        loop {
            let spent = match verdict {
                Verdict::Done => return Ok(false),
                Verdict::Wait(person) => {
                    verdict = person.await;
                    continue;
                }
                Verdict::NeedsLogin { challenges } => return Err(NetError::LoginNeeded { challenges }),
                Verdict::Failed(error) => return Err(error),
                Verdict::Retry(Because::Token) => &mut self.token,
                Verdict::Retry(Because::Nonce) => &mut self.nonce,
            };
            return Ok(!std::mem::replace(spent, true));
        }
    }
}
