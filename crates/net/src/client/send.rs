//! One request with its hops and repetitions.

use std::fmt;
use std::sync::Arc;

use codewhale_mcp_redact::safe_line;
use http::response::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::body::Body;
use super::egress::Egress;
use super::exchange::Answer;
use super::inflate::{Form, Inflate};
use super::redirect::{Hop, bare, hop};
use crate::{Authorizer, Because, Call, Headers, NetError, Verdict};

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

impl Headers {
    /// Adds what every request has, where it is missing: of headers that many share, once for all of them.
    pub fn complete(&mut self) {
        if !self.complete {
            let headers = self.mutable();
            headers.entry(header::USER_AGENT).or_insert(USER_AGENT);
            headers.entry(header::ACCEPT_ENCODING).or_insert(ENCODINGS);
            self.complete = true;
        }
    }
}

impl Egress {
    /// What it is called with stays where it is: an `async fn` would move it once more and hold room for both.
    pub(super) fn run(
        &self,
        mut call: Call,
        mut authorizer: Option<&dyn Authorizer>,
    ) -> impl Future<Output = Result<Response, NetError>> {
        if !call.url.username().is_empty() || call.url.password().is_some() {
            // What a relative redirect is resolved against has none either. A URL that has a host can do without.
            let url = Arc::make_mut(&mut call.url);
            let _ = url.set_username("");
            let _ = url.set_password(None);
        }
        call.headers.complete();
        async move {
            let mut repeated = Repeated::default();
            let mut hops = 0;
            loop {
                let answer = match authorizer {
                    None => self.exchange(&call, HeaderMap::clone(&call.headers)).await?,
                    Some(authorizer) => {
                        let authorized = self.authorized(&call, authorizer, &mut repeated);
                        let Some(answer) = Box::pin(authorized).await? else { continue };
                        answer
                    }
                };
                match hop(call.redirects, &call.url, hops, answer.0.status, &answer.0.headers)? {
                    None => return response(answer),
                    Some(Hop::Same(to)) => call.url = Arc::new(to),
                    Some(Hop::Bare(to)) => {
                        call.url = Arc::new(to);
                        call.headers = bare(&call.headers).into();
                        authorizer = None;
                    }
                }
                hops += 1;
            }
        }
    }

    /// An exchange with credentials; `None` when the request is to be sent once more.
    async fn authorized(
        &self,
        call: &Call,
        authorizer: &dyn Authorizer,
        repeated: &mut Repeated,
    ) -> Result<Option<Answer>, NetError> {
        let mut headers = HeaderMap::clone(&call.headers);
        let prepared = authorizer.prepare(&call.method, &call.url, &mut headers);
        let credentials = self.unless_closed(prepared).await??;
        let answer = self.exchange(call, headers).await?;
        let parts = &answer.0;
        let received = authorizer.received(credentials, &call.url, parts.status, &parts.headers);
        let repeat = async { repeated.again(received.await).await };
        let again = self.unless_closed(repeat).await??;
        Ok((!again).then_some(answer))
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
