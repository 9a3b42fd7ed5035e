//! What a browser that comes back is told, and what ends a login.

use std::sync::Arc;
use std::time::Duration;

use codewhale_mcp_auth::browse::{Browse, BrowseError, Ending, Landing};
use codewhale_mcp_auth::browser::CannotOpen;
use codewhale_mcp_auth::listener::Opened;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::person::{Browser, Ends, GOOD, authority, exchange, get, loopback, play, state, status, visit};

const URL: &str = "https://login.example/authorize?client_id=x";

/// A login that waits for its browser.
struct Login {
    landing: Arc<dyn Landing>,
    uri: String,
    /// Dropped, there is nobody to paste.
    _ends: Ends,
    returned: JoinHandle<Result<String, BrowseError>>,
}

impl Login {
    async fn begin() -> Self {
        let (person, mut ends) = play();
        let landing: Arc<dyn Landing> = Arc::from(loopback(person).land(None).await.unwrap());
        let returned = tokio::spawn({
            let landing = Arc::clone(&landing);
            async move { landing.visit(URL, &state()).await.map(|redirected| redirected.0.expose().clone()) }
        });
        assert_eq!(ends.told.recv().await.unwrap(), (URL.to_owned(), Opened::NotAsked));
        Self { uri: landing.redirect_uri().to_owned(), landing, _ends: ends, returned }
    }

    /// It ends well after whatever was sent before.
    async fn end(self) {
        assert!(!self.returned.is_finished());
        let page = tokio::spawn(async move { visit(&self.uri, &format!("/callback?{GOOD}")).await });
        let returned = tokio::time::timeout(Duration::from_secs(60), self.returned).await;
        assert_eq!(returned.expect("a browser that comes back is heard").unwrap(), Ok(GOOD.to_owned()));
        self.landing.show(Ending::LoggedIn).await;
        assert_eq!(status(&page.await.unwrap()), "200 OK");
    }
}

#[tokio::test]
async fn whoever_comes_back_is_told_how_it_ended() {
    let ending = Ending::Failed { reason: "access_denied: <b>no</b>".to_owned() };
    let rows = [
        (Some(Ending::LoggedIn), "200 OK", "You are logged in"),
        (Some(ending), "400 Bad Request", "access_denied: &lt;b&gt;no&lt;/b&gt;"),
        (None, "200 OK", "Go back to where you began"),
    ];
    for (ending, expected, text) in rows {
        let login = Login::begin().await;
        let uri = login.uri.clone();
        let page = tokio::spawn(async move { visit(&uri, &format!("/callback?{GOOD}")).await });
        assert_eq!(login.returned.await.unwrap(), Ok(GOOD.to_owned()));
        assert!(!page.is_finished());
        if let Some(ending) = ending {
            login.landing.show(ending).await;
        }
        drop(login.landing);
        let page = page.await.unwrap();
        assert_eq!(status(&page), expected);
        assert!(page.contains(text), "{page}");
        assert_is_harmless(&page);
    }
}

/// No script, nothing from elsewhere, and nothing that leaves.
fn assert_is_harmless(page: &str) {
    for header in [
        "Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Content-Type: text/html; charset=utf-8",
    ] {
        assert!(page.contains(&format!("\r\n{header}\r\n")), "{header}: {page}");
    }
    let (head, body) = page.split_once("\r\n\r\n").unwrap();
    assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())), "{page}");
    for thing in ["<script", "<img", "<link", "src=", "href=", "c0de"] {
        assert!(!body.contains(thing), "{thing}: {page}");
    }
}

#[tokio::test]
async fn o17_stray_and_forged_requests_end_nothing() {
    let login = Login::begin().await;
    let uri = login.uri.clone();
    let host = authority(&uri).to_owned();
    let rows = [
        ("/callback?code=x&state=bad", "400 Bad Request"),
        ("/callback?code=x", "400 Bad Request"),
        ("/callback?code=x&state=", "400 Bad Request"),
        ("/callback?code=x&state=st%2Bate%2F", "400 Bad Request"),
        ("/callback?code=x&state=st%2Bate%2F11", "400 Bad Request"),
        ("/callback?code=c0de&state=st%2Bate%2F1&state=bad", "400 Bad Request"),
        ("/callback?state=st%2Bate%2F1", "400 Bad Request"),
        ("/callback", "400 Bad Request"),
        ("/favicon.ico", "404 Not Found"),
        ("/", "404 Not Found"),
        ("/callback/?code=c0de&state=st%2Bate%2F1", "404 Not Found"),
        ("/Callback?code=c0de&state=st%2Bate%2F1", "404 Not Found"),
        ("/%63allback?code=c0de&state=st%2Bate%2F1", "404 Not Found"),
    ];
    for (target, expected) in rows {
        let page = visit(&uri, target).await;
        assert_eq!(status(&page), expected, "{target}");
        assert_is_harmless(&page);
    }
    for (request, expected) in [
        (format!("HEAD /callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\n\r\n"), "405 Method Not Allowed"),
        (
            format!("POST /callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"),
            "405 Method Not Allowed",
        ),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: evil.example\r\n\r\n"), "403 Forbidden"),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), "403 Forbidden"),
        (format!("GET http://{host}/callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\n\r\n"), "404 Not Found"),
    ] {
        let page = exchange(&uri, request.as_bytes()).await;
        assert_eq!(status(&page), expected, "{request}");
    }
    login.end().await;
}

