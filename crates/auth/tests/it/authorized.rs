//! The browser's way to an authorization server and back.

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::browse::{Browse, BrowseError, Landing, Redirected};
use codewhale_mcp_auth::flow::Scopes;
use codewhale_mcp_auth::registration::Preset;
use codewhale_mcp_redact::Secret;
use serde_json::json;

use crate::play::{Person, Play, Still, issuer, resource, with};
use crate::world::{Case, preset};

const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";
const PATH: &str = "https://mcp.test/.well-known/oauth-protected-resource/mcp";

#[tokio::test]
async fn an_authorization_asks_for_a_code_with_a_proof_for_a_resource() {
    let case = Case::usual();
    case.play.document(
        AUTH,
        &with(
            issuer(),
            json!({ "authorization_endpoint": "https://auth.test/authorize?tenant=1&state=theirs" }),
        ),
    );
    case.login_for(&["Bearer scope=\"a b\""]).await.unwrap();
    let sent = &case.person.parameters()[0];
    // The dice fell on 1 for the state and on 2 for the verifier.
    let (state, verifier) =
        ("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE", "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI");
    // echo -n <verifier> | openssl dgst -sha256 -binary | basenc --base64url
    let challenge = "bB1ju9q0N8VDaMu9iIaohqea2XcpfiZe6_H19fAVM7k";
    let expected = [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", "registered"),
        ("redirect_uri", "http://127.0.0.1:7777/callback"),
        ("code_challenge", challenge),
        ("code_challenge_method", "S256"),
        ("resource", "https://mcp.test/mcp"),
        ("state", state),
        ("scope", "a b"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(*sent, expected.into_iter().collect());

    let token = &case.play.at("POST https://auth.test/token")[0];
    for (name, value) in [
        ("grant_type", Some("authorization_code")),
        ("code", Some("c1")),
        ("redirect_uri", Some("http://127.0.0.1:7777/callback")),
        ("code_verifier", Some(verifier)),
        ("client_id", Some("registered")),
        ("resource", Some("https://mcp.test/mcp")),
        ("scope", None),
        ("client_secret", None),
    ] {
        assert_eq!(token.form(name).as_deref(), value, "{name}");
    }
    assert_eq!(token.header("accept"), Some("application/json"));
    assert_eq!(token.header("content-type"), Some("application/x-www-form-urlencoded"));
    // Everything is another one the next time.
    case.login().await.unwrap();
    let sent = case.person.parameters();
    assert_ne!(sent[0]["state"], sent[1]["state"]);
    assert_ne!(sent[0]["code_challenge"], sent[1]["code_challenge"]);
}

#[tokio::test]
async fn scopes_and_resource_are_what_is_configured() {
    let mut case = Case::usual();
    case.settings.scopes = Some(Scopes::read("mine"));
    case.settings.resource = Some("urn:mine".to_owned());
    let tokens = case.login_for(&["Bearer scope=theirs"]).await.unwrap();
    assert_eq!((tokens.resource.as_str(), tokens.requested.to_string().as_str()), ("urn:mine", "mine"));
    let sent = &case.person.parameters()[0];
    assert_eq!((sent["scope"].as_str(), sent["resource"].as_str()), ("mine", "urn:mine"));
    let token = &case.play.at("POST https://auth.test/token")[0];
    assert_eq!(token.form("resource").as_deref(), Some("urn:mine"));
    // Without any there is no parameter.
    let case = Case::usual();
    case.login().await.unwrap();
    assert!(!case.person.parameters()[0].contains_key("scope"));
}

#[tokio::test]
async fn a_refresh_token_is_asked_for_only_where_the_issuer_has_a_scope_for_it() {
    let scopes = json!({ "scopes_supported": ["r"] });
    for (at_issuer, expected, prompt) in
        [(json!(["x", "offline_access"]), "r offline_access", Some("consent")), (json!(["x"]), "r", None)]
    {
        let case = Case::usual();
        case.play.document(PATH, &with(resource(), scopes.clone()));
        case.play.document(AUTH, &with(issuer(), json!({ "scopes_supported": at_issuer })));
        case.login().await.unwrap();
        let asked = &case.person.parameters()[0];
        // OpenID providers give none without consent.
        assert_eq!((&*asked["scope"], asked.get("prompt").map(String::as_str)), (expected, prompt));
    }
}

/// What becomes of what the browser comes back with.
async fn comes_back(promised: bool, answer: &str) -> Result<(), LoginError> {
    let (play, person) = (Play::usual(), Person::new(answer));
    let member = json!({ "authorization_response_iss_parameter_supported": promised });
    play.document(AUTH, &with(issuer(), member));
    let case = Case::with(play, person);
    let outcome = case.login().await.map(drop);
    assert_eq!(case.play.at("POST https://auth.test/token").len(), usize::from(outcome.is_ok()));
    outcome
}

#[tokio::test]
async fn who_the_browser_comes_back_from_is_compared_letter_by_letter() {
    let right = "iss=https%3A%2F%2Fauth.test";
    let without = "came back without `iss`, which was to say that it was there";
    let another = "came back with the `iss` of another one: ";
    for (promised, iss, said) in [
        (true, right, None),
        (true, "iss=https://auth.test", None),
        (false, right, None),
        (false, "", None),
        (true, "", Some(without.to_owned())),
        (true, "iss=", Some(without.to_owned())),
        (true, "iss=https%3A%2F%2Fauth.test%2F", Some(format!("{another}https://auth.test/"))),
        (true, "iss=https%3A%2F%2FAUTH.test", Some(format!("{another}https://AUTH.test"))),
        (true, "iss=https%3A%2F%2Fauth.test%3A443", Some(format!("{another}https://auth.test:443"))),
        (true, "iss=https%253A%252F%252Fauth.test", Some(format!("{another}https%3A%2F%2Fauth.test"))),
        (true, "iss=https%3A%2F%2Fevil.test", Some(format!("{another}https://evil.test"))),
        (false, "iss=https%3A%2F%2Fevil.test", Some(format!("{another}https://evil.test"))),
        (false, "iss=https%3A%2F%2Fauth.test%2F", Some(format!("{another}https://auth.test/"))),
        (true, "iss=%1b%5B2Jx%0ay", Some(format!("{another}\\u{{1b}}[2Jx\\ny"))),
    ] {
        let outcome = comes_back(promised, &format!("code=c1&state={{state}}&{iss}")).await;
        let expected = said.map(|said| {
            format!("the browser was sent to https://auth.test and {said}; nothing of it is used")
        });
        assert_eq!(outcome.err().map(|error| error.to_string()), expected, "{promised} {iss}");
    }
}

#[tokio::test]
async fn nothing_of_an_answer_from_elsewhere_is_shown() {
    for (promised, answer) in [
        (true, "error=OOPS&error_description=OOPS&error_uri=OOPS&state={state}"),
        (false, "error=OOPS&error_description=OOPS&state={state}&iss=https%3A%2F%2Fevil.test"),
        (false, "error=OOPS&error_description=OOPS&state=OOPS"),
        (false, "error=OOPS&error_description=OOPS"),
        (false, "code=OOPS&code=OOPS&state={state}"),
    ] {
        let error = comes_back(promised, answer).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("OOPS"), "{error:?}");
    }
}

#[tokio::test]
async fn an_answer_is_a_code_with_the_state_or_says_why_not() {
    let callback = |reason| LoginError::Callback { reason };
    let not = |reason: &str| LoginError::IssuerAuthorizesNot {
        issuer: "https://auth.test".to_owned(),
        reason: reason.to_owned(),
    };
    let state = || callback("another state than it was sent with");
    for (answer, expected) in [
        ("code=c1&state={state}", None),
        ("http://127.0.0.1:7777/callback?code=c1&state={state}&more=1#_", None),
        ("  ?code=c1&state={state} ", None),
        ("code=c1&state={state}x", Some(state())),
        ("code=c1&state=", Some(state())),
        ("code=c1", Some(state())),
        ("", Some(state())),
        ("state={state}", Some(callback("neither a code nor an error"))),
        ("code=c1&state={state}&state={state}", Some(callback("a parameter that is there twice"))),
        ("code=c1&code=c2&state={state}", Some(callback("a parameter that is there twice"))),
        ("code=c1&state={state}&iss=a&iss=b", Some(callback("a parameter that is there twice"))),
        // Of whatever name, and however it is written.
        ("code=c1&state={state}&error_uri=a&error_uri=b", Some(callback("a parameter that is there twice"))),
        ("code=c1&state={state}&more=1&more=1", Some(callback("a parameter that is there twice"))),
        ("code=c1&state={state}&c%6fde=c2", Some(callback("a parameter that is there twice"))),
        ("error=access_denied&state={state}", Some(LoginError::Declined)),
        (
            "error=invalid_scope&error_description=no+such%1b&state={state}",
            Some(not("invalid_scope (no such\\u{1b})")),
        ),
        ("error=server_error&code=c1&state={state}", Some(not("server_error"))),
    ] {
        assert_eq!(comes_back(false, answer).await.err(), expected, "{answer}");
    }
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_none() {
    /// Takes eleven minutes.
    #[derive(Debug)]
    struct Slow(Person, Arc<Still>);

    #[async_trait]
    impl Browse for Slow {
        async fn land(&self, registered: Option<&str>) -> Result<Box<dyn Landing>, BrowseError> {
            drop(self.0.land(registered).await?);
            Ok(Box::new(Self(self.0.clone(), self.1.clone())))
        }
    }

    #[async_trait]
    impl Landing for Slow {
        fn redirect_uri(&self) -> &str {
            self.0.redirect_uri()
        }

        async fn visit(&self, url: &str, state: &Secret<String>) -> Result<Redirected, BrowseError> {
            self.1.pass(660);
            self.0.visit(url, state).await
        }
    }

    let mut case = Case::usual();
    case.parts.browse = Some(Arc::new(Slow(case.person.clone(), case.clock.clone())));
    assert_eq!(case.login().await.unwrap_err(), LoginError::TimedOut);
    assert!(case.play.at("POST https://auth.test/token").is_empty());
}

#[tokio::test]
async fn a_client_of_another_issuer_is_not_used() {
    let mut case = Case::usual();
    case.settings.names.preset =
        Some(Preset { issuer: Some("https://other.test".to_owned()), ..preset("mine", None) });
    let error = case.login().await.unwrap_err();
    let expected = "the configured client is one of https://other.test, and the server now sends us to https://auth.test";
    assert_eq!(error.to_string(), expected);
    assert!(case.person.visits.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_configured_client_stays_with_the_issuer_that_it_was_used_with() {
    let mut case = Case::usual();
    case.settings.names.preset = Some(preset("mine", Some("hunter2-hunter2")));
    case.login().await.unwrap();
    case.play.document(PATH, &with(resource(), json!({ "authorization_servers": ["https://evil.test"] })));
    case.play.document(
        "https://evil.test/.well-known/oauth-authorization-server",
        &with(
            issuer(),
            json!({ "issuer": "https://evil.test", "token_endpoint": "https://evil.test/token" }),
        ),
    );
    let error = case.login().await.unwrap_err();
    assert!(matches!(error, LoginError::ForeignClient { .. }), "{error}");
    assert!(case.play.at("POST https://evil.test/token").is_empty());
    // Whoever logs out says that it may be another one.
    case.oauth().logout().await.unwrap();
    case.play.answer("https://evil.test/token", 200, r#"{"access_token":"t"}"#);
    case.login().await.unwrap();
}
