//! The address of the browser, pasted back.

use std::sync::Arc;

use codewhale_mcp_auth::browse::{Browse, Landing};
use codewhale_mcp_auth::paste::{PasteError, read};
use codewhale_mcp_redact::Secret;

use crate::person::{GOOD, loopback, play, state, visit};

const URI: &str = "http://127.0.0.1:7777/callback";

fn paste(text: &str) -> Result<String, String> {
    match read(&Secret::new(text.to_owned()), URI, &state()) {
        Ok(redirected) => Ok(redirected.0.expose().clone()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn an_address_or_its_query_is_read() {
    for text in [
        format!("{URI}?{GOOD}"),
        format!("  {URI}?{GOOD}\r\n"),
        format!("\"{URI}?{GOOD}\""),
        format!("<{URI}?{GOOD}>"),
        format!("{URI}?{GOOD}#_=_"),
        format!("HTTP://127.0.0.1:7777/callback?{GOOD}"),
        format!("?{GOOD}"),
        GOOD.to_owned(),
    ] {
        assert_eq!(paste(&text), Ok(GOOD.to_owned()), "{text}");
    }
    let error = "error=access_denied&state=st%2Bate%2F1";
    assert_eq!(paste(&format!("{URI}?{error}")), Ok(error.to_owned()));
}

#[test]
fn anything_else_says_what_is_wrong_and_is_not_shown() {
    let other =
        format!("the pasted text is not the address that the browser ended at, which begins with {URI}");
    let check = |text: &str, expected: &str| {
        assert_eq!(paste(text), Err(expected.to_owned()), "{text}");
        assert!(!expected.contains("c0de"));
    };
    check("", "nothing was pasted");
    check("  \n", "nothing was pasted");
    check(&"x".repeat(20_000), "the pasted text is longer than 16384 bytes");
    check("c0de", &other);
    check(URI, &other);
    check(&format!("http://127.0.0.1:7778/callback?{GOOD}"), &other);
    check(&format!("https://evil.example/callback?{GOOD}"), &other);
    check(&format!("{URI}?code=c0de& {GOOD}"), &other);
    let stray = "the pasted address does not belong to this login: ";
    check(&format!("{URI}?code=c0de"), &format!("{stray}it has no `state`"));
    check(&format!("{URI}?code=c0de&state=x"), &format!("{stray}its `state` is another one"));
    check(&format!("{URI}?{GOOD}&state=x"), &format!("{stray}its `state` is another one"));
    let neither = "it has neither a `code` nor an `error`";
    check(&format!("{URI}?state=st%2Bate%2F1"), &format!("{stray}{neither}"));
}

#[tokio::test]
async fn a_pasted_address_ends_the_login_after_mistakes() {
    let (person, mut ends) = play();
    let landing: Arc<dyn Landing> = Arc::from(loopback(person).land(None).await.unwrap());
    let uri = landing.redirect_uri().to_owned();
    let returned = tokio::spawn(async move { landing.visit("https://login.example/", &state()).await });
    let paste = ends.paste.take().unwrap();
    paste.send("what".to_owned()).await.unwrap();
    assert_eq!(ends.refused.recv().await, Some(PasteError::NotTheAddress { expected: uri.clone() }));
    paste.send(format!("{uri}?{GOOD}")).await.unwrap();
    assert_eq!(returned.await.unwrap().unwrap().0.expose(), GOOD);
}

#[tokio::test]
async fn a_browser_may_come_back_when_nobody_can_paste() {
    let (person, mut ends) = play();
    drop(ends.paste.take());
    let landing: Arc<dyn Landing> = Arc::from(loopback(person).land(None).await.unwrap());
    let uri = landing.redirect_uri().to_owned();
    let returned = tokio::spawn(async move { landing.visit("https://login.example/", &state()).await });
    ends.told.recv().await.unwrap();
    let page = visit(&uri, &format!("/callback?{GOOD}")).await;
    assert!(page.contains("Go back to where you began"), "{page}");
    assert_eq!(returned.await.unwrap().unwrap().0.expose(), GOOD);
}
