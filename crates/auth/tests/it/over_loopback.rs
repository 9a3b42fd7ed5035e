//! A login as it is in earnest: requests over sockets, a listener, a browser that comes back to it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use codewhale_mcp_auth::browser::{BrowserUrl, CannotOpen, Opener};
use codewhale_mcp_auth::credentials::InMemory;
use codewhale_mcp_auth::driver::{OAuth, Parts};
use codewhale_mcp_auth::flow::Settings;
use codewhale_mcp_auth::listener::{Callback, Loopback};
use codewhale_mcp_net::client::{Engine, Parts as EngineParts};
use codewhale_mcp_net::{Author, Call, Definition, Guard, Origin, PrivateNetwork, Purpose};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use crate::person::play;

/// A server that wants a token, and authorizes for itself. It keeps what it was sent.
struct Server {
    base: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { base: base.clone(), seen: Arc::default() };
        let seen = Arc::clone(&server.seen);
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (base, seen) = (base.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    let request = request(&mut stream).await;
                    seen.lock().unwrap().push(request.clone());
                    stream.write_all(reply(&base, &request).as_bytes()).await.unwrap();
                });
            }
        });
        server
    }

    fn count(&self, line: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|request| request.starts_with(line)).count()
    }
}

async fn request(stream: &mut tokio::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8(bytes.clone()).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.to_ascii_lowercase();
            let length = length
                .split_once("content-length: ")
                .map_or(0, |(_, rest)| rest.lines().next().unwrap().parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        assert_ne!(stream.read_buf(&mut bytes).await.unwrap(), 0);
    }
}

fn reply(base: &str, request: &str) -> String {
    let at = |path: &str| format!("{base}{path}");
    let path = request.split(' ').nth(1).unwrap();
    let (status, header, body) = match path {
        "/mcp" if request.contains("authorization: Bearer t1\r\n") => {
            ("200 OK", String::new(), json!("fine"))
        }
        "/mcp" => {
            let told =
                format!("WWW-Authenticate: Bearer resource_metadata=\"{base}/there\", scope=\"a\"\r\n");
            ("401 Unauthorized", told, json!("no"))
        }
        "/there" => {
            let document = json!({ "resource": at("/mcp"), "authorization_servers": [base] });
            ("200 OK", String::new(), document)
        }
        "/.well-known/oauth-authorization-server" => {
            let document = json!({
                "issuer": base, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
                "registration_endpoint": at("/register"), "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
            });
            ("200 OK", String::new(), document)
        }
        "/register" => ("201 Created", String::new(), json!({ "client_id": "registered" })),
        "/token" => ("200 OK", String::new(), json!({ "access_token": "t1", "token_type": "Bearer" })),
        other => panic!("{other}"),
    };
    let body = body.to_string();
    format!("HTTP/1.1 {status}\r\n{header}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// Agrees, and goes back to where it came from.
#[derive(Debug, Default)]
struct Agreeing(Mutex<Vec<Url>>);

impl Opener for Agreeing {
    fn open(&self, url: &BrowserUrl) -> Result<(), CannotOpen> {
        let url: Url = url.as_str().parse().unwrap();
        self.0.lock().unwrap().push(url.clone());
        let of = |name: &str| url.query_pairs().find(|(given, _)| given == name).unwrap().1.into_owned();
        let mut back: Url = of("redirect_uri").parse().unwrap();
        let issuer = url.origin().ascii_serialization();
        back.query_pairs_mut().extend_pairs([("code", "c1"), ("state", &of("state")), ("iss", &issuer)]);
        std::thread::spawn(move || {
            let mut stream = TcpStream::connect(back.socket_addrs(|| None).unwrap()[0]).unwrap();
            let target = &back[url::Position::BeforePath..];
            let host = back.socket_addrs(|| None).unwrap()[0];
            write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
            let mut page = String::new();
            stream.read_to_string(&mut page).unwrap();
        });
        Ok(())
    }
}

#[tokio::test]
async fn requests_wait_for_one_login_and_go_out_again() {
    let server = Server::start().await;
    let url: Url = format!("{}/mcp", server.base).parse().unwrap();
    let definition = Definition {
        origin: Origin::of(&url).unwrap(),
        author: Author::Operator,
        private_network: PrivateNetwork::Refused,
    };
    let guard = Guard { definition, lists: Arc::default(), proxies: Arc::default() };
    let engine = Engine::new(EngineParts::default());
    let fetch = Arc::new(engine.egress(guard.clone(), Purpose::Login));
    let mut parts = Parts::new(fetch, Arc::new(InMemory::default()));
    let (browser, (person, _ends)) = (Arc::<Agreeing>::default(), play());
    let loopback = Loopback::new(Callback::new(None, None).unwrap(), person).with_browser(browser.clone());
    parts.browse = Some(Arc::new(loopback));
    let oauth = OAuth::new(Settings::new("s", url.clone(), "Codewhale"), parts);
    let authorizer = oauth.authorizer();
    let egress = engine.egress(guard, Purpose::Message);
    let call = || Call::post(url.clone(), Bytes::from_static(b"{\"id\":1}"));
    let sent = || async { egress.send(call(), Some(&*authorizer)).await.unwrap().status };
    let wait = std::time::Duration::from_secs(60);
    let all = tokio::time::timeout(wait, async { tokio::join!(sent(), sent(), sent()) }).await.unwrap();
    assert_eq!(all, (http::StatusCode::OK, http::StatusCode::OK, http::StatusCode::OK));
    assert_eq!(browser.0.lock().unwrap().len(), 1);
    for (line, count) in [("POST /register ", 1), ("POST /token ", 1), ("POST /mcp ", 6), ("GET /there ", 1)]
    {
        assert_eq!(server.count(line), count, "{line}");
    }
    assert_eq!(sent().await, http::StatusCode::OK);
    assert_eq!(server.count("POST /mcp "), 7);
    let repeated: Vec<String> = server.seen.lock().unwrap().clone();
    assert!(
        repeated.iter().filter(|one| one.starts_with("POST /mcp ")).all(|one| one.ends_with("{\"id\":1}"))
    );
}