#[tokio::test]
async fn requests_that_cannot_be_read_end_nothing() {
    let login = Login::begin().await;
    let uri = login.uri.clone();
    let host = authority(&uri).to_owned();
    let long = "x".repeat(17 << 10);
    let cookies = format!("Cookie: {}\r\n", "y".repeat(8000)).repeat(9);
    let many = "A: b\r\n".repeat(200);
    let rows = [
        (format!("GET /callback?{GOOD}&{long} HTTP/1.1\r\nHost: {host}\r\n\r\n"), "414 URI Too Long"),
        (long, "414 URI Too Long"),
        (
            format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\n{cookies}\r\n"),
            "431 Request Header Fields Too Large",
        ),
        (
            format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\n{many}\r\n"),
            "431 Request Header Fields Too Large",
        ),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\n\r\n"), "400 Bad Request"),
        (format!("GET /callback?{GOOD} HTTP/2\r\nHost: {host}\r\n\r\n"), "400 Bad Request"),
        (format!("GET /callback?{GOOD}\r\nHost: {host}\r\n\r\n"), "400 Bad Request"),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n"), "400 Bad Request"),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\nHost : {host}\r\n\r\n"), "400 Bad Request"),
        (format!("GET /callback?{GOOD} HTTP/1.1\r\nHost: {host}\nX: y\r\n\r\n"), "400 Bad Request"),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), "400 Bad Request"),
    ];
    for (request, expected) in rows {
        let page = exchange(&uri, request.as_bytes()).await;
        // What is cut off may take its page with it.
        assert!(page.is_empty() || status(&page) == expected, "{request:.60}: {page}");
    }
    login.end().await;
}

#[tokio::test]
async fn silent_and_slow_connections_hold_nobody_up() {
    let login = Login::begin().await;
    let mut silent = Vec::new();
    // More than are held at a time: the oldest go.
    for _ in 0..300 {
        silent.push(TcpStream::connect(authority(&login.uri)).await.unwrap());
    }
    // Whoever was answered, and does not go away.
    for _ in 0..100 {
        let mut stream = TcpStream::connect(authority(&login.uri)).await.unwrap();
        stream.write_all(get(&login.uri, "/favicon.ico").as_bytes()).await.unwrap();
        silent.push(stream);
    }
    // A request in pieces.
    let mut slow = TcpStream::connect(authority(&login.uri)).await.unwrap();
    for piece in get(&login.uri, "/favicon.ico").as_bytes().chunks(7) {
        slow.write_all(piece).await.unwrap();
        slow.flush().await.unwrap();
    }
    login.end().await;
}

#[tokio::test]
async fn an_error_comes_back_as_it_is() {
    let login = Login::begin().await;
    let query = "error=access_denied&error_description=%3Cb%3E&state=st%2Bate%2F1&iss=https%3A%2F%2Fa.test";
    let uri = login.uri.clone();
    let page = tokio::spawn(async move { visit(&uri, &format!("/callback?{query}")).await });
    assert_eq!(login.returned.await.unwrap(), Ok(query.to_owned()));
    // Whose it is was not yet checked, so the page says nothing of it.
    drop(login.landing);
    let page = page.await.unwrap();
    assert!(!page.contains("denied") && page.contains("Go back"), "{page}");
}

#[tokio::test]
async fn only_the_first_answer_counts() {
    let login = Login::begin().await;
    let (uri, landing) = (login.uri.clone(), Arc::clone(&login.landing));
    let first = tokio::spawn({
        let uri = uri.clone();
        async move { visit(&uri, &format!("/callback?{GOOD}")).await }
    });
    assert_eq!(login.returned.await.unwrap(), Ok(GOOD.to_owned()));
    let second = tokio::spawn(async move { exchange(&uri, get(&uri, "/callback?code=2").as_bytes()).await });
    landing.show(Ending::LoggedIn).await;
    drop((landing, login.landing));
    assert_eq!(status(&first.await.unwrap()), "200 OK");
    assert_eq!(second.await.unwrap(), "");
}

#[tokio::test]
async fn a_browser_is_sent_there_or_the_person_is_told() {
    for failure in [None, Some(CannotOpen { reason: "no display".to_owned() })] {
        let expected = failure.clone().map_or(Opened::Yes, Opened::Failed);
        let browser = Arc::new(Browser { failure, ..Browser::default() });
        let (person, mut ends) = play();
        let loopback = loopback(person).with_browser(Arc::<Browser>::clone(&browser));
        let landing: Arc<dyn Landing> = Arc::from(loopback.land(None).await.unwrap());
        let visiting = tokio::spawn({
            let landing = Arc::clone(&landing);
            async move { landing.visit(URL, &state()).await.map(|_| ()) }
        });
        assert_eq!(ends.told.recv().await.unwrap(), (URL.to_owned(), expected));
        assert_eq!(*browser.opened.lock().unwrap(), [URL]);
        visiting.abort();
    }
}

#[tokio::test]
async fn a_url_that_is_no_place_to_go_to_is_opened_nowhere() {
    let browser = Arc::new(Browser::default());
    let (person, mut ends) = play();
    let loopback = loopback(person).with_browser(Arc::<Browser>::clone(&browser));
    let landing = loopback.land(None).await.unwrap();
    for url in ["file:///etc/passwd", "javascript:alert(1)", "http://login.example/"] {
        assert!(matches!(landing.visit(url, &state()).await, Err(BrowseError::GivenUp { .. })), "{url}");
    }
    assert!(browser.opened.lock().unwrap().is_empty() && ends.told.try_recv().is_err());
}

#[tokio::test]
async fn whoever_does_not_come_back_is_given_up() {
    let (person, ends) = play();
    let limit = Duration::from_millis(20);
    let landing = loopback(person).with_patience(limit).land(None).await.unwrap();
    let error = landing.visit(URL, &state()).await.map(|_| ()).unwrap_err();
    assert_eq!(error, BrowseError::TimedOut { limit });
    drop(ends);
}
