//! Tokens in use: shown, renewed, replaced.

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_auth::credentials::{CredentialStore, Kept, Key};
use codewhale_mcp_auth::driver::OAuthAuthorizer;
use codewhale_mcp_auth::flow::Tokens;
use codewhale_mcp_net::{Authorizer, Because, Call, Fetch, Fetched, NetError, Sent, Verdict};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::json;
use tokio::sync::Notify;

use crate::play::{Play, issuer, resource, server, token, with};
use crate::world::Case;

const TOKEN: &str = "https://auth.test/token";
const POST_TOKEN: &str = "POST https://auth.test/token";
const PATH: &str = "https://mcp.test/.well-known/oauth-protected-resource/mcp";

/// What a request goes out with.
pub(crate) async fn prepared(authorizer: &OAuthAuthorizer) -> (Option<String>, Sent) {
    let mut headers = HeaderMap::new();
    let sent = authorizer.prepare(&Method::POST, &server(), &mut headers).await.unwrap();
    let value = headers.get("authorization").map(|value| {
        assert!(value.is_sensitive());
        value.to_str().unwrap().to_owned()
    });
    (value, sent)
}

/// What becomes of an answer, in words; whoever has to wait waits.
pub(crate) async fn answered(
    authorizer: &OAuthAuthorizer,
    sent: Sent,
    status: u16,
    challenge: &str,
) -> String {
    let mut headers = HeaderMap::new();
    if !challenge.is_empty() {
        headers.insert("www-authenticate", HeaderValue::try_from(challenge).unwrap());
    }
    let status = StatusCode::from_u16(status).unwrap();
    let mut verdict = authorizer.received(sent, &server(), status, &headers).await;
    loop {
        return match verdict {
            Verdict::Wait(person) => {
                verdict = person.await;
                continue;
            }
            Verdict::Done => "done".to_owned(),
            Verdict::Retry(Because::Token) => "another token".to_owned(),
            Verdict::Retry(Because::Nonce) => "a nonce".to_owned(),
            Verdict::NeedsLogin { challenges } => format!("login: {}", challenges.join("|")),
            Verdict::Failed(NetError::LoginFailed { reason }) => format!("failed: {reason}"),
            Verdict::Failed(error @ NetError::ScopesRefused { .. }) => error.to_string(),
            Verdict::Failed(error) => panic!("{error}"),
        };
    }
}

async fn kept(case: &Case) -> Option<Tokens> {
    match case.alone().kept().await.unwrap() {
        Some(Kept::Tokens(tokens)) => Some(*tokens),
        _ => None,
    }
}

#[tokio::test]
async fn without_a_login_a_request_goes_out_bare_and_a_login_is_asked_for() {
    let case = Case::usual();
    let authorizer = case.alone().authorizer();
    let (value, sent) = prepared(&authorizer).await;
    assert_eq!(value, None);
    assert_eq!(answered(&authorizer, sent, 200, "").await, "done");
    assert_eq!(answered(&authorizer, sent, 401, "Bearer scope=a").await, "login: Bearer scope=a");
    assert!(case.play.lines().is_empty(), "nobody was asked");
    // Somebody logs in elsewhere.
    case.login().await.unwrap();
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "another token");
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t1"));
}

#[tokio::test]
async fn a_token_is_shown_to_its_server_alone() {
    let case = Case::usual();
    case.login().await.unwrap();
    let authorizer = case.alone().authorizer();
    for other in ["https://other.test/mcp", "https://mcp.test:444/mcp", "http://mcp.test/mcp"] {
        let mut headers = HeaderMap::new();
        authorizer.prepare(&Method::GET, &other.parse().unwrap(), &mut headers).await.unwrap();
        assert!(headers.is_empty(), "{other}");
    }
    for mut other in [case.clone(), case.clone()].into_iter().enumerate().map(|(number, mut case)| {
        if number == 0 {
            case.settings.name = "other".to_owned();
        } else {
            case.settings.server = "https://mcp.test/other".parse().unwrap();
        }
        case
    }) {
        other.parts.browse = None;
        assert!(other.oauth().kept().await.unwrap().is_none());
    }
}

