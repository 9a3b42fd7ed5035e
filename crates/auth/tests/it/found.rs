//! Who authorizes for a server.

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::discovery::Fallback;
use serde_json::{Value, json};

use crate::play::{Play, issuer, resource, with};
use crate::world::Case;

const PATH: &str = "https://mcp.test/.well-known/oauth-protected-resource/mcp";
const ROOT: &str = "https://mcp.test/.well-known/oauth-protected-resource";
const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";

#[tokio::test]
async fn documents_are_looked_for_in_their_order() {
    let case = Case::usual();
    case.login().await.unwrap();
    let lines = case.play.lines();
    assert_eq!(lines[..2], [format!("GET {PATH}"), format!("GET {AUTH}")]);
    let get = &case.play.seen()[0];
    assert_eq!((get.header("accept"), get.header("authorization")), (Some("application/json"), None));

    // At the root, since there is a page for every address elsewhere.
    let case = Case::usual();
    case.play.nothing_at(PATH);
    case.play.answer_as(PATH, 200, "text/html", "<html>welcome</html>");
    case.play.document(ROOT, &with(resource(), json!({ "resource": "https://mcp.test" })));
    let tokens = case.login().await.unwrap();
    assert_eq!(tokens.resource, "https://mcp.test", "as it is written, without a slash");
    assert_eq!(case.play.lines()[..2], [format!("GET {PATH}"), format!("GET {ROOT}")]);

    // Where the challenge says, and nowhere else.
    let case = Case::usual();
    case.play.nothing_at(PATH);
    case.play.document("https://mcp.test/elsewhere", &resource());
    case.login_for(&["Bearer resource_metadata=\"https://mcp.test/elsewhere\""]).await.unwrap();
    assert_eq!(case.play.lines()[0], "GET https://mcp.test/elsewhere");
}

#[tokio::test]
async fn an_issuer_with_a_path_is_found_in_each_of_its_places() {
    for place in [
        "https://auth.test/.well-known/oauth-authorization-server/t/1",
        "https://auth.test/.well-known/openid-configuration/t/1",
        "https://auth.test/t/1/.well-known/openid-configuration",
    ] {
        let case = Case::usual();
        let named = json!({ "authorization_servers": ["https://auth.test/t/1"] });
        case.play.document(PATH, &with(resource(), named));
        case.play.document(place, &with(issuer(), json!({ "issuer": "https://auth.test/t/1" })));
        assert_eq!(case.login().await.unwrap().issuer, "https://auth.test/t/1", "{place}");
    }
}

async fn fails(resource: &Value, issuer: &Value) -> LoginError {
    let case = Case::usual();
    case.play.document(PATH, resource);
    case.play.document(AUTH, issuer);
    let error = case.login().await.unwrap_err();
    let asked = |line: &String| line.starts_with("POST") || line.contains("/authorize");
    assert!(!case.play.lines().iter().any(asked), "nothing was asked of anybody");
    assert!(case.person.visits.lock().unwrap().is_empty());
    error
}

