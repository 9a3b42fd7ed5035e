//! What a scenario says of logins, as the configuration of one.

use std::sync::Arc;

use codewhale_mcp_auth::credentials::InMemory;
use codewhale_mcp_auth::driver::{OAuth, OAuthAuthorizer, Parts};
use codewhale_mcp_auth::flow::{Binding, Enterprise, Grant, Settings, SubjectKind};
use codewhale_mcp_auth::registration::Preset;
use codewhale_mcp_auth::token::SigningKey;
use codewhale_mcp_net::Fetch;
use codewhale_mcp_redact::Secret;
use serde::Deserialize;
use url::Url;

use crate::browser::{Given, Headless};
use crate::server::failed;

/// Where the document about us is said to be. Nobody fetches it.
const CLIENT_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

/// What a scenario hands out for a login.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Credentials {
    client_id: Option<String>,
    client_secret: Option<String>,
    issuer: Option<String>,
    private_key_pem: Option<String>,
    idp_client_id: Option<String>,
    idp_id_token: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<String>,
}

/// What authorizes the requests of a scenario to its server.
pub(crate) fn authorizer(
    scenario: &str,
    given: &Credentials,
    server: Url,
    fetch: Arc<dyn Fetch>,
) -> Result<Arc<OAuthAuthorizer>, String> {
    let mut settings = Settings::new("suite", server, "conformance");
    settings.names.client_document = Some(CLIENT_DOCUMENT.to_owned());
    settings.names.preset = preset(given)?;
    let mut parts = Parts::new(fetch, Arc::new(InMemory::default()));
    match scenario {
        "auth/client-credentials-jwt" | "auth/client-credentials-basic" => settings.grant = Grant::Client,
        "auth/wif-jwt-bearer" => {
            settings.grant = Grant::Workload;
            parts.subject = subject(given.valid_jwt.as_ref());
        }
        "auth/enterprise-managed-authorization" => {
            settings.grant = Grant::Enterprise(Box::new(Enterprise {
                token_endpoint: given.idp_token_endpoint.clone().ok_or("there is no identity provider")?,
                client: Preset { id: given.idp_client_id.clone().unwrap_or_default(), ..Preset::default() },
                subject: SubjectKind::IdToken,
            }));
            parts.subject = subject(given.idp_id_token.as_ref());
        }
        "auth/dpop" | "auth/dpop-nonce" => {
            settings.binding = Binding::WhereOffered;
            parts.browse = Some(Arc::new(Headless));
        }
        _ => parts.browse = Some(Arc::new(Headless)),
    }
    Ok(OAuth::new(settings, parts).authorizer())
}

fn preset(given: &Credentials) -> Result<Option<Preset>, String> {
    let Some(id) = given.client_id.clone() else { return Ok(None) };
    let key = match &given.private_key_pem {
        None => None,
        Some(pem) => Some(Arc::new(SigningKey::of_pem(&Secret::new(pem.clone())).map_err(failed)?)),
    };
    let secret = given.client_secret.clone().map(Secret::new);
    Ok(Some(Preset { id, secret, key, issuer: given.issuer.clone(), ..Preset::default() }))
}

fn subject(token: Option<&String>) -> Option<Arc<dyn codewhale_mcp_auth::driver::Subject>> {
    Some(Arc::new(Given(Secret::new(token?.clone()))))
}