#[tokio::test]
async fn a_token_is_renewed_before_its_end_and_the_new_refresh_token_is_kept() {
    let case = Case::usual();
    case.login().await.unwrap();
    let authorizer = case.alone().authorizer();
    case.clock.pass(3539);
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t1"));
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t2").to_string());
    // One that brings no refresh token leaves the former.
    case.play.answer(TOKEN, 200, r#"{"access_token":"t3","expires_in":3600}"#);
    case.clock.pass(1);
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t2"));
    let sent = case.play.at(POST_TOKEN).pop().unwrap();
    for (name, value) in [
        ("grant_type", Some("refresh_token")),
        ("refresh_token", Some("r-t1")),
        ("client_id", Some("registered")),
        ("resource", Some("https://mcp.test/mcp")),
        ("scope", None),
    ] {
        assert_eq!(sent.form(name).as_deref(), value, "{name}");
    }
    assert_eq!(kept(&case).await.unwrap().refresh_token.unwrap().expose(), "r-t2");
    case.clock.pass(3600);
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t3"));
    assert_eq!(kept(&case).await.unwrap().refresh_token.unwrap().expose(), "r-t2");
    assert_eq!(case.play.at(POST_TOKEN).len(), 3);
}

/// Answers once it may.
#[derive(Debug)]
struct Slow {
    play: Arc<Play>,
    asked: Notify,
    may_answer: Notify,
}

#[async_trait]
impl Fetch for Slow {
    async fn fetch(&self, call: Call, limit: usize) -> Result<Fetched, NetError> {
        let is_for_a_token = call.url.as_str() == TOKEN;
        let answer = self.play.fetch(call, limit).await;
        if is_for_a_token {
            self.asked.notify_one();
            self.may_answer.notified().await;
        }
        answer
    }

    fn judge(&self, url: &url::Url) -> Result<(), NetError> {
        self.play.judge(url)
    }

    async fn judge_resolved(&self, url: &url::Url) -> Result<(), NetError> {
        self.play.judge_resolved(url).await
    }
}

#[tokio::test]
async fn a_token_that_nobody_waits_for_any_more_is_kept() {
    let mut case = Case::usual();
    case.login().await.unwrap();
    let slow = Arc::new(Slow { play: case.play.clone(), asked: Notify::new(), may_answer: Notify::new() });
    case.parts.fetch = slow.clone();
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t2").to_string());
    case.clock.pass(3540);
    let authorizer = case.alone().authorizer();
    tokio::select! {
        _ = prepared(&authorizer) => panic!("the provider has not answered"),
        () = slow.asked.notified() => {}
    }
    slow.may_answer.notify_one();
    while kept(&case).await.unwrap().refresh_token.unwrap().expose() != "r-t2" {
        tokio::task::yield_now().await;
    }
    assert_eq!(case.play.at(POST_TOKEN).len(), 2, "one login, one refresh");
}

#[tokio::test]
async fn a_short_life_is_not_spent_on_refreshes() {
    let case = Case::usual();
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, r#"{"access_token":"t","expires_in":40,"refresh_token":"r"}"#);
    case.login().await.unwrap();
    let authorizer = case.alone().authorizer();
    case.clock.pass(29);
    prepared(&authorizer).await;
    assert_eq!(case.play.at(POST_TOKEN).len(), 1);
    case.clock.pass(1);
    prepared(&authorizer).await;
    assert_eq!(case.play.at(POST_TOKEN).len(), 2);
}

#[tokio::test]
async fn a_refresh_that_does_not_work_ahead_of_time_harms_nothing() {
    let case = Case::usual();
    case.login().await.unwrap();
    let authorizer = case.alone().authorizer();
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 503, "{}");
    case.clock.pass(3550);
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t1"));
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t1"));
    assert_eq!(case.play.at(POST_TOKEN).len(), 2, "it is not tried again at once");
    let (_, sent) = prepared(&authorizer).await;
    let failed = "failed: https://auth.test gives no token: status 503";
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, failed);
    assert!(kept(&case).await.is_some(), "it may work later");
}

#[tokio::test]
async fn a_token_that_is_not_taken_is_renewed_once_and_then_a_login_is_needed() {
    let case = Case::usual();
    case.login().await.unwrap();
    let authorizer = case.alone().authorizer();
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t2").to_string());
    let (_, first) = prepared(&authorizer).await;
    assert_eq!(answered(&authorizer, first, 401, "Bearer error=invalid_token").await, "another token");
    let (value, second) = prepared(&authorizer).await;
    assert_eq!(value.as_deref(), Some("Bearer t2"));
    // A late answer to the former token is no reason to replace the new one.
    assert_eq!(answered(&authorizer, first, 401, "Bearer").await, "another token");
    assert_eq!(case.play.at(POST_TOKEN).len(), 2);
    assert_eq!(answered(&authorizer, second, 401, "Bearer x=y").await, "login: Bearer x=y");
    // Once it was taken it may be renewed again.
    assert_eq!(answered(&authorizer, second, 200, "").await, "done");
    assert_eq!(answered(&authorizer, second, 401, "Bearer").await, "another token");
    assert_eq!(case.play.at(POST_TOKEN).len(), 3);
    assert_eq!(answered(&authorizer, second, 403, "Bearer").await, "done");
}

