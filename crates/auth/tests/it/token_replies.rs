//! What token endpoints are sent and what they answer.

use std::error::Error;
use std::time::{Duration, UNIX_EPOCH};

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::flow::Tokens;
use codewhale_mcp_auth::registration::{AuthMethod, Preset};
use codewhale_mcp_auth::token::Kind;
use serde_json::{Value, json};

use crate::play::{issuer, token, with};
use crate::world::{Case, preset};

const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";
const TOKEN: &str = "https://auth.test/token";

/// What was sent to the token endpoint, in words: the method and what it says, by request.
async fn said(preset: Option<Preset>, registered: Value, methods: Value, refusals: usize) -> Vec<String> {
    let mut case = Case::usual();
    case.settings.names.preset = preset;
    let listed = json!({ "token_endpoint_auth_methods_supported": methods });
    case.play.document(AUTH, &with(issuer(), listed));
    case.play.nothing_at("https://auth.test/register");
    case.play.answer("https://auth.test/register", 201, &registered.to_string());
    case.play.nothing_at(TOKEN);
    for _ in 0..refusals {
        case.play.answer(TOKEN, 401, r#"{"error":"invalid_client"}"#);
    }
    case.play.answer(TOKEN, 200, &token("t1").to_string());
    case.login().await.unwrap();
    let words = |seen: &crate::play::Seen| {
        let header = seen.header("authorization");
        let (id, secret) = (seen.form("client_id"), seen.form("client_secret"));
        match (header, id, secret) {
            (Some(header), None, None) => header.to_owned(),
            (Some(header), Some(id), None) => format!("{header} and {id}"),
            (None, Some(id), Some(secret)) => format!("post {id} {secret}"),
            (None, Some(id), None) => format!("none {id}"),
            other => panic!("not in one way: {other:?}"),
        }
    };
    case.play.at(&format!("POST {TOKEN}")).iter().map(words).collect()
}

#[tokio::test]
async fn a_client_says_who_it_is_in_exactly_one_way() {
    // base64 of `i:s`
    let basic = "Basic aTpz";
    let secret = json!({ "client_id": "i", "client_secret": "s" });
    let told = |method: &str| with(secret.clone(), json!({ "token_endpoint_auth_method": method }));
    let all = json!(["client_secret_basic", "client_secret_post", "none"]);
    let configured = || Some(preset("i", Some("s")));
    for (preset, registered, methods, expected) in [
        (None, json!({ "client_id": "i" }), all.clone(), "none i"),
        (None, json!({ "client_id": "i" }), json!(null), "none i"),
        (None, secret.clone(), all.clone(), basic),
        (None, secret.clone(), json!(null), basic),
        (None, secret.clone(), json!(["client_secret_post"]), "post i s"),
        (None, told("client_secret_post"), all.clone(), "post i s"),
        (None, told("client_secret_basic"), json!(["client_secret_post"]), basic),
        (None, told("none"), all.clone(), "none i"),
        (configured(), json!({}), all.clone(), basic),
        (configured(), json!({}), json!(["client_secret_post"]), "post i s"),
        (
            Some(Preset { method: Some(AuthMethod::Post), ..preset("i", Some("s")) }),
            json!({}),
            all,
            "post i s",
        ),
        (Some(preset("i", None)), json!({}), json!(null), "none i"),
    ] {
        assert_eq!(
            said(preset, registered.clone(), methods.clone(), 0).await,
            [expected],
            "{registered} {methods}"
        );
    }
    // Each part is encoded as a form's is, before they are put together.
    let odd = Some(preset("a b", Some("a:b%c+d e")));
    // base64 of `a+b:a%3Ab%25c%2Bd+e`
    assert_eq!(said(odd, json!({}), json!(null), 0).await, ["Basic YStiOmElM0FiJTI1YyUyQmQrZQ=="]);
}

#[tokio::test]
async fn a_secret_is_sent_the_other_way_once_where_the_first_was_a_guess() {
    let basic = "Basic aTpz";
    let secret = json!({ "client_id": "i", "client_secret": "s" });
    assert_eq!(said(None, secret, json!(["client_secret_basic"]), 1).await, [basic, "post i s"]);
    let configured = Some(preset("i", Some("s")));
    assert_eq!(said(configured, json!({}), json!(null), 1).await, [basic, "post i s"]);
}

#[tokio::test]
async fn a_server_that_does_not_know_the_client_by_its_header_is_told_the_id_in_the_form_too() {
    let registered = json!({ "client_id": "i", "client_secret": "s", "token_endpoint_auth_method": "client_secret_basic" });
    let sent = said(None, registered, json!(["client_secret_basic"]), 1).await;
    assert_eq!(sent, ["Basic aTpz", "Basic aTpz and i"]);
}

/// A login whose token endpoint answers so.
async fn answered(status: u16, kind: &'static str, body: &str) -> Result<Tokens, LoginError> {
    let case = Case::usual();
    case.play.nothing_at(TOKEN);
    case.play.answer_as(TOKEN, status, kind, body);
    case.login().await
}

#[tokio::test]
async fn a_token_is_read_in_every_form_in_which_it_comes() {
    let now = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let json = "application/json";
    let form = "application/x-www-form-urlencoded; charset=utf-8";
    for (kind, body, lifetime) in [
        (json, r#"{"access_token":"t","token_type":"Bearer","expires_in":5250}"#, Some(5250.0)),
        (json, r#"{"access_token":"t","token_type":"bearer","expires_in":"5250"}"#, Some(5250.0)),
        (json, r#"{"access_token":"t","token_type":"BEARER","expires_in":5250.5}"#, Some(5250.5)),
        (json, r#"{"access_token":"t"}"#, None),
        (json, r#"{"access_token":"t","expires_in":null,"unknown":[1]}"#, None),
        (json, r#"{"access_token":"t","expires_in":0}"#, None),
        (json, r#"{"access_token":"t","expires_in":-5}"#, None),
        (json, r#"{"access_token":"t","expires_in":"soon"}"#, None),
        (json, r#"{"access_token":"t","expires_in":1e300}"#, Some(315_360_000.0)),
        ("text/plain", r#"{"access_token":"t"}"#, None),
        (form, "access_token=t&token_type=bearer&expires_in=60", Some(60.0)),
    ] {
        let tokens = answered(200, kind, body).await.unwrap();
        assert_eq!((tokens.access_token.expose().as_str(), tokens.kind), ("t", Kind::Bearer), "{body}");
        assert_eq!(
            tokens.expires_at,
            lifetime.map(|seconds| now + Duration::from_secs_f64(seconds)),
            "{body}"
        );
        assert_eq!(tokens.refresh_token, None);
    }
    let tokens =
        answered(200, json, r#"{"access_token":"t","refresh_token":"r","scope":"a b"}"#).await.unwrap();
    assert_eq!(tokens.refresh_token.unwrap().expose(), "r");
    assert_eq!(tokens.granted.to_string(), "a b");
}

#[tokio::test]
async fn what_is_no_token_says_why_and_shows_nothing_of_it() {
    let json = "application/json";
    for (status, kind, body, expected) in [
        (
            200,
            json,
            r#"{"accessToken":"at-SECRET"}"#,
            "the answer of https://auth.test is no token: it lacks `access_token`",
        ),
        (
            200,
            json,
            r#"{"access_token":["at-SECRET"]}"#,
            "the answer of https://auth.test is no token: it lacks `access_token`",
        ),
        (
            200,
            json,
            r#"{"access_token":"t","access_token":"at-SECRET"}"#,
            "the answer of https://auth.test is no token: a member is there twice",
        ),
        (
            200,
            json,
            r#"{"access_token":"at-SECRET","more":{"a":1,"\u0061":2}}"#,
            "the answer of https://auth.test is no token: a member is there twice",
        ),
        (
            200,
            "application/x-www-form-urlencoded",
            "access_token=t&token_type=bearer&access_token=at-SECRET",
            "the answer of https://auth.test is no token: a member is there twice",
        ),
        (
            200,
            json,
            r#""at-SECRET""#,
            "the answer of https://auth.test is no token: it is neither JSON nor a form",
        ),
        (
            200,
            "text/html",
            "<p>at-SECRET",
            "the answer of https://auth.test is no token: it is neither JSON nor a form",
        ),
        (
            200,
            json,
            r#"{"access_token":"at-SECRET","token_type":"mac"}"#,
            "the answer of https://auth.test is no token: its token is of a type that is not known",
        ),
        (
            200,
            json,
            r#"{"access_token":"at-SECRET","token_type":"DPoP"}"#,
            "the answer of https://auth.test is no token: its token is bound to a key that is not ours",
        ),
        (
            200,
            json,
            r#"{"access_token":"at-SECRET","token_type":"N_A"}"#,
            "the answer of https://auth.test is no token: its token is not for a server",
        ),
        (
            200,
            json,
            "{\"access_token\":\"at-SECRET\\r\\nX: y\"}",
            "the answer of https://auth.test is no token: its token cannot be sent in a header",
        ),
        (200, json, r#"{"error":"bad_client"}"#, "https://auth.test gives no token: bad_client"),
        (
            400,
            json,
            r#"{"error":"invalid_scope","error_description":"no b"}"#,
            "https://auth.test gives no token: invalid_scope (no b)",
        ),
        (500, "text/html", "<p>at-SECRET", "https://auth.test gives no token: status 500"),
        (500, json, r#"{"access_token":"at-SECRET"}"#, "https://auth.test gives no token: status 500"),
        (
            400,
            "application/x-www-form-urlencoded",
            "error=invalid_target",
            "https://auth.test gives no token: invalid_target",
        ),
    ] {
        let error = answered(status, kind, body).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!format!("{error:?} {:?}", error.source()).contains("SECRET"));
    }
}

#[tokio::test]
async fn an_error_that_repeats_what_was_sent_is_shown_without_it() {
    let mut case = Case::usual();
    case.settings.names.preset = Some(preset("mine", Some("hunter2-hunter2")));
    case.person.answer = "code=code-4711-code&state={state}".to_owned();
    case.parts.browse = Some(std::sync::Arc::new(case.person.clone()));
    case.play.nothing_at(TOKEN);
    let body = r#"{"error":"invalid_grant","error_description":"code-4711-code of hunter2-hunter2\u001b[2J is used"}"#;
    case.play.answer(TOKEN, 400, body);
    let error = case.login().await.unwrap_err().to_string();
    assert_eq!(
        error,
        "https://auth.test gives no token: invalid_grant (REDACTED of REDACTED\\u{1b}[2J is used)"
    );
}
