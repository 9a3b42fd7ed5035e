//! The end of a login.

use codewhale_mcp_auth::credentials::{CredentialStore, Kept, Key};
use codewhale_mcp_auth::driver::Revocation;
use serde_json::json;

use crate::play::{issuer, with};
use crate::world::Case;

const AUTH: &str = "https://auth.test/.well-known/oauth-authorization-server";

#[tokio::test]
async fn a_logout_forgets_all_and_the_next_login_asks_for_consent_once() {
    let case = Case::usual();
    case.login().await.unwrap();
    assert_eq!(case.person.parameters()[0].get("prompt"), None);
    let before = case.play.lines().len();
    let left = case.alone().logout().await.unwrap();
    assert_eq!(left.issuer.as_deref(), Some("https://auth.test"));
    assert!(matches!(left.revocation, Revocation::NotAsked));
    assert_eq!(case.play.lines().len(), before, "nobody is told");
    assert!(matches!(case.alone().kept().await.unwrap(), Some(Kept::LoggedOut)));
    let registration = Key::Issuer { issuer: "https://auth.test".to_owned() };
    assert_eq!(case.store.load(&registration).await.unwrap(), None);
    let mark = Key::Server { name: "s".to_owned(), url: "https://mcp.test/mcp".to_owned() };
    let mark = case.store.load(&mark).await.unwrap().unwrap();
    assert_eq!(mark.text.expose(), r#"{"kind":"logged_out"}"#);

    // Once more takes nothing away.
    assert_eq!(case.alone().logout().await.unwrap().issuer, None);
    case.login().await.unwrap();
    assert!(case.person.parameters()[1].get("prompt").is_some_and(|prompt| prompt == "consent"));
    case.login().await.unwrap();
    assert_eq!(case.person.parameters()[2].get("prompt"), None);
}

#[tokio::test]
async fn a_logout_of_nobody_writes_nothing() {
    let case = Case::usual();
    let left = case.alone().logout_and_revoke().await.unwrap();
    assert!(left.issuer.is_none() && matches!(left.revocation, Revocation::NotAsked), "{left:?}");
    assert_eq!(case.alone().logout().await.unwrap().issuer, None);
    assert!(case.alone().kept().await.unwrap().is_none());
    let server = Key::Server { name: "s".to_owned(), url: "https://mcp.test/mcp".to_owned() };
    assert_eq!(case.store.load(&server).await.unwrap(), None);
}

#[tokio::test]
async fn a_logout_can_revoke_at_the_issuer() {
    let url = "https://auth.test/revoke";
    let case = Case::usual();
    case.play.document(AUTH, &with(issuer(), json!({ "revocation_endpoint": url })));
    case.play.answer(url, 200, "");
    case.login().await.unwrap();
    let left = case.alone().logout_and_revoke().await.unwrap();
    assert!(matches!(left.revocation, Revocation::Done), "{left:?}");
    let sent: Vec<_> = case
        .play
        .at(&format!("POST {url}"))
        .iter()
        .map(|seen| {
            [
                seen.form("token").unwrap(),
                seen.form("token_type_hint").unwrap(),
                seen.form("client_id").unwrap(),
            ]
        })
        .collect();
    assert_eq!(sent, [["r-t1", "refresh_token", "registered"], ["t1", "access_token", "registered"]]);
    assert!(matches!(case.alone().kept().await.unwrap(), Some(Kept::LoggedOut)));

    let case = Case::usual();
    case.login().await.unwrap();
    let left = case.alone().logout_and_revoke().await.unwrap();
    assert!(matches!(left.revocation, Revocation::NotOffered), "{left:?}");

    // One that servers read themselves cannot be called back.
    for (answers, expected) in [(vec![200, 400], "ends alone"), (vec![400, 400], "not offered")] {
        let case = Case::usual();
        case.play.document(AUTH, &with(issuer(), json!({ "revocation_endpoint": url })));
        for status in answers {
            case.play.answer(url, status, r#"{"error":"unsupported_token_type"}"#);
        }
        let tokens = case.login().await.unwrap();
        let found = match case.alone().logout_and_revoke().await.unwrap().revocation {
            Revocation::EndsAlone { ends_at } if ends_at == tokens.expires_at => "ends alone",
            Revocation::NotOffered => "not offered",
            other => panic!("{other:?}"),
        };
        assert_eq!(found, expected);
    }

    // It is forgotten here whatever happens there.
    let case = Case::usual();
    case.play.document(AUTH, &with(issuer(), json!({ "revocation_endpoint": url })));
    case.play.answer(url, 503, "no r-t1");
    case.login().await.unwrap();
    let left = case.alone().logout_and_revoke().await.unwrap();
    let Revocation::Failed(error) = left.revocation else { panic!() };
    assert_eq!(error.to_string(), "https://auth.test does not revoke the token: status 503");
    assert!(matches!(case.alone().kept().await.unwrap(), Some(Kept::LoggedOut)));
}

#[tokio::test]
async fn what_is_kept_has_no_secret_of_the_configuration_and_prints_none_at_all() {
    let mut case = Case::usual();
    case.settings.names.preset = Some(crate::world::preset("mine", Some("hunter2-hunter2")));
    let tokens = case.login().await.unwrap();
    let key = Key::Server { name: "s".to_owned(), url: "https://mcp.test/mcp".to_owned() };
    let entry = case.store.load(&key).await.unwrap().unwrap();
    assert!(!entry.text.expose().contains("hunter2"));
    let printed = format!("{tokens:?} {entry:?} {:?} {:?}", case.settings, Kept::read(&entry.text));
    for secret in ["t1", "r-t1", "hunter2"] {
        assert!(!printed.contains(&format!("\"{secret}")) && !printed.contains("hunter2"), "{printed}");
    }
    // With another client configured, what the former was given is nothing.
    case.settings.names.preset = Some(crate::world::preset("another", None));
    assert!(case.alone().kept().await.unwrap().is_none());
    case.settings.names.preset = None;
    assert!(case.alone().kept().await.unwrap().is_none());
}
