//! What is signed: who a client is, and that we have a key.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::flow::{Binding, Grant};
use codewhale_mcp_auth::registration::Preset;
use codewhale_mcp_auth::token::{Kind, SigningKey};
use codewhale_mcp_net::Authorizer as _;
use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    UnparsedPublicKey,
};
use serde_json::{Value, json};

use crate::play::{issuer, resource, server, with};
use crate::renewed::{answered, prepared};
use crate::world::{Case, preset};

const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";
const TOKEN: &str = "https://auth.test/token";
const POST_TOKEN: &str = "POST https://auth.test/token";

fn pem(pkcs8: &[u8]) -> Secret<String> {
    let body = STANDARD.encode(pkcs8);
    Secret::new(format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"))
}

/// Header and claims of a JWT that this key signed.
fn opened(jwt: &str, public: &[u8]) -> (Value, Value) {
    let (message, signature) = jwt.rsplit_once('.').unwrap();
    let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public).verify(message.as_bytes(), &signature).unwrap();
    let (header, claims) = message.split_once('.').unwrap();
    let read = |part: &str| serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap();
    (read(header), read(claims))
}

#[tokio::test]
async fn a_client_signs_who_it_is() {
    let random = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random).unwrap();
    let key = SigningKey::of_pem(&pem(pkcs8.as_ref())).unwrap().with_id("k1".to_owned());
    let mut case = Case::usual();
    case.settings.grant = Grant::Client;
    case.settings.names.preset = Some(Preset { key: Some(Arc::new(key)), ..preset("mine", None) });
    case.login().await.unwrap();
    case.login().await.unwrap();
    let asked = case.play.at(POST_TOKEN);
    assert_eq!((asked[0].form("client_id"), asked[0].header("authorization")), (None, None));
    let kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    assert_eq!(asked[0].form("client_assertion_type").as_deref(), Some(kind));
    let open =
        |number: usize| opened(&asked[number].form("client_assertion").unwrap(), pair.public_key().as_ref());
    let (header, claims) = open(0);
    assert_eq!(header, json!({ "alg": "ES256", "typ": "JWT", "kid": "k1" }));
    let now = 1_800_000_000;
    let expected = json!({
        "iss": "mine", "sub": "mine", "aud": "https://auth.test", "iat": now, "exp": now + 60, "jti": claims["jti"],
    });
    assert_eq!(claims, expected);
    assert_ne!(claims["jti"], open(1).1["jti"]);
    // Some want it to be for the token endpoint.
    case.settings.names.preset.as_mut().unwrap().audience = Some(TOKEN.to_owned());
    case.login().await.unwrap();
    let asked = case.play.at(POST_TOKEN);
    let jwt = asked[2].form("client_assertion").unwrap();
    assert_eq!(opened(&jwt, pair.public_key().as_ref()).1["aud"], TOKEN);
}

#[test]
fn keys_of_several_kinds_are_read_and_none_is_shown() {
    let random = SystemRandom::new();
    let ed25519 = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
    let key = SigningKey::of_pem(&pem(ed25519.as_ref())).unwrap();
    assert_eq!(key.algorithm(), "EdDSA");
    assert_eq!(format!("{key:?}"), "SigningKey { algorithm: \"EdDSA\", .. }");
    for (text, expected) in [
        ("hunter2", "its key is no PKCS #8 key in PEM (`BEGIN PRIVATE KEY`)"),
        (
            "-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----",
            "its key is no PKCS #8 key in PEM (`BEGIN PRIVATE KEY`)",
        ),
        ("-----BEGIN PRIVATE KEY-----\n?hunter2\n-----END PRIVATE KEY-----", "its key is no base64"),
        (
            "-----BEGIN PRIVATE KEY-----\naGk=\n-----END PRIVATE KEY-----",
            "its key is of none of P-256, P-384, Ed25519 and RSA (2048 bits and more)",
        ),
    ] {
        let error = SigningKey::of_pem(&Secret::new(text.to_owned())).unwrap_err();
        assert_eq!(error, LoginError::Client { reason: expected.to_owned() });
    }
}

