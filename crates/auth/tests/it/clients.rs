//! Which client we are.

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::discovery::IssuerMetadata;
use codewhale_mcp_auth::flow::Scopes;
use codewhale_mcp_auth::registration::{AuthMethod, Identity, Names, Preset, Source, identify};
use serde_json::{Value, json};

use crate::play::{issuer, resource, token, with};
use crate::world::{Case, preset};

const DOCUMENT: &str = "https://client.test/metadata.json";

/// `none`, the issuer that the client is of, or who it is.
fn identified(preset: Option<Preset>, document: Option<&str>, members: Value) -> String {
    let names =
        Names { client_name: "Codewhale".to_owned(), preset, client_document: document.map(str::to_owned) };
    let issuer = IssuerMetadata::read(with(issuer(), members), "https://auth.test").unwrap();
    match identify(&names, &issuer) {
        Ok(Identity::Known(client)) => format!("{:?} {}", client.source, client.id),
        Ok(Identity::Registered) => "registered".to_owned(),
        Err(LoginError::NoClient { .. }) => "none".to_owned(),
        Err(LoginError::ForeignClient { configured, .. }) => configured,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_client_is_configured_described_registered_or_there_is_none() {
    let knows = json!({ "client_id_metadata_document_supported": true });
    let knows_alone = json!({ "client_id_metadata_document_supported": true, "registration_endpoint": null });
    let knows_secrets = json!({
        "client_id_metadata_document_supported": true, "registration_endpoint": null,
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
    });
    let nothing = json!({ "registration_endpoint": null });
    let described = format!("Document {DOCUMENT}");
    let mine = || Some(preset("mine", None));
    let of = |issuer: &str| Some(Preset { issuer: Some(issuer.to_owned()), ..preset("mine", None) });
    for (preset, document, members, expected) in [
        (mine(), Some(DOCUMENT), knows.clone(), "Configured mine"),
        (mine(), None, nothing.clone(), "Configured mine"),
        (of("https://auth.test"), None, json!({}), "Configured mine"),
        (of("https://auth.test/"), Some(DOCUMENT), knows.clone(), "https://auth.test/"),
        (of("https://other.test"), None, json!({}), "https://other.test"),
        (None, Some(DOCUMENT), knows.clone(), &described),
        (None, Some(DOCUMENT), knows_alone.clone(), &described),
        (None, Some(DOCUMENT), json!({}), "registered"),
        (None, Some(DOCUMENT), json!({ "client_id_metadata_document_supported": false }), "registered"),
        (None, Some(DOCUMENT), knows_secrets, "none"),
        (None, None, knows, "registered"),
        (None, None, knows_alone.clone(), "none"),
        (None, Some(DOCUMENT), nothing, "none"),
    ] {
        assert_eq!(identified(preset, document, members.clone()), expected, "{document:?} {members}");
    }
    for bad in [
        "http://client.test/x",
        "https://client.test",
        "https://client.test/",
        "https://me@client.test/x",
        "https://client.test/x#y",
        "https://client.test/a/../x",
        "https://CLIENT.test/x",
        "client",
    ] {
        assert_eq!(identified(None, Some(bad), knows_alone.clone()), "none", "{bad}");
    }
}

#[tokio::test]
async fn a_registration_says_what_kind_of_client_comes_back_where() {
    let check = async |redirect_uri: &str, methods: Value, kind: &str, method: &str| {
        let mut case = Case::usual();
        case.person.redirect_uri = redirect_uri.to_owned();
        case.parts.browse = Some(std::sync::Arc::new(case.person.clone()));
        let listed = json!({ "token_endpoint_auth_methods_supported": methods });
        case.play
            .document("https://auth.test/.well-known/oauth-authorization-server", &with(issuer(), listed));
        // Whether a client that has no secret can do what it is told is another matter.
        let _ = case.login().await;
        let sent = &case.play.at("POST https://auth.test/register")[0];
        assert_eq!(sent.header("content-type"), Some("application/json"));
        assert_eq!(
            sent.json(),
            json!({
                "client_name": "Codewhale",
                "redirect_uris": [redirect_uri],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": method,
                "application_type": kind,
            })
        );
    };
    check("http://127.0.0.1:7777/callback", json!(["none", "client_secret_basic"]), "native", "none").await;
    check("http://[::1]:7777/callback", json!(null), "native", "none").await;
    check(
        "http://localhost:1/c",
        json!(["private_key_jwt", "client_secret_post", "client_secret_basic"]),
        "native",
        "client_secret_post",
    )
    .await;
    check("https://app.test/callback", json!(["client_secret_post"]), "web", "client_secret_post").await;
    check("com.example.app:/callback", json!(["private_key_jwt"]), "native", "none").await;
}

#[tokio::test]
async fn a_registration_that_is_refused_says_why() {
    for (status, body, reason) in [
        (
            400,
            r#"{"error":"invalid_redirect_uri","error_description":"only https"}"#,
            "invalid_redirect_uri (only https)",
        ),
        (403, r#"{"error":"no\u001b[2J"}"#, "no\\u{1b}[2J"),
        (404, "Not Found", "status 404"),
        (200, r#"{"error":"late"}"#, "late"),
        (201, r#"{"client_secret":"hunter2-hunter2"}"#, "the answer names no client id"),
        (
            201,
            r#"{"client_id":"x","token_endpoint_auth_method":"tls_client_auth"}"#,
            "we are to say who we are in a way that we do not know",
        ),
    ] {
        let case = Case::usual();
        case.play.nothing_at("https://auth.test/register");
        case.play.answer("https://auth.test/register", status, body);
        let error = case.login().await.unwrap_err();
        assert_eq!(error.to_string(), format!("https://auth.test does not register us: {reason}"));
        assert!(case.person.visits.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_registration_is_made_anew_for_scopes_that_it_does_not_name() {
    let mut case = Case::usual();
    let mut logs_in = async |scopes: &str, registrations: usize| {
        case.settings.scopes = Some(Scopes::read(scopes));
        case.login().await.unwrap();
        assert_eq!(case.play.at("POST https://auth.test/register").len(), registrations, "{scopes}");
    };
    logs_in("read list", 1).await;
    logs_in("list", 1).await;
    logs_in("read write", 2).await;
    // What was asked for once is not asked for again, whatever was given.
    logs_in("write", 2).await;
    logs_in("", 2).await;
}

#[tokio::test]
async fn scopes_that_are_minded_are_left_out_of_a_registration() {
    for code in ["invalid_client_metadata", "invalid_scope"] {
        let case = Case::usual();
        case.play.document(
            "https://mcp.test/.well-known/oauth-protected-resource/mcp",
            &with(resource(), json!({ "scopes_supported": ["read"] })),
        );
        case.play.nothing_at("https://auth.test/register");
        case.play.answer("https://auth.test/register", 400, &json!({ "error": code }).to_string());
        case.play.answer("https://auth.test/register", 201, r#"{"client_id":"registered"}"#);
        assert_eq!(case.login().await.unwrap().requested.to_string(), "read");
        let sent = case.play.at("POST https://auth.test/register");
        let scopes: Vec<_> =
            sent.iter().map(|sent| sent.json()["scope"].as_str().map(str::to_owned)).collect();
        assert_eq!(scopes, [Some("read".to_owned()), None]);
        // Nobody asks for ever.
        case.play.nothing_at("https://auth.test/register");
        case.play.answer("https://auth.test/register", 400, &json!({ "error": code }).to_string());
        let mut other = case.clone();
        other.person.redirect_uri = "http://127.0.0.1:8888/callback".to_owned();
        other.parts.browse = Some(std::sync::Arc::new(other.person.clone()));
        other.login().await.unwrap_err();
        assert_eq!(case.play.at("POST https://auth.test/register").len(), 4);
    }
}

#[tokio::test]
async fn a_registration_is_used_again_where_the_browser_comes_back_to_the_same_place() {
    let case = Case::usual();
    case.login().await.unwrap();
    case.login().await.unwrap();
    assert_eq!(case.play.at("POST https://auth.test/register").len(), 1);
    let asked = case.person.asked.lock().unwrap().clone();
    assert_eq!(asked, [None, Some("http://127.0.0.1:7777/callback".to_owned())]);
    // Another place needs another registration.
    let mut moved = case.clone();
    moved.person.redirect_uri = "http://127.0.0.1:8888/callback".to_owned();
    moved.parts.browse = Some(std::sync::Arc::new(moved.person.clone()));
    moved.login().await.unwrap();
    assert_eq!(case.play.at("POST https://auth.test/register").len(), 2);
}

#[tokio::test]
async fn a_registration_whose_secret_is_over_is_made_anew() {
    let case = Case::usual();
    let now = 1_800_000_000;
    case.play.nothing_at("https://auth.test/register");
    for (id, end) in [("a", now + 100), ("b", 0)] {
        let body = json!({ "client_id": id, "client_secret": "s", "client_secret_expires_at": end });
        case.play.answer("https://auth.test/register", 201, &body.to_string());
    }
    assert_eq!(case.login().await.unwrap().client.id, "a");
    case.clock.pass(99);
    assert_eq!(case.login().await.unwrap().client.id, "a");
    case.clock.pass(1);
    assert_eq!(case.login().await.unwrap().client.id, "b");
    case.clock.pass(1_000_000_000);
    assert_eq!(case.login().await.unwrap().client.id, "b", "0 is never");
}

#[tokio::test]
async fn a_client_that_was_forgotten_is_registered_once_more() {
    let case = Case::usual();
    case.play.nothing_at("https://auth.test/register");
    case.play.answer("https://auth.test/register", 201, r#"{"client_id":"old"}"#);
    case.play.answer("https://auth.test/register", 201, r#"{"client_id":"new"}"#);
    case.login().await.unwrap();
    let refused = r#"{"error":"invalid_client"}"#;
    case.play.nothing_at("https://auth.test/token");
    case.play.answer("https://auth.test/token", 401, refused);
    case.play.answer("https://auth.test/token", 200, &token("t2").to_string());
    let tokens = case.login().await.unwrap();
    assert_eq!((tokens.client.id.as_str(), tokens.client.source), ("new", Source::Registered));
    assert_eq!(case.play.at("POST https://auth.test/register").len(), 2);

    // And no more than once.
    case.play.nothing_at("https://auth.test/token");
    case.play.answer("https://auth.test/token", 401, refused);
    let error = case.login().await.unwrap_err();
    assert_eq!(error.to_string(), "https://auth.test gives no token: invalid_client");
    assert_eq!(case.play.at("POST https://auth.test/register").len(), 3);

    // A client that is configured is never replaced.
    let mut case = Case::usual();
    case.settings.names.preset = Some(Preset { method: Some(AuthMethod::None), ..preset("mine", None) });
    case.play.nothing_at("https://auth.test/token");
    case.play.answer("https://auth.test/token", 401, refused);
    case.login().await.unwrap_err();
    assert!(case.play.at("POST https://auth.test/register").is_empty());
}