#[tokio::test]
async fn a_document_that_says_something_twice_is_of_no_use() {
    let twice = |document: &Value, name: &str| {
        let (text, value) = (document.to_string(), document[name].to_string());
        text.replacen('{', &format!("{{\"{name}\":{value},"), 1)
    };
    for (place, text, expected) in [
        (PATH, twice(&resource(), "resource"), format!("the server's metadata at {PATH} cannot be used")),
        (
            AUTH,
            twice(&issuer(), "token_endpoint"),
            "the metadata of https://auth.test cannot be used".to_owned(),
        ),
    ] {
        let case = Case::usual();
        case.play.nothing_at(place);
        case.play.answer(place, 200, &text);
        let error = case.login().await.unwrap_err();
        assert_eq!(error.to_string(), format!("{expected}: a member is there twice"));
        assert!(case.person.visits.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_wants_a_token_for_everything_and_gives_none_offers_no_oauth() {
    for (status, body) in
        [(401, r#"{"error":"unauthorized"}"#), (403, "no"), (405, ""), (200, "<html>welcome</html>")]
    {
        let case = Case::of(Play::default());
        case.play.answer("https://mcp.test/register", status, body);
        let error = case.login().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the server offers no OAuth: nothing at https://mcp.test/register",
            "{status}"
        );
        assert!(case.person.visits.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn documents_that_are_wrong_end_a_login_before_anything_is_asked() {
    let check = async |resource_members: Value, issuer_members: Value, expected: &str| {
        let error = fails(&with(resource(), resource_members), &with(issuer(), issuer_members)).await;
        assert_eq!(error.to_string(), expected);
    };
    let same = || json!({});
    check(
        json!({ "resource": null }),
        same(),
        "the server's metadata at https://mcp.test/.well-known/oauth-protected-resource/mcp cannot be used: they lack \
         `resource`",
    )
    .await;
    check(
        json!({ "resource": "https://other.test/mcp" }),
        same(),
        "the server's metadata are about https://other.test/mcp, which is not https://mcp.test/mcp",
    )
    .await;
    // By as little as a slash, a letter's case, a port, an escape.
    for other in ["https://auth.test/", "https://Auth.test", "https://auth.test:443", "https://evil.test"] {
        check(
            same(),
            json!({ "issuer": other }),
            &format!("the metadata of https://auth.test say that they are of {other}"),
        )
        .await;
    }
    check(
        same(),
        json!({ "issuer": null }),
        "the metadata of https://auth.test cannot be used: they lack `issuer`",
    )
    .await;
    check(
        same(),
        json!({ "authorization_endpoint": null }),
        "https://auth.test offers no authorization endpoint",
    )
    .await;
    for methods in [json!(null), json!([]), json!(["plain"])] {
        check(
            same(),
            json!({ "code_challenge_methods_supported": methods }),
            "https://auth.test offers no PKCE (code challenge method `S256`)",
        )
        .await;
    }
    check(
        same(),
        json!({ "response_types_supported": ["token"] }),
        "https://auth.test offers no codes (response type `code`)",
    )
    .await;
    for bad in ["http://auth.test/authorize", "javascript:alert(1)", "file:///x"] {
        let error = fails(&resource(), &with(issuer(), json!({ "authorization_endpoint": bad }))).await;
        assert!(matches!(error, LoginError::Endpoint { what: "authorization endpoint", .. }), "{error}");
    }
}

#[tokio::test]
async fn another_trouble_is_not_taken_for_a_missing_document() {
    let case = Case::usual();
    case.play.nothing_at(PATH);
    case.play.answer(PATH, 503, "{}");
    let error = case.login().await.unwrap_err();
    assert!(matches!(error, LoginError::ServerMetadata { .. }), "{error}");
    assert_eq!(case.play.lines().len(), 1);

    let case = Case::usual();
    case.play.nothing_at(AUTH);
    let error = case.login().await.unwrap_err();
    let LoginError::IssuerUnknown { tried, .. } = error else { panic!("{error}") };
    assert_eq!(tried, [AUTH, "https://auth.test/.well-known/openid-configuration"]);
}

#[tokio::test]
async fn a_server_without_metadata_may_authorize_for_itself() {
    let own = "https://mcp.test/.well-known/oauth-authorization-server";
    let play = || {
        let play = Play::default();
        play.answer("https://mcp.test/register", 201, r#"{"client_id":"registered"}"#);
        play.answer("https://mcp.test/token", 200, r#"{"access_token":"t","token_type":"bearer"}"#);
        play
    };
    // By endpoints that every server of 2025-03-26 has.
    let case = Case::of(play());
    let tokens = case.login().await.unwrap();
    assert_eq!(
        (tokens.issuer.as_str(), tokens.resource.as_str()),
        ("https://mcp.test", "https://mcp.test/mcp")
    );
    let asked = &case.play.at(&format!("GET {own}"))[0];
    assert_eq!(asked.header("mcp-protocol-version"), Some("2025-03-26"));
    let visit = case.person.visits.lock().unwrap()[0].clone();
    assert_eq!(visit.path(), "/authorize");
    assert!(visit.query().unwrap().contains("code_challenge_method=S256"));

    // By metadata of its own; so does one whose metadata name nobody.
    for nobody in [false, true] {
        let case = Case::of(play());
        if nobody {
            case.play.document(PATH, &with(resource(), json!({ "authorization_servers": [] })));
        }
        let at = |path: &str| format!("https://mcp.test/{path}");
        case.play.document(
            own,
            &json!({ "issuer": "https://mcp.test", "authorization_endpoint": at("a"), "token_endpoint": at("token"),
                     "registration_endpoint": at("register") }),
        );
        case.login().await.unwrap();
        assert_eq!(case.person.visits.lock().unwrap()[0].path(), "/a");
    }

    // Not where that is forbidden, and not where nothing answers.
    let mut case = Case::of(play());
    case.settings.fallback = Fallback::Refused;
    let error = case.login().await.unwrap_err();
    assert_eq!(error.to_string(), format!("the server offers no OAuth: nothing at {PATH}, {ROOT}"));
    let case = Case::of(Play::default());
    let error = case.login().await.unwrap_err();
    assert!(matches!(error, LoginError::ServerOffersNone { .. }), "{error}");
    assert!(case.person.visits.lock().unwrap().is_empty());
}

#[tokio::test]
async fn one_issuer_of_several_is_used_and_rather_one_that_is_known() {
    let named = json!({ "authorization_servers": ["https://first.test", "https://auth.test"] });
    let case = Case::usual();
    case.play.document(PATH, &with(resource(), named.clone()));
    let error = case.login().await.unwrap_err();
    assert!(
        matches!(&error, LoginError::IssuerUnknown { issuer, .. } if issuer == "https://first.test"),
        "{error}"
    );

    let case = Case::usual();
    case.login().await.unwrap();
    case.play.document(PATH, &with(resource(), named));
    assert_eq!(case.login().await.unwrap().issuer, "https://auth.test");
}
