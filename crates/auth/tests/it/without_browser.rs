//! Logins without a browser of ours: devices, clients, platforms, enterprises.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::driver::{ShowCode, Subject};
use codewhale_mcp_auth::flow::{DeviceCode, Enterprise, Grant, Scopes, SubjectKind};
use codewhale_mcp_redact::Secret;
use serde_json::json;

use crate::play::{Play, issuer, resource, token, with};
use crate::renewed::{answered, prepared};
use crate::world::{Case, preset};

const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";
const PATH: &str = "https://mcp.test/.well-known/oauth-protected-resource/mcp";
const TOKEN: &str = "https://auth.test/token";
const POST_TOKEN: &str = "POST https://auth.test/token";
const DEVICE: &str = "https://auth.test/device";
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/// Looks at what is shown.
#[derive(Debug, Default)]
struct Screen(Mutex<Vec<DeviceCode>>);

#[async_trait]
impl ShowCode for Screen {
    async fn show(&self, code: DeviceCode) {
        self.0.lock().unwrap().push(code);
    }
}

/// Says a word with a number that grows.
#[derive(Debug, Default)]
struct Counted(Mutex<u32>);

#[async_trait]
impl Subject for Counted {
    async fn token(&self, kind: SubjectKind) -> Result<Secret<String>, LoginError> {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        Ok(Secret::new(format!("{} {count}", kind.text())))
    }
}

fn device(answers: &[(u16, &str)]) -> (Case, Arc<Screen>) {
    let play = Play::usual();
    play.document(AUTH, &with(issuer(), json!({ "device_authorization_endpoint": DEVICE })));
    let begun = json!({
        "device_code": "d1", "user_code": "WDJB-MJHT", "verification_uri": "https://auth.test/go",
        "verification_uri_complete": "https://auth.test/go?c=WDJB-MJHT", "expires_in": 900, "interval": 7,
    });
    play.answer(DEVICE, 200, &begun.to_string());
    play.nothing_at(TOKEN);
    for (status, body) in answers {
        play.answer(TOKEN, *status, body);
    }
    let mut case = Case::of(play);
    let screen = Arc::<Screen>::default();
    case.settings.grant = Grant::Device;
    case.parts.browse = None;
    case.parts.show = Some(screen.clone());
    (case, screen)
}

#[tokio::test(start_paused = true)]
async fn a_code_is_shown_and_the_issuer_is_asked_until_it_was_typed_in() {
    let pending = r#"{"error":"authorization_pending"}"#;
    let granted = token("t1").to_string();
    let slower = r#"{"error":"slow_down"}"#;
    let (case, screen) = device(&[(400, pending), (400, slower), (400, pending), (200, &granted)]);
    let begun = tokio::time::Instant::now();
    let tokens = case.login_for(&["Bearer scope=a"]).await.unwrap();
    assert_eq!(tokens.access_token.expose(), "t1");
    assert_eq!(begun.elapsed().as_secs(), 7 + 7 + 12 + 12);
    let shown = screen.0.lock().unwrap()[0].clone();
    assert_eq!(shown.verification_uri.as_str(), "https://auth.test/go");
    assert_eq!((shown.user_code.as_str(), shown.lifetime.as_secs()), ("WDJB-MJHT", 900));
    assert!(!format!("{shown:?}").contains("WDJB"));
    let registered = case.play.at("POST https://auth.test/register")[0].json();
    assert_eq!(registered["grant_types"][0], "urn:ietf:params:oauth:grant-type:device_code");
    assert_eq!(registered.get("redirect_uris"), None);
    let begun = &case.play.at(&format!("POST {DEVICE}"))[0];
    let of = |name: &str| begun.form(name).unwrap();
    assert_eq!([of("client_id"), of("scope"), of("resource")], ["registered", "a", "https://mcp.test/mcp"]);
    let asked = &case.play.at(POST_TOKEN)[0];
    assert_eq!(asked.form("grant_type").as_deref(), Some("urn:ietf:params:oauth:grant-type:device_code"));
    assert_eq!(asked.form("device_code").as_deref(), Some("d1"));
    assert_eq!(asked.form("client_id").as_deref(), Some("registered"));
}

