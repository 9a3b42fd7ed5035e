//! Scopes that a login has too few of.

use crate::renewed::{answered, prepared};
use crate::world::Case;

#[tokio::test]
async fn more_scopes_are_asked_for_with_those_that_were_asked_for() {
    let case = Case::usual();
    case.login_for(&["Bearer scope=\"a b\""]).await.unwrap();
    let lacking = "Bearer error=\"insufficient_scope\", scope=\"b c\"";
    let alone = case.alone().authorizer();
    let (_, sent) = prepared(&alone).await;
    assert_eq!(answered(&alone, sent, 403, lacking).await, format!("login: {lacking}"));

    let authorizer = case.oauth().authorizer();
    let (_, sent) = prepared(&authorizer).await;
    assert_eq!(answered(&authorizer, sent, 403, "Bearer error=\"invalid_token\"").await, "done");
    assert_eq!(answered(&authorizer, sent, 403, lacking).await, "another token");
    assert_eq!(case.person.parameters()[1]["scope"], "a b c");
    assert_eq!(
        case.play.at("POST https://auth.test/token")[1].form("grant_type").as_deref(),
        Some("authorization_code")
    );
    // It helps nothing: the same is not asked for again, and others only so often.
    let mut asked = 2;
    for (scope, expected) in [
        ("c", "missing scopes: c; the login was granted a b c"),
        ("d", "another token"),
        ("e", "another token"),
        ("f", "missing scopes: f; the login was granted a b c d e"),
    ] {
        let (_, sent) = prepared(&authorizer).await;
        let lacking = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        assert_eq!(answered(&authorizer, sent, 403, &lacking).await, expected, "{scope}");
        asked += usize::from(expected == "another token");
        assert_eq!(case.person.parameters().len(), asked);
    }
    // Who cannot log in is not sent to a login that asked for them already; without names nobody knows.
    let alone = case.alone().authorizer();
    for (named, expected) in [
        (", scope=\"c e\"", "missing scopes: c e; the login was granted a b c d e".to_owned()),
        (", scope=\"c f\"", "login: Bearer error=\"insufficient_scope\", scope=\"c f\"".to_owned()),
        ("", "login: Bearer error=\"insufficient_scope\"".to_owned()),
    ] {
        let (_, sent) = prepared(&alone).await;
        let lacking = format!("Bearer error=\"insufficient_scope\"{named}");
        assert_eq!(answered(&alone, sent, 403, &lacking).await, expected);
    }
}
