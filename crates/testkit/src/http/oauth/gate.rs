//! The answers of the authorization server, and the gate that lets nobody in without a token.

use serde_json::{Value, json};

use super::provider::{Lack, Provider};
use crate::http::form::{encoded, read};
use crate::http::plan::{Knock, Passage};
use crate::http::response::Response;

/// Answers what is the authorization server's to answer, and refuses what lacks a token.
pub(super) fn answer(provider: &mut Provider, knock: &Knock<'_>) -> Passage {
    let request = knock.request;
    let base = format!("http://{}", request.header("host").unwrap_or_default());
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let body = String::from_utf8_lossy(&request.body);
    let response = match (request.method.as_str(), path) {
        ("GET", document) if provider.rules.hostile.loops && document.starts_with("/.well-known/") => {
            Response::empty(302).with("Location", &format!("{base}{document}?again"))
        }
        ("GET", "/.well-known/oauth-protected-resource/mcp") if provider.rules.has_metadata => {
            resource(provider, &base)
        }
        ("GET", "/.well-known/oauth-authorization-server") => issuer(provider, &base),
        ("POST", "/register") if provider.rules.registers => register(provider, &body),
        ("GET", "/authorize") => authorize(provider, &base, query),
        ("POST", "/device") if provider.rules.device.is_some() => device(provider, &base, &body),
        ("POST", "/token") => token(provider, &body),
        ("POST", "/revoke") if provider.rules.revokes => {
            provider.revoke(read(&body).get("token").map_or("", String::as_str));
            Response::empty(200)
        }
        (_, "/mcp") => return admit(provider, knock, &base),
        _ => Response::html(404),
    };
    Passage::Answer(response.with("Cache-Control", "no-store"))
}

fn resource(provider: &Provider, base: &str) -> Response {
    let mut document = json!({ "resource": format!("{base}/mcp"), "authorization_servers": [base] });
    if let Some(scopes) = &provider.rules.scopes {
        document["scopes_supported"] = scopes.split(' ').collect();
    }
    provider.rules.hostile.resource(document)
}

fn issuer(provider: &Provider, base: &str) -> Response {
    let at = |path: &str| Value::from(format!("{base}{path}"));
    let rules = &provider.rules;
    let mut document = json!({
        "issuer": base,
        "authorization_endpoint": at("/authorize"),
        "token_endpoint": at("/token"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    });
    let offers = [
        ("registration_endpoint", rules.registers, "/register"),
        ("device_authorization_endpoint", rules.device.is_some(), "/device"),
        ("revocation_endpoint", rules.revokes, "/revoke"),
    ];
    for (name, _, path) in offers.into_iter().filter(|(_, is_offered, _)| *is_offered) {
        document[name] = at(path);
    }
    rules.hostile.issuer(document)
}

fn register(provider: &mut Provider, body: &str) -> Response {
    let mut document: Value = serde_json::from_str(body).unwrap_or_default();
    let uris = document["redirect_uris"].as_array().into_iter().flatten();
    let uris = uris.filter_map(|uri| uri.as_str().map(str::to_owned)).collect();
    document["client_id"] = provider.register(uris).into();
    Response::json(201, document.to_string())
}

/// Whoever comes is asked nothing and sent back.
fn authorize(provider: &mut Provider, base: &str, query: &str) -> Response {
    let fields = read(query);
    let field = |name: &str| fields.get(name).map_or("", String::as_str);
    if !provider.knows(field("client_id"), Some(field("redirect_uri"))) {
        return Response::html(400);
    }
    let answer = match (provider.rules.declines, provider.rules.hostile.refusal()) {
        (true, _) => "error=access_denied".to_owned(),
        (false, Some(refusal)) => refusal,
        (false, None) => format!("code={}", provider.code(&fields)),
    };
    let (to, state, iss) = (field("redirect_uri"), encoded(field("state")), provider.rules.hostile.iss(base));
    let also = provider.rules.hostile.also();
    Response::empty(302).with("Location", &format!("{to}?{answer}&state={state}{iss}{also}"))
}

fn device(provider: &mut Provider, base: &str, body: &str) -> Response {
    let fields = read(body);
    if !provider.knows(fields.get("client_id").map_or("", String::as_str), None) {
        return error("invalid_client");
    }
    let code = provider.device(&fields);
    let document = json!({
        "device_code": code,
        "user_code": "WHAL-CODE",
        "verification_uri": format!("{base}/device"),
        "verification_uri_complete": format!("{base}/device?user_code=WHAL-CODE"),
        "expires_in": 600,
        "interval": 1,
    });
    Response::json(200, document.to_string())
}

fn token(provider: &mut Provider, body: &str) -> Response {
    match provider.tokens(&read(body)) {
        Err(code) => error(code),
        Ok((number, grant)) => {
            let mut document = json!({
                "access_token": format!("access-secret-{number}"),
                "token_type": "Bearer",
                "expires_in": provider.rules.expires,
                "scope": grant.scope,
            });
            if provider.rules.refreshes {
                document["refresh_token"] = format!("refresh-secret-{number}").into();
            }
            provider.rules.hostile.token(&document)
        }
    }
}

fn error(code: &str) -> Response {
    Response::json(400, json!({ "error": code }).to_string())
}

fn admit(provider: &mut Provider, knock: &Knock<'_>, base: &str) -> Passage {
    let authorization = knock.request.header("authorization").unwrap_or_default();
    let rules = &provider.rules;
    let metadata = match (&rules.hostile.told, rules.has_metadata) {
        (Some(told), _) => format!(r#" resource_metadata="{told}","#),
        (None, true) => format!(r#" resource_metadata="{base}/.well-known/oauth-protected-resource/mcp","#),
        (None, false) => String::new(),
    };
    let (status, challenge) = match provider.admit(authorization, knock.method) {
        Ok(()) => return Passage::Open,
        Err(Lack::Token) => {
            let rules = &provider.rules;
            let scope =
                rules.scopes.as_ref().map(|scopes| format!(r#" scope="{scopes}","#)).unwrap_or_default();
            let why = if authorization.is_empty() { "invalid_request" } else { "invalid_token" };
            (401, format!(r#"Bearer{metadata}{scope} error="{why}""#))
        }
        Err(Lack::Scope) => {
            let scope = provider.rules.needs.as_deref().unwrap_or_default();
            (403, format!(r#"Bearer{metadata} error="insufficient_scope", scope="{scope}""#))
        }
    };
    Passage::Answer(Response::empty(status).with("WWW-Authenticate", &challenge))
}