#[tokio::test(start_paused = true)]
async fn a_code_that_nobody_types_in_ends_a_login() {
    for (code, expected) in [
        ("access_denied", "the authorization was declined"),
        ("expired_token", "the login was not finished in time"),
        ("invalid_grant", "https://auth.test gives no token: invalid_grant"),
    ] {
        let (case, _) = device(&[(400, &json!({ "error": code }).to_string())]);
        assert_eq!(case.login().await.unwrap_err().to_string(), expected);
        assert_eq!(case.play.at(POST_TOKEN).len(), 1);
    }
    let (case, _) = device(&[]);
    case.play.nothing_at(DEVICE);
    case.play.answer(DEVICE, 400, r#"{"error":"invalid_scope"}"#);
    assert_eq!(
        case.login().await.unwrap_err().to_string(),
        "https://auth.test gives no token: invalid_scope"
    );
    case.play.document(AUTH, &issuer());
    let error = case.login().await.unwrap_err().to_string();
    assert_eq!(error, "https://auth.test offers no device authorization endpoint");
}

#[tokio::test]
async fn a_client_gets_a_token_of_its_own_and_another_one_near_its_end() {
    let mut case = Case::usual();
    // It needs neither a browser's endpoint nor a proof of who began.
    let none = json!({ "authorization_endpoint": null, "code_challenge_methods_supported": null });
    case.play.document(AUTH, &with(issuer(), none));
    case.play.document(PATH, &with(resource(), json!({ "scopes_supported": ["a", "b"] })));
    case.play.nothing_at(TOKEN);
    for number in 1..9 {
        let body = json!({ "access_token": format!("t{number}"), "expires_in": 3600 });
        case.play.answer(TOKEN, 200, &body.to_string());
    }
    case.settings.grant = Grant::Client;
    assert!(matches!(case.login().await.unwrap_err(), LoginError::NoClient { .. }));
    case.settings.names.preset = Some(preset("i", Some("s")));
    let authorizer = case.alone().authorizer();
    let (value, sent) = prepared(&authorizer).await;
    assert_eq!(value, None);
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "another token");
    let asked = &case.play.at(POST_TOKEN)[0];
    assert_eq!(asked.header("authorization"), Some("Basic aTpz"));
    for (name, value) in [
        ("grant_type", Some("client_credentials")),
        ("scope", Some("a b")),
        ("resource", Some("https://mcp.test/mcp")),
        ("client_id", None),
    ] {
        assert_eq!(asked.form(name).as_deref(), value, "{name}");
    }
    case.clock.pass(3541);
    let (value, sent) = prepared(&authorizer).await;
    assert_eq!(value.as_deref(), Some("Bearer t2"));
    assert_eq!(answered(&authorizer, sent, 200, "").await, "done");
    assert_eq!(answered(&authorizer, sent, 401, "Bearer").await, "another token");
    assert_eq!(prepared(&authorizer).await.0.as_deref(), Some("Bearer t3"));
    assert!(case.person.visits.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_platform_says_who_we_are_anew_each_time_and_a_refusal_is_final() {
    let mut case = Case::usual();
    case.settings.grant = Grant::Workload;
    case.parts.subject = Some(Arc::new(Counted::default()));
    for number in 1..3 {
        case.login().await.unwrap();
        let asked = case.play.at(POST_TOKEN).pop().unwrap();
        for (name, value) in [
            ("grant_type", Some(JWT_BEARER)),
            ("assertion", Some(&*format!("token of the platform {number}"))),
            ("resource", Some("https://mcp.test/mcp")),
            ("client_id", None),
            ("client_secret", None),
        ] {
            assert_eq!(asked.form(name).as_deref(), value, "{name}");
        }
    }
    assert!(case.play.at("POST https://auth.test/register").is_empty());
    for code in ["invalid_grant", "invalid_scope", "unauthorized_client"] {
        case.play.nothing_at(TOKEN);
        case.play.answer(
            TOKEN,
            400,
            &json!({ "error": code, "error_description": "token of the platform" }).to_string(),
        );
        let before = case.play.at(POST_TOKEN).len();
        case.login().await.unwrap_err();
        assert_eq!(case.play.at(POST_TOKEN).len(), before + 1, "{code}");
    }
    case.parts.subject = None;
    let error = case.login().await.unwrap_err();
    assert_eq!(error.to_string(), "no token of the platform to show: none is configured");
}

#[tokio::test]
async fn an_enterprise_vouches_for_a_person() {
    let idp = "https://idp.test/token";
    let mut case = Case::usual();
    let assertion = json!({
        "access_token": "id-jag-1", "token_type": "N_A", "expires_in": 300,
        "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
    });
    case.play.answer(idp, 200, &assertion.to_string());
    case.settings.scopes = Some(Scopes::read("a"));
    case.settings.names.preset = Some(preset("i", Some("s")));
    case.settings.grant = Grant::Enterprise(Box::new(Enterprise {
        token_endpoint: idp.to_owned(),
        client: preset("sso", None),
        subject: SubjectKind::IdToken,
    }));
    case.parts.subject = Some(Arc::new(Counted::default()));
    case.login().await.unwrap();
    let asked = &case.play.at(&format!("POST {idp}"))[0];
    for (name, value) in [
        ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
        ("requested_token_type", "urn:ietf:params:oauth:token-type:id-jag"),
        ("subject_token", "ID token 1"),
        ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token"),
        ("audience", "https://auth.test"),
        ("resource", "https://mcp.test/mcp"),
        ("scope", "a"),
        ("client_id", "sso"),
    ] {
        assert_eq!(asked.form(name).as_deref(), Some(value), "{name}");
    }
    let asked = &case.play.at(POST_TOKEN)[0];
    assert_eq!(asked.header("authorization"), Some("Basic aTpz"));
    let of = |name: &str| asked.form(name).unwrap();
    assert_eq!([of("grant_type"), of("assertion"), of("scope")], [JWT_BEARER, "id-jag-1", "a"]);
    // What is not such an assertion is shown to nobody.
    for other in [json!({ "issued_token_type": "urn:ietf:params:oauth:token-type:access_token" })] {
        case.play.document(idp, &with(assertion.clone(), other));
        case.login().await.unwrap_err();
        assert_eq!(case.play.at(POST_TOKEN).len(), 1);
    }
    // Who the client is there may be said by a document as well.
    case.settings.names.preset = None;
    case.settings.names.client_document = Some("https://client.test/m.json".to_owned());
    case.play.document(AUTH, &with(issuer(), json!({ "client_id_metadata_document_supported": true })));
    case.play.document(idp, &assertion);
    case.login().await.unwrap();
    let asked = case.play.at(POST_TOKEN).pop().unwrap();
    assert_eq!(asked.form("client_id").as_deref(), Some("https://client.test/m.json"));
}
