//! The authorization server, and the server that wants its tokens.

use super::client::POST;
use super::peer::{Answer, request};
use codewhale_testkit::HttpFake;

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const BACK: &str = "http://127.0.0.1:7/cb";

fn post(fake: &HttpFake, path: &str, body: &str) -> Answer {
    request(fake.port(), &format!("POST {path}"), &[], body)
}

fn get(fake: &HttpFake, path: &str) -> Answer {
    request(fake.port(), &format!("GET {path}"), &[], "")
}

/// Goes to the authorization server, as this client; where it is sent back to.
fn authorize(fake: &HttpFake, client: &str, scope: &str) -> Option<String> {
    let more =
        format!("client_id={client}&scope={scope}&redirect_uri={BACK}&code_challenge={CHALLENGE}&resource=r");
    get(fake, &format!("/authorize?state=s+1&{more}")).header("location").map(str::to_owned)
}

fn register(fake: &HttpFake) -> String {
    let answer = post(fake, "/register", &format!(r#"{{"redirect_uris":["{BACK}"]}}"#));
    assert_eq!(answer.status, 201);
    answer.json()["client_id"].as_str().unwrap().to_owned()
}

fn token(fake: &HttpFake, form: &str) -> Answer {
    post(fake, "/token", form)
}

/// Registers, authorizes and gets tokens: the client and the answer.
fn login(fake: &HttpFake, scope: &str) -> (String, Answer) {
    let client = register(fake);
    let back = authorize(fake, &client, scope).unwrap();
    let code = back.split(['?', '&']).find_map(|pair| pair.strip_prefix("code=")).unwrap();
    let form = format!(
        "grant_type=authorization_code&code={code}&client_id={client}&redirect_uri={BACK}&resource=r"
    );
    assert_eq!(token(fake, &format!("{form}&code_verifier=wrong")).status, 400, "a code is good for one try");
    let back = authorize(fake, &client, scope).unwrap();
    let code = back.split(['?', '&']).find_map(|pair| pair.strip_prefix("code=")).unwrap();
    let form = format!(
        "grant_type=authorization_code&code={code}&client_id={client}&redirect_uri={BACK}&resource=r"
    );
    (client, token(fake, &format!("{form}&code_verifier={VERIFIER}")))
}

fn text<'a>(answer: &'a serde_json::Value, name: &str) -> &'a str {
    answer[name].as_str().unwrap_or_else(|| panic!("{name}: {answer}"))
}

/// A call with a token: the status and the challenge.
fn call(fake: &HttpFake, access: &str, method: &str) -> (u16, String) {
    let authorization = format!("Bearer {access}");
    let headers = [POST[0], POST[1], ("Authorization", authorization.as_str())];
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{}}}}"#);
    let answer = request(fake.port(), "POST /mcp", &headers, &body);
    (answer.status, answer.header("www-authenticate").unwrap_or_default().to_owned())
}

fn again(fake: &HttpFake, client: &str, refresh: &str) -> Answer {
    token(fake, &format!("grant_type=refresh_token&refresh_token={refresh}&client_id={client}"))
}

#[test]
fn documents_say_where_to_go() {
    let fake = HttpFake::start("oauth --device yes");
    let (status, challenge) = call(&fake, "none", "ping");
    assert_eq!(status, 401);
    let place = challenge.split('"').nth(1).unwrap().strip_prefix(&fake.url_of("")).unwrap().to_owned();
    let resource = get(&fake, &place).json();
    assert_eq!(resource["resource"], fake.url());
    let issuer = get(&fake, "/.well-known/oauth-authorization-server").json();
    assert_eq!(issuer["issuer"], resource["authorization_servers"][0]);
    for endpoint in ["registration_endpoint", "device_authorization_endpoint", "revocation_endpoint"] {
        assert!(issuer[endpoint].is_string(), "{endpoint}");
    }
    let bare = HttpFake::start("oauth --register no --revocation no --metadata no");
    assert_eq!((get(&bare, &place).status, post(&bare, "/register", "{}").status), (404, 404));
    assert!(!call(&bare, "none", "ping").1.contains("resource_metadata"));
    let issuer = get(&bare, "/.well-known/oauth-authorization-server").json();
    for endpoint in ["registration_endpoint", "device_authorization_endpoint", "revocation_endpoint"] {
        assert!(issuer[endpoint].is_null(), "{endpoint}");
    }
}

