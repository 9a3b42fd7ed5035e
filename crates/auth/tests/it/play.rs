//! A network in memory that answers as it is told, a browser that agrees, a clock that stands still.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use bytes::Bytes;
use codewhale_mcp_auth::browse::{Browse, BrowseError, Landing, Redirected};
use codewhale_mcp_auth::{World, canonical};
use codewhale_mcp_net::{Call, Fetch, Fetched, NetError};
use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};
use url::Url;

/// What is at one address: each answer once, the last one for ever.
type Answers = Vec<(u16, &'static str, String)>;

/// The network.
#[derive(Debug, Default)]
pub(crate) struct Play {
    answers: Mutex<HashMap<String, Answers>>,
    headers: Mutex<HashMap<String, HeaderMap>>,
    seen: Mutex<Vec<Seen>>,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The value of a parameter of a form, which must not be there twice.
    pub(crate) fn form(&self, name: &str) -> Option<String> {
        let pairs = url::form_urlencoded::parse(self.body.as_bytes());
        let mut found: Vec<String> =
            pairs.filter(|(given, _)| given == name).map(|(_, value)| value.into_owned()).collect();
        assert!(found.len() <= 1, "{name} is there twice");
        found.pop()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Play {
    /// A server at `https://mcp.test/mcp`, which `https://auth.test` authorizes for.
    pub(crate) fn usual() -> Self {
        let play = Self::default();
        play.document("https://mcp.test/.well-known/oauth-protected-resource/mcp", &resource());
        play.document("https://auth.test/.well-known/oauth-authorization-server", &issuer());
        play.answer("https://auth.test/register", 201, &json!({ "client_id": "registered" }).to_string());
        play.answer("https://auth.test/token", 200, &token("t1").to_string());
        play
    }

    pub(crate) fn document(&self, url: &str, document: &Value) {
        self.answers.lock().unwrap().remove(url);
        self.answer(url, 200, &document.to_string());
    }

    /// Another answer at an address.
    pub(crate) fn answer(&self, url: &str, status: u16, body: &str) {
        self.answer_as(url, status, "application/json", body);
    }

    pub(crate) fn answer_as(&self, url: &str, status: u16, kind: &'static str, body: &str) {
        let mut answers = self.answers.lock().unwrap();
        answers.entry(url.to_owned()).or_default().push((status, kind, body.to_owned()));
    }

    /// Takes back what is at an address.
    pub(crate) fn nothing_at(&self, url: &str) {
        self.answers.lock().unwrap().remove(url);
    }

    /// A header of every answer of an address.
    pub(crate) fn header(&self, url: &str, name: &'static str, value: &'static str) {
        let mut headers = self.headers.lock().unwrap();
        headers.entry(url.to_owned()).or_default().insert(name, HeaderValue::from_static(value));
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// The requests to an address.
    pub(crate) fn at(&self, line: &str) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.line == line).collect()
    }
}

#[async_trait]
impl Fetch for Play {
    async fn fetch(&self, call: Call, _: usize) -> Result<Fetched, NetError> {
        let url = call.url.as_str().to_owned();
        let line = format!("{} {url}", call.method);
        let body = String::from_utf8(call.body.to_vec()).unwrap();
        self.seen.lock().unwrap().push(Seen { line, headers: HeaderMap::clone(&call.headers), body });
        let (status, kind, body) = {
            let mut all = self.answers.lock().unwrap();
            match all.get_mut(&url) {
                Some(answers) if answers.len() > 1 => answers.remove(0),
                Some(answers) => answers[0].clone(),
                None => (404, "text/plain", "Not Found".to_owned()),
            }
        };
        let mut headers = self.headers.lock().unwrap().get(&url).cloned().unwrap_or_default();
        headers.insert("content-type", HeaderValue::from_static(kind));
        Ok(Fetched { status: StatusCode::from_u16(status).unwrap(), headers, body: Bytes::from(body) })
    }

    fn judge(&self, _: &Url) -> Result<(), NetError> {
        Ok(())
    }

    async fn judge_resolved(&self, _: &Url) -> Result<(), NetError> {
        Ok(())
    }
}

/// The metadata of the server.
pub(crate) fn resource() -> Value {
    json!({ "resource": "https://mcp.test/mcp", "authorization_servers": ["https://auth.test"] })
}

/// The metadata of the authorization server.
pub(crate) fn issuer() -> Value {
    json!({
        "issuer": "https://auth.test",
        "authorization_endpoint": "https://auth.test/authorize",
        "token_endpoint": "https://auth.test/token",
        "registration_endpoint": "https://auth.test/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
    })
}

/// A document with other members.
pub(crate) fn with(mut document: Value, members: Value) -> Value {
    let Value::Object(members) = members else { panic!("members are an object") };
    for (name, value) in members {
        match value {
            Value::Null => drop(document.as_object_mut().unwrap().remove(&name)),
            value => document[name] = value,
        }
    }
    document
}

/// What the token endpoint answers.
pub(crate) fn token(token: &str) -> Value {
    json!({ "access_token": token, "token_type": "Bearer", "expires_in": 3600, "refresh_token": format!("r-{token}") })
}

/// A person who goes where they are sent and comes back with `answer`, in which `{state}` is filled in.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) answer: String,
    pub(crate) redirect_uri: String,
    pub(crate) visits: Arc<Mutex<Vec<Url>>>,
    pub(crate) asked: Arc<Mutex<Vec<Option<String>>>>,
}

impl Person {
    pub(crate) fn new(answer: &str) -> Self {
        let redirect_uri = "http://127.0.0.1:7777/callback".to_owned();
        Self { answer: answer.to_owned(), redirect_uri, visits: Arc::default(), asked: Arc::default() }
    }

    /// The parameters that they were sent with, by visit.
    pub(crate) fn parameters(&self) -> Vec<HashMap<String, String>> {
        let visits = self.visits.lock().unwrap();
        let pairs = |url: &Url| {
            let all: Vec<_> = url.query_pairs().into_owned().collect();
            let by_name: HashMap<_, _> = all.iter().cloned().collect();
            assert_eq!(all.len(), by_name.len(), "a parameter is there twice: {url}");
            by_name
        };
        visits.iter().map(pairs).collect()
    }
}

#[async_trait]
impl Browse for Person {
    async fn land(&self, registered: Option<&str>) -> Result<Box<dyn Landing>, BrowseError> {
        self.asked.lock().unwrap().push(registered.map(str::to_owned));
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl Landing for Person {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    async fn visit(&self, url: &str, state: &Secret<String>) -> Result<Redirected, BrowseError> {
        let url: Url = url.parse().unwrap();
        let sent = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        assert_eq!(&sent, state.expose());
        self.visits.lock().unwrap().push(url);
        Ok(Redirected(Secret::new(self.answer.replace("{state}", &sent))))
    }
}

/// A clock that is set, and dice that fall one after another.
#[derive(Debug)]
pub(crate) struct Still {
    now: Mutex<SystemTime>,
    next: AtomicU8,
}

impl Default for Still {
    fn default() -> Self {
        let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Self { now: Mutex::new(now), next: AtomicU8::new(1) }
    }
}

impl Still {
    pub(crate) fn pass(&self, seconds: u64) {
        *self.now.lock().unwrap() += Duration::from_secs(seconds);
    }
}

impl World for Still {
    fn now(&self) -> SystemTime {
        *self.now.lock().unwrap()
    }

    fn random(&self) -> [u8; 32] {
        [self.next.fetch_add(1, Ordering::SeqCst); 32]
    }
}

pub(crate) fn server() -> Url {
    let url: Url = "https://mcp.test/mcp".parse().unwrap();
    assert_eq!(canonical(&url), url.as_str());
    url
}
