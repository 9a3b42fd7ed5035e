//! Who may ask, and what those are told who may not.

use std::sync::Arc;

use async_trait::async_trait;
use codewhale_mcp_redact::Secret;
use codewhale_mcp_server::http::{
    Authorization, Authorize, Denied, Options, Principal, ProtectedResource, ResourceMetadata,
};
use serde_json::json;

use super::sessions::{begin_as, call, within};
use super::wire::{Request, ask};
use super::world::World;

const METADATA: &str = "https://mcp.example/.well-known/oauth-protected-resource/mcp";

/// Tokens are names; `wait` needs more than they have.
struct ByName;

#[async_trait]
impl Authorize for ByName {
    async fn authenticate(&self, token: Option<&Secret<String>>) -> Result<Principal, Denied> {
        match token.map(|token| token.expose().as_str()) {
            Some(name @ ("ada" | "bob")) => Ok(Principal(name.to_owned())),
            _ => Err(Denied::Unauthorized { scope: Some("mcp:read".into()) }),
        }
    }

    async fn allow(&self, _: &Principal, method: &str, name: Option<&str>) -> Result<(), Denied> {
        match (method, name) {
            ("tools/call", Some("wait")) => {
                Err(Denied::InsufficientScope { scope: "mcp:read mcp:wait".into() })
            }
            _ => Ok(()),
        }
    }
}

pub(super) async fn guarded() -> World {
    let mut options = Options::default();
    let resource_metadata = Some(ResourceMetadata::At(METADATA.to_owned()));
    options.authorize = Some(Authorization { judge: Arc::new(ByName), resource_metadata });
    World::start(options).await
}

pub(super) fn with_token(request: Request, token: &str) -> Request {
    request.with("Authorization", &format!("Bearer {token}"))
}

#[tokio::test]
async fn whoever_may_not_ask_is_told_where_to_begin() {
    let world = guarded().await;
    let none = format!("Bearer scope=\"mcp:read\", resource_metadata=\"{METADATA}\"");
    let wrong =
        format!("Bearer error=\"invalid_token\", scope=\"mcp:read\", resource_metadata=\"{METADATA}\"");
    let scope = format!(
        "Bearer error=\"insufficient_scope\", scope=\"mcp:read mcp:wait\", resource_metadata=\"{METADATA}\""
    );
    let who = || Request::call(1, "whoami", json!({}));
    let rows = [
        ("no token", who(), 401, Some(none.as_str())),
        ("another scheme", who().with("Authorization", "Basic YWRhOng="), 401, Some(none.as_str())),
        ("a wrong token", with_token(who(), "eve"), 401, Some(wrong.as_str())),
        ("two tokens", with_token(who(), "ada").and("Authorization", "Bearer bob"), 401, Some(none.as_str())),
        (
            "a token in the address",
            who().line("POST /mcp?access_token=ada HTTP/1.1"),
            401,
            Some(none.as_str()),
        ),
        ("another method", Request::new("GET"), 401, Some(none.as_str())),
        (
            "a scope that is missing",
            with_token(Request::call(1, "wait", json!({})), "ada"),
            403,
            Some(scope.as_str()),
        ),
        ("a good token", with_token(who(), "ada"), 200, None),
        ("any case of the scheme", who().with("Authorization", "bearer ada"), 200, None),
    ];
    for (what, request, status, challenge) in rows {
        let answer = ask(world.address, &request).await;
        assert_eq!(
            (answer.head.status, answer.head.header("www-authenticate")),
            (status, challenge),
            "{what}"
        );
    }
    let bob = ask(world.address, &with_token(who(), "bob")).await;
    assert_eq!(bob.json()["result"]["content"][0]["text"], "bob");
}

#[tokio::test]
async fn a_session_is_only_there_for_whoever_began_it() {
    let world = guarded().await;
    let session = begin_as(&world, "2025-11-25", Some("ada")).await;
    let who = within(&session, "2025-11-25", &call(1, "whoami", json!({})));
    let wait = within(&session, "2025-11-25", &call(2, "wait", json!({})));
    let end = Request::new("DELETE").with("MCP-Session-Id", &session);
    let rows = [
        ("nobody", who.clone(), 401),
        ("another one", with_token(who.clone(), "bob"), 404),
        ("its end by another one", with_token(end, "bob"), 404),
        ("what needs more", with_token(wait, "ada"), 403),
        ("whoever began it", with_token(who, "ada"), 200),
    ];
    for (what, request, status) in rows {
        assert_eq!(ask(world.address, &request).await.head.status, status, "{what}");
    }
}

#[tokio::test]
async fn what_somebody_may_not_ask_is_not_asked_within_a_batch_either() {
    let world = guarded().await;
    let revision = "2025-03-26";
    let name = begin_as(&world, revision, Some("ada")).await;
    let batch = json!([call(1, "whoami", json!({})), call(2, "wait", json!({}))]);
    let refused = ask(world.address, &with_token(within(&name, revision, &batch), "ada")).await;
    assert_eq!((refused.head.status, world.gate.count("begun")), (403, 0));
}

#[tokio::test]
async fn where_tokens_are_had_is_told_to_whoever_has_none_by_a_name_of_the_server() {
    let mut options = Options::default();
    let resource =
        ProtectedResource::new("http://localhost/mcp", ["https://login.test"]).expect("a resource");
    let resource = resource.scopes(["mcp:read", "offline_access"]).name("Test");
    let address = "http://localhost/.well-known/oauth-protected-resource/mcp";
    let resource_metadata = Some(ResourceMetadata::Served(resource));
    options.authorize = Some(Authorization { judge: Arc::new(ByName), resource_metadata });
    let world = World::start(options).await;
    let refused = ask(world.address, &Request::call(1, "whoami", json!({}))).await;
    let challenge = format!("Bearer scope=\"mcp:read\", resource_metadata=\"{address}\"");
    assert_eq!((refused.head.status, refused.head.header("www-authenticate")), (401, Some(&*challenge)));
    let line =
        |method: &str, more: &str| format!("{method} /.well-known/oauth-protected-resource{more} HTTP/1.1");
    let told = ask(world.address, &Request::new("GET").line(&line("GET", "/mcp"))).await;
    assert_eq!((told.head.status, told.head.header("content-type")), (200, Some("application/json")));
    assert_eq!(
        told.json(),
        json!({
            "resource": "http://localhost/mcp",
            "authorization_servers": ["https://login.test"],
            "scopes_supported": ["mcp:read"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Test",
        })
    );
    for (what, request, status) in [
        ("another path", Request::new("GET").line(&line("GET", "")), 404),
        ("another method", Request::new("POST").line(&line("POST", "/mcp")), 405),
        ("another name", Request::new("GET").line(&line("GET", "/mcp")).with("Host", "evil.test"), 403),
        ("a page", Request::new("GET").line(&line("GET", "/mcp")).with("Origin", "https://evil.test"), 403),
    ] {
        assert_eq!(ask(world.address, &request).await.head.status, status, "{what}");
    }
}