#[test]
fn whoever_proves_to_have_begun_gets_tokens() {
    let fake = HttpFake::start("oauth --expires 60 --scope a --uses 1");
    assert!(call(&fake, "none", "ping").1.contains(r#"scope="a""#));
    let (_, answer) = login(&fake, "a%20b");
    let tokens = answer.json();
    assert_eq!((answer.status, &tokens["expires_in"], text(&tokens, "scope")), (200, &60.into(), "a b"));
    assert_ne!(call(&fake, text(&tokens, "access_token"), "ping").0, 401);
    assert_eq!(call(&fake, text(&tokens, "access_token"), "ping").0, 401, "it was good for one request");
    let back = authorize(&fake, "client-1", "a").unwrap();
    assert!(
        back.starts_with(BACK) && back.contains("state=s%201") && back.contains("&iss=http%3A%2F%2F"),
        "{back}"
    );
    assert_eq!(authorize(&fake, "nobody", "a"), None);
    assert!(
        authorize(&HttpFake::start("oauth --declines yes --client x"), "x", "a")
            .unwrap()
            .contains("error=access_denied")
    );
    assert!(HttpFake::start("oauth --refresh no").requests().is_empty());
    let (_, answer) = login(&HttpFake::start("oauth --refresh no"), "");
    assert!(answer.json()["refresh_token"].is_null());
}

#[test]
fn a_refresh_token_is_spent_once() {
    let fake = HttpFake::start("oauth --reuse grace");
    let (client, first) = login(&fake, "");
    let refresh = text(&first.json(), "refresh_token").to_owned();
    let second = again(&fake, &client, &refresh).json();
    assert_eq!(again(&fake, &client, &refresh).json(), second, "the answer may have been lost");
    assert_eq!(again(&fake, "another", text(&second, "refresh_token")).status, 400);
    assert_ne!(call(&fake, text(&second, "access_token"), "ping").0, 401);
    assert_eq!(again(&fake, &client, &refresh).status, 400, "the answer came");
    assert_eq!(call(&fake, text(&second, "access_token"), "ping").0, 401, "whoever comes twice loses all");
    let fake = HttpFake::start("oauth --reuse revoke");
    let (client, first) = login(&fake, "");
    let refresh = text(&first.json(), "refresh_token").to_owned();
    let second = again(&fake, &client, &refresh).json();
    assert_eq!(again(&fake, &client, &refresh).status, 400);
    assert_eq!(call(&fake, text(&second, "access_token"), "ping").0, 401);
}

#[test]
fn a_tool_may_need_another_scope_and_a_token_may_be_revoked() {
    let fake = HttpFake::start("oauth --needs write --at ping");
    let (_, answer) = login(&fake, "read");
    let tokens = answer.json();
    let access = text(&tokens, "access_token");
    let (status, challenge) = call(&fake, access, "ping");
    assert_eq!(status, 403);
    assert!(challenge.contains(r#"error="insufficient_scope", scope="write""#), "{challenge}");
    assert_ne!(call(&fake, access, "tools/list").0, 403);
    assert_eq!(post(&fake, "/revoke", &format!("token={access}")).status, 200);
    assert_eq!(call(&fake, access, "tools/list").0, 401);
}

#[test]
fn a_device_is_let_in_after_a_while() {
    let fake = HttpFake::start("oauth --device yes --pending 1");
    let client = register(&fake);
    assert_eq!(post(&fake, "/device", "client_id=nobody").status, 400);
    let code = post(&fake, "/device", &format!("client_id={client}&scope=a")).json();
    let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code";
    let ask = || {
        token(
            &fake,
            &format!("grant_type={grant}&client_id={client}&device_code={}", text(&code, "device_code")),
        )
    };
    assert_eq!(ask().json()["error"], "authorization_pending");
    assert_eq!(text(&ask().json(), "scope"), "a");
    assert_eq!(ask().json()["error"], "invalid_grant");
}

#[test]
fn what_it_says_may_lead_astray() {
    let resource = "/.well-known/oauth-protected-resource/mcp";
    let issuer = "/.well-known/oauth-authorization-server";
    let fake = HttpFake::start(
        "oauth --told file:///x --says token_endpoint=javascript:1 --resource-says authorization_servers=x --padding 9999",
    );
    assert!(call(&fake, "none", "tools/list").1.contains(r#"resource_metadata="file:///x""#));
    assert_eq!(text(&get(&fake, issuer).json(), "token_endpoint"), "javascript:1");
    let document = get(&fake, resource).json();
    assert_eq!(document["authorization_servers"], serde_json::json!(["x"]));
    assert_eq!(text(&document, "padding").len(), 9999);
    let fake = HttpFake::start("oauth --loops yes");
    let answer = get(&fake, resource);
    assert_eq!(
        (answer.status, answer.header("location").map(|to| to.ends_with("?again"))),
        (302, Some(true))
    );
    let fake = HttpFake::start("oauth --iss http://other --error <b>");
    let back = authorize(&fake, &register(&fake), "a").unwrap();
    assert_eq!(
        back,
        format!("{BACK}?error=server_error&error_description=%3Cb%3E&state=s%201&iss=http%3A%2F%2Fother")
    );
    let fake = HttpFake::start("oauth --iss none");
    assert!(!authorize(&fake, &register(&fake), "a").unwrap().contains("iss="));
    let fake = HttpFake::start("oauth --also x=1&x=2 --twice scope --withholds b");
    assert!(authorize(&fake, &register(&fake), "a").unwrap().ends_with("&x=1&x=2"));
    let given = login(&fake, "a%20b").1.body;
    assert_eq!(given.matches(r#""scope":"a""#).count(), 2, "{given}");
}
