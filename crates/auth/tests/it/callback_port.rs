//! The port that a browser comes back to.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

use codewhale_mcp_auth::browse::{Browse, BrowseError};
use codewhale_mcp_auth::listener::{Callback, Loopback};

use crate::person::{GOOD, authority, exchange, loopback, play, state, status};

fn at(port: Option<u16>, url: Option<&str>) -> Loopback {
    Loopback::new(Callback::new(port, url).unwrap(), play().0)
}

/// A port that is free, and not one of those that the system gives to whoever asks for any.
fn free_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = std::process::id().wrapping_mul(31) + TAKEN.fetch_add(1, Ordering::Relaxed);
        let port = u16::try_from(20_000 + number % 10_000).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

#[tokio::test]
async fn it_listens_before_its_address_is_known() {
    let landing = loopback(play().0).land(None).await.unwrap();
    let uri = landing.redirect_uri();
    assert!(uri.starts_with("http://127.0.0.1:") && uri.ends_with("/callback"), "{uri}");
    std::net::TcpStream::connect(authority(uri)).unwrap();
}

#[tokio::test]
async fn o13_a_fixed_port_that_is_busy_is_named() {
    let port = free_port();
    let held = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let error = at(Some(port), None).land(None).await.map(|_| ()).unwrap_err();
    let expected = BrowseError::NoLanding {
        address: format!("127.0.0.1:{port}"),
        reason: "another program listens there".to_owned(),
    };
    assert_eq!(error, expected);
    drop(held);
    let landing = at(Some(port), None).land(None).await.unwrap();
    assert_eq!(landing.redirect_uri(), format!("http://127.0.0.1:{port}/callback"));
}

#[tokio::test]
async fn what_is_dropped_frees_its_port() {
    let port = free_port();
    for _ in 0..5 {
        let landing = at(Some(port), None).land(None).await.unwrap();
        let uri = landing.redirect_uri().to_owned();
        let waiting = tokio::spawn(async move { landing.visit("https://login.example/", &state()).await });
        // Somebody is connected when the person gives up.
        let connected = std::net::TcpStream::connect(authority(&uri)).unwrap();
        waiting.abort();
        assert!(waiting.await.unwrap_err().is_cancelled());
        drop(connected);
        drop(TcpListener::bind(("127.0.0.1", port)).unwrap());
    }
}

#[tokio::test]
async fn a_port_that_we_are_registered_with_is_taken_again_if_it_is_free() {
    let first = loopback(play().0).land(None).await.unwrap();
    let uri = first.redirect_uri().to_owned();
    let other = loopback(play().0).land(Some(&uri)).await.unwrap();
    assert_ne!(other.redirect_uri(), uri);
    drop(first);
    let again = loopback(play().0).land(Some(&uri)).await.unwrap();
    assert_eq!(again.redirect_uri(), uri);
    loopback(play().0).land(Some("https://elsewhere.example/callback")).await.unwrap();
}

#[tokio::test]
async fn a_name_is_listened_on_in_both_families() {
    let Ok(six) = TcpListener::bind("[::1]:0") else { return assert_one_family().await };
    let port = six.local_addr().unwrap().port();
    let url = format!("http://localhost:{port}/cb");
    // The other family leads to somebody else.
    let error = at(None, Some(&url)).land(None).await.map(|_| ()).unwrap_err();
    assert!(
        matches!(&error, BrowseError::NoLanding { address, .. } if *address == format!("localhost:{port}"))
    );
    drop(six);
    let landing = at(None, Some(&url)).land(None).await.unwrap();
    assert_eq!(landing.redirect_uri(), url);
    for host in ["127.0.0.1", "[::1]"] {
        std::net::TcpStream::connect(format!("{host}:{port}")).unwrap();
    }
}

/// Where the machine has but one family.
async fn assert_one_family() {
    let landing = at(None, Some("http://localhost/cb")).land(None).await.unwrap();
    std::net::TcpStream::connect(authority(landing.redirect_uri())).unwrap();
}

#[tokio::test]
async fn an_address_elsewhere_leads_to_the_port_that_the_settings_say() {
    let port = free_port();
    let (person, _ends) = play();
    let callback = Callback::new(Some(port), Some("https://box.example/a/cb")).unwrap();
    let landing = Loopback::new(callback, person).land(None).await.unwrap();
    assert_eq!(landing.redirect_uri(), "https://box.example/a/cb");
    for (host, path, expected) in [
        ("evil.example", "/a/cb", "403 Forbidden"),
        ("box.example", "/callback", "404 Not Found"),
        ("box.example", "/a/cb", ""),
    ] {
        let here = format!("http://127.0.0.1:{port}/");
        let request = format!("GET {path}?{GOOD} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let page = async {
            let page = exchange(&here, request.as_bytes()).await;
            assert_eq!(status(&page), expected);
        };
        let state = state();
        tokio::select! {
            () = page => {}
            redirected = landing.visit("https://login.example/", &state) => {
                assert_eq!(redirected.unwrap().0.expose(), GOOD);
            }
        }
    }
}