/// A proof's key, header and claims.
fn proof(text: &str) -> (Vec<u8>, Value) {
    let header: Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text.split('.').next().unwrap()).unwrap()).unwrap();
    let jwk = &header["jwk"];
    let part = |name: &str| URL_SAFE_NO_PAD.decode(jwk[name].as_str().unwrap()).unwrap();
    let public = [vec![4], part("x"), part("y")].concat();
    let expected = json!({
        "typ": "dpop+jwt", "alg": "ES256",
        "jwk": { "kty": "EC", "crv": "P-256", "x": jwk["x"], "y": jwk["y"] },
    });
    assert_eq!(header, expected, "nothing of the private key");
    let claims = opened(text, &public).1;
    (public, claims)
}

fn bound(kind: &str) -> Case {
    let mut case = Case::usual();
    case.play
        .document(AUTH, &with(issuer(), json!({ "dpop_signing_alg_values_supported": ["RS256", "ES256"] })));
    case.play.nothing_at(TOKEN);
    let token =
        json!({ "access_token": "t1", "token_type": kind, "expires_in": 3600, "refresh_token": "r1" });
    case.play.answer(TOKEN, 200, &token.to_string());
    case.settings.binding = Binding::WhereOffered;
    case
}

#[tokio::test]
async fn a_bound_token_is_shown_with_a_fresh_proof_each_time() {
    let case = bound("DPoP");
    case.login().await.unwrap();
    let (key, claims) = proof(case.play.at(POST_TOKEN)[0].header("dpop").unwrap());
    let now = 1_800_000_000;
    assert_eq!(claims, json!({ "htm": "POST", "htu": TOKEN, "iat": now, "jti": claims["jti"] }));

    // Another process knows the key, since it is kept with the token.
    let authorizer = case.alone().authorizer();
    let mut seen = vec![claims["jti"].clone()];
    for method in [Method::POST, Method::GET, Method::DELETE] {
        let mut headers = HeaderMap::new();
        let url = "https://mcp.test/mcp?a=1".parse().unwrap();
        authorizer.prepare(&method, &url, &mut headers).await.unwrap();
        assert_eq!(headers["authorization"], "DPoP t1");
        let (same, claims) = proof(headers["dpop"].to_str().unwrap());
        assert_eq!(same, key);
        let hash = URL_SAFE_NO_PAD.encode(digest(&SHA256, b"t1"));
        let expected = json!({
            "htm": method.as_str(), "htu": "https://mcp.test/mcp", "iat": now, "ath": hash, "jti": claims["jti"],
        });
        assert_eq!(claims, expected);
        assert!(!seen.contains(&claims["jti"]));
        seen.push(claims["jti"].clone());
    }
    // A refresh proves it, too.
    case.clock.pass(3599);
    prepared(&authorizer).await;
    assert_eq!(proof(case.play.at(POST_TOKEN)[1].header("dpop").unwrap()).0, key);
}

#[tokio::test]
async fn a_nonce_is_taken_up_at_both_ends_and_asked_for_once() {
    let case = bound("DPoP");
    case.play.nothing_at(TOKEN);
    let wanted = r#"{"error":"use_dpop_nonce"}"#;
    case.play.answer(TOKEN, 400, wanted);
    let token = json!({ "access_token": "t1", "token_type": "DPoP" });
    case.play.answer(TOKEN, 200, &token.to_string());
    case.play.header(TOKEN, "dpop-nonce", "n1");
    case.login().await.unwrap();
    let asked = case.play.at(POST_TOKEN);
    let nonce = |number: usize| proof(asked[number].header("dpop").unwrap()).1["nonce"].clone();
    assert_eq!((nonce(0), nonce(1)), (Value::Null, json!("n1")));

    let authorizer = case.alone().authorizer();
    let shown = async || {
        let mut headers = HeaderMap::new();
        let sent = authorizer.prepare(&Method::POST, &server(), &mut headers).await.unwrap();
        (sent, proof(headers["dpop"].to_str().unwrap()).1["nonce"].clone())
    };
    let (sent, nonce) = shown().await;
    assert_eq!(nonce, Value::Null, "each origin has nonces of its own");
    let mut headers = HeaderMap::new();
    headers.insert("dpop-nonce", HeaderValue::from_static("s1"));
    headers.insert("www-authenticate", HeaderValue::from_static("DPoP error=\"use_dpop_nonce\""));
    let verdict = authorizer.received(sent, &server(), StatusCode::UNAUTHORIZED, &headers).await;
    assert_eq!(format!("{verdict:?}"), "Retry(Nonce)");
    assert_eq!(shown().await.1, "s1");
    // The next one comes with any answer.
    headers.remove("www-authenticate");
    headers.insert("dpop-nonce", HeaderValue::from_static("s2"));
    authorizer.received(sent, &server(), StatusCode::OK, &headers).await;
    assert_eq!(shown().await.1, "s2");
    // One that is asked for without being named is none.
    assert_eq!(
        answered(&authorizer, sent, 401, "DPoP error=\"use_dpop_nonce\"").await,
        "login: DPoP error=\"use_dpop_nonce\""
    );

    let case = bound("DPoP");
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 400, wanted);
    case.play.header(TOKEN, "dpop-nonce", "n1");
    case.login().await.unwrap_err();
    assert_eq!(case.play.at(POST_TOKEN).len(), 2);
}

