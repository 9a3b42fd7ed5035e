//! The seam to login.

use std::sync::Mutex;

use async_trait::async_trait;
use codewhale_mcp_net::{Authorizer, Because, NetError, Sent, Verdict};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use url::Url;

use crate::network::{egress, message};
use crate::server::{Received, Server, reply, soon};

/// Adds a token with a number that grows, and answers with the verdicts it was given, then with `Done`.
#[derive(Debug)]
pub(crate) struct Token {
    verdicts: Mutex<Vec<Verdict>>,
    sent: Mutex<u32>,
    seen: Mutex<Vec<String>>,
}

impl Token {
    pub(crate) fn new(verdicts: &[Because]) -> Self {
        Self::with(verdicts.iter().map(|because| Verdict::Retry(*because)).collect())
    }

    fn with(mut verdicts: Vec<Verdict>) -> Self {
        verdicts.reverse();
        Self { verdicts: Mutex::new(verdicts), sent: Mutex::default(), seen: Mutex::default() }
    }

    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

#[async_trait]
impl Authorizer for Token {
    async fn prepare(&self, _: &Method, _: &Url, headers: &mut HeaderMap) -> Result<Sent, NetError> {
        let mut sent = self.sent.lock().unwrap();
        headers.insert("authorization", HeaderValue::try_from(format!("Bearer token-{sent}")).unwrap());
        *sent += 1;
        Ok(Sent(u64::from(*sent) - 1))
    }

    async fn received(&self, sent: Sent, url: &Url, status: StatusCode, _: &HeaderMap) -> Verdict {
        self.seen.lock().unwrap().push(format!("{} {url} {}", sent.0, status.as_u16()));
        self.verdicts.lock().unwrap().pop().unwrap_or(Verdict::Done)
    }
}

fn unauthorized(request: &Received) -> crate::server::Reply {
    match request.header("authorization") {
        Some("Bearer token-9") => reply("200 OK", &[], b"{}"),
        _ => reply("401 Unauthorized", &["WWW-Authenticate: Bearer scope=\"a\""], b"no"),
    }
}

#[tokio::test]
async fn a_request_is_sent_again_once_for_a_token_and_once_for_a_nonce() {
    use Because::{Nonce, Token as New};
    let cases: [(&[Because], usize); 7] = [
        (&[], 1),
        (&[New], 2),
        (&[Nonce], 2),
        (&[New, Nonce], 3),
        (&[Nonce, New], 3),
        (&[New, New], 2),
        (&[New, Nonce, New, Nonce], 3),
    ];
    for (verdicts, times) in cases {
        let server = Server::start(unauthorized).await;
        let (egress, authorizer) = (egress(&server.url("/")), Token::new(verdicts));
        let answer = soon(egress.send(message(&server.url("/")), Some(&authorizer))).await.unwrap();
        assert_eq!(answer.status, 401);
        let received = server.received();
        assert_eq!((received.len(), authorizer.seen().len()), (times, times), "{verdicts:?}");
        for (number, request) in received.iter().enumerate() {
            assert_eq!(request.header("authorization"), Some(format!("Bearer token-{number}").as_str()));
            assert_eq!(request.body, received[0].body);
        }
    }
}

#[tokio::test]
async fn a_verdict_can_wait_for_a_person() {
    let server = Server::start(unauthorized).await;
    let (person, waits) = tokio::sync::oneshot::channel();
    let wait = async move {
        waits.await.unwrap();
        Verdict::Retry(Because::Token)
    };
    let authorizer = Token::with(vec![Verdict::Wait(Box::pin(wait))]);
    let egress = egress(&server.url("/"));
    let asking = egress.send(message(&server.url("/")), Some(&authorizer));
    tokio::pin!(asking);
    tokio::select! {
        answer = &mut asking => panic!("{answer:?}"),
        () = async { while authorizer.seen().is_empty() { tokio::task::yield_now().await } } => {}
    }
    assert_eq!(server.received().len(), 1);
    person.send(()).unwrap();
    soon(asking).await.unwrap();
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn a_login_that_is_needed_ends_the_request() {
    let server = Server::start(unauthorized).await;
    let challenges = vec!["Bearer scope=\"a\"".to_owned()];
    let authorizer = Token::with(vec![Verdict::NeedsLogin { challenges: challenges.clone() }]);
    let answer = soon(egress(&server.url("/")).send(message(&server.url("/")), Some(&authorizer))).await;
    assert_eq!(answer.unwrap_err(), NetError::LoginNeeded { challenges });
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn a_login_that_fails_is_why_the_request_fails() {
    let server = Server::start(unauthorized).await;
    let failed = NetError::LoginFailed { reason: "declined".to_owned() };
    let authorizer = Token::with(vec![Verdict::Failed(failed.clone())]);
    let answer = soon(egress(&server.url("/")).send(message(&server.url("/")), Some(&authorizer))).await;
    assert_eq!(answer.unwrap_err(), failed);
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn every_answer_is_shown_and_every_hop_within_the_origin() {
    let server = Server::start(|request| match request.line() {
        "POST / HTTP/1.1" => reply("307 Temporary Redirect", &["Location: /there"], b""),
        _ => reply("200 OK", &["DPoP-Nonce: n"], b"{}"),
    })
    .await;
    let authorizer = Token::new(&[]);
    soon(egress(&server.url("/")).send(message(&server.url("/")), Some(&authorizer))).await.unwrap();
    let seen = [format!("0 {} 307", server.url("/")), format!("1 {} 200", server.url("/there"))];
    assert_eq!(authorizer.seen(), seen);
    let tokens: Vec<_> =
        server.received().iter().map(|request| request.header("authorization").unwrap().to_owned()).collect();
    assert_eq!(tokens, ["Bearer token-0", "Bearer token-1"]);
}