#[tokio::test]
async fn a_refresh_token_that_is_refused_is_forgotten() {
    for code in ["invalid_grant", "invalid_client"] {
        let case = Case::usual();
        case.login().await.unwrap();
        let authorizer = case.alone().authorizer();
        case.play.nothing_at(TOKEN);
        case.play.answer(TOKEN, 400, &json!({ "error": code }).to_string());
        let (_, sent) = prepared(&authorizer).await;
        assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "login: Bearer");
        assert!(kept(&case).await.is_none());
        let registration =
            case.store.load(&Key::Issuer { issuer: "https://auth.test".to_owned() }).await.unwrap();
        assert_eq!(registration.is_none(), code == "invalid_client");
        assert_eq!(prepared(&authorizer).await.0.as_deref(), None, "{code}");
    }
}

#[tokio::test]
async fn many_requests_at_once_renew_once() {
    let case = Case::usual();
    case.login().await.unwrap();
    let one = case.alone().authorizer();
    let sent: Vec<Sent> = {
        let mut sent = Vec::new();
        for _ in 0..5 {
            sent.push(prepared(&one).await.1);
        }
        sent
    };
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t2").to_string());
    case.play.answer(TOKEN, 400, r#"{"error":"invalid_grant"}"#);
    let mut tasks = tokio::task::JoinSet::new();
    for sent in sent {
        let one = Arc::clone(&one);
        tasks.spawn(async move { answered(&one, sent, 401, "Bearer").await });
    }
    assert_eq!(tasks.join_all().await, ["another token"; 5]);
    assert_eq!(case.play.at(POST_TOKEN).len(), 2);

    // Ahead of time, too.
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t3").to_string());
    case.play.answer(TOKEN, 400, r#"{"error":"invalid_grant"}"#);
    case.clock.pass(3600);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..5 {
        let one = Arc::clone(&one);
        tasks.spawn(async move { prepared(&one).await.0.unwrap() });
    }
    assert_eq!(tasks.join_all().await, ["Bearer t3"; 5]);
}

#[tokio::test]
async fn several_processes_renew_once_and_nobody_takes_anothers_token_away() {
    let case = Case::usual();
    case.login().await.unwrap();
    // Single use: whoever comes second with it is refused.
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 200, &token("t2").to_string());
    case.play.answer(TOKEN, 400, r#"{"error":"invalid_grant"}"#);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..5 {
        let one = case.alone().authorizer();
        let (_, sent) = prepared(&one).await;
        tasks.spawn(async move {
            let verdict = answered(&one, sent, 401, "Bearer").await;
            (verdict, prepared(&one).await.0.unwrap())
        });
    }
    for outcome in tasks.join_all().await {
        assert_eq!(outcome, ("another token".to_owned(), "Bearer t2".to_owned()));
    }
    assert_eq!(kept(&case).await.unwrap().access_token.expose(), "t2");
    assert_eq!(case.play.at(POST_TOKEN).len(), 2);
}

#[tokio::test]
async fn nothing_of_one_issuer_is_used_with_another() {
    let case = Case::usual();
    case.login().await.unwrap();
    let authorizer = case.oauth().authorizer();
    let (_, sent) = prepared(&authorizer).await;
    // The server goes over to another issuer, and does not take the former's token any more.
    let other = |path: &str| format!("https://other.test/{path}");
    case.play.document(PATH, &with(resource(), json!({ "authorization_servers": ["https://other.test"] })));
    case.play.document(
        "https://other.test/.well-known/oauth-authorization-server",
        &with(
            issuer(),
            json!({
                "issuer": "https://other.test", "authorization_endpoint": other("authorize"),
                "token_endpoint": other("token"), "registration_endpoint": other("register"),
            }),
        ),
    );
    case.play.answer("https://other.test/register", 201, r#"{"client_id":"new"}"#);
    case.play.answer("https://other.test/token", 200, &token("t9").to_string());
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "another token");
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t9"));
    assert_eq!(case.play.at(POST_TOKEN).len(), 1, "the refresh token went nowhere");
    assert_eq!(case.person.parameters()[1]["client_id"], "new");
    assert_eq!(kept(&case).await.unwrap().issuer, "https://other.test");
}

#[tokio::test]
async fn a_login_that_failed_is_not_tried_for_ever() {
    let mut case = Case::usual();
    case.person.answer = "error=access_denied&state={state}".to_owned();
    case.parts.browse = Some(Arc::new(case.person.clone()));
    let authorizer = case.oauth().authorizer();
    for _ in 0..3 {
        let (_, sent) = prepared(&authorizer).await;
        assert_eq!(
            answered(&authorizer, sent, 401, "Bearer").await,
            "failed: the authorization was declined"
        );
    }
    assert_eq!(case.person.parameters().len(), 1);
    // One that was for nothing ends it, too.
    let case = Case::usual();
    let authorizer = case.oauth().authorizer();
    let (_, sent) = prepared(&authorizer).await;
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "another token");
    let (_, sent) = prepared(&authorizer).await;
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "done");
    assert_eq!(case.person.parameters().len(), 1);
}