#[tokio::test]
async fn a_clock_that_is_off_is_made_up_for() {
    // An hour ahead of ours.
    let there = "Fri, 15 Jan 2027 09:00:00 GMT";
    let case = bound("DPoP");
    case.play.nothing_at(TOKEN);
    case.play.answer(TOKEN, 400, r#"{"error":"invalid_dpop_proof"}"#);
    case.play.answer(TOKEN, 200, r#"{"access_token":"t1","token_type":"DPoP"}"#);
    case.play.header(TOKEN, "date", there);
    case.login().await.unwrap();
    let asked = case.play.at(POST_TOKEN);
    let made_at = |number: usize| proof(asked[number].header("dpop").unwrap()).1["iat"].as_u64().unwrap();
    assert_eq!((made_at(0), made_at(1)), (1_800_000_000, 1_800_003_600));

    let authorizer = case.alone().authorizer();
    let (_, sent) = prepared(&authorizer).await;
    let mut headers = HeaderMap::new();
    headers.insert("date", HeaderValue::from_static("Fri, 15 Jan 2027 07:00:00 GMT"));
    headers.insert("www-authenticate", HeaderValue::from_static("DPoP error=\"invalid_dpop_proof\""));
    let verdict = authorizer.received(sent, &server(), StatusCode::UNAUTHORIZED, &headers).await;
    assert_eq!(format!("{verdict:?}"), "Retry(Nonce)");
    let mut shown = HeaderMap::new();
    authorizer.prepare(&Method::POST, &server(), &mut shown).await.unwrap();
    assert_eq!(proof(shown["dpop"].to_str().unwrap()).1["iat"], 1_799_996_400);
    // A proof that is no good at the right time is none.
    let verdict = authorizer.received(sent, &server(), StatusCode::UNAUTHORIZED, &headers).await;
    assert_eq!(format!("{verdict:?}"), "NeedsLogin");
}

#[tokio::test]
async fn tokens_are_bound_where_that_is_wanted_and_possible() {
    let path = "https://mcp.test/.well-known/oauth-protected-resource/mcp";
    let required = with(resource(), json!({ "dpop_bound_access_tokens_required": true }));
    for (binding, is_required, algorithms, expected) in [
        (Binding::WhereAsked, false, json!(["ES256"]), Some(false)),
        (Binding::WhereAsked, true, json!(["ES256"]), Some(true)),
        (Binding::WhereAsked, true, json!(null), Some(true)),
        (Binding::WhereAsked, true, json!(["RS256"]), None),
        (Binding::WhereOffered, false, json!(["ES256"]), Some(true)),
        (Binding::WhereOffered, false, json!(["RS256"]), Some(false)),
        (Binding::WhereOffered, false, json!(null), Some(false)),
        (Binding::Never, true, json!(["ES256"]), Some(false)),
    ] {
        let mut case = bound("Bearer");
        case.settings.binding = binding;
        case.play.document(AUTH, &with(issuer(), json!({ "dpop_signing_alg_values_supported": algorithms })));
        if is_required {
            case.play.document(path, &required);
        }
        let login = case.login().await;
        let proved = case.play.at(POST_TOKEN).first().map(|seen| seen.header("dpop").is_some());
        assert_eq!(proved, expected, "{binding:?} {is_required} {algorithms}");
        // A token that is not bound all the same is an ordinary one.
        assert_eq!(
            login.map(|tokens| (tokens.kind, tokens.key.is_none())).ok(),
            expected.map(|_| (Kind::Bearer, true))
        );
    }
}
