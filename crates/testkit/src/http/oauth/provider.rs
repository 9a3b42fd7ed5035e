//! Who was given what: codes, tokens, and the clients that they belong to.

use sha2::{Digest, Sha256};
use std::collections::HashMap;

use super::hostile::Hostile;
use crate::http::base64;

/// What a provider does, and what it does not.
pub(super) struct Rules {
    /// How long a token is said to be good, in seconds.
    pub(super) expires: u64,
    /// For how many requests a token is good.
    pub(super) uses: Option<u64>,
    pub(super) gives_again: bool,
    pub(super) refreshes: bool,
    /// The scopes that the challenge names.
    pub(super) scopes: Option<String>,
    /// The scope that `at` needs.
    pub(super) needs: Option<String>,
    pub(super) at: String,
    /// A scope that nobody is granted.
    pub(super) withholds: Option<String>,
    /// Codes for devices are given; after so many questions they have been typed in.
    pub(super) device: Option<u64>,
    pub(super) registers: bool,
    pub(super) revokes: bool,
    /// Whoever is asked says no.
    pub(super) declines: bool,
    /// The only client that is known.
    pub(super) client: Option<String>,
    /// The server has metadata that name the provider.
    pub(super) has_metadata: bool,
    pub(super) hostile: Hostile,
}

/// What was granted to a client.
#[derive(Clone)]
pub(super) struct Grant {
    pub(super) client: String,
    pub(super) scope: String,
    pub(super) resource: String,
    /// The login that it goes back to.
    family: u64,
}

/// A code that nobody has used.
struct Code {
    grant: Grant,
    challenge: String,
    redirect_uri: String,
}

struct Access {
    grant: Grant,
    uses: u64,
}

struct Refresh {
    grant: Grant,
    /// The number of the tokens that came of it.
    gave: Option<u64>,
}

/// Everything that was given.
pub(super) struct Provider {
    pub(super) rules: Rules,
    next: u64,
    redirects: HashMap<String, Vec<String>>,
    codes: HashMap<String, Code>,
    access: HashMap<u64, Access>,
    refresh: HashMap<u64, Refresh>,
    revoked: Vec<u64>,
    devices: HashMap<String, (Grant, u64)>,
}

/// The number and the grant of a pair of tokens.
pub(super) type Given = (u64, Grant);

/// What is wrong with a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lack {
    Token,
    Scope,
}

impl Provider {
    pub(super) fn new(rules: Rules) -> Provider {
        Provider {
            rules,
            next: 0,
            redirects: HashMap::new(),
            codes: HashMap::new(),
            access: HashMap::new(),
            refresh: HashMap::new(),
            revoked: Vec::new(),
            devices: HashMap::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A client with these redirect URIs; its id.
    pub(super) fn register(&mut self, redirects: Vec<String>) -> String {
        let client = format!("client-{}", self.number());
        self.redirects.insert(client.clone(), redirects);
        client
    }

    /// Whether there is such a client, and the browser may be sent there.
    pub(super) fn knows(&self, client: &str, redirect_uri: Option<&str>) -> bool {
        if let Some(only) = &self.rules.client {
            return only == client;
        }
        let known = self.redirects.get(client);
        known.is_some_and(|known| redirect_uri.is_none_or(|uri| known.iter().any(|one| one == uri)))
    }

    fn grant(&mut self, fields: &HashMap<String, String>) -> Grant {
        let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
        let (client, asked, resource) = (field("client_id"), field("scope"), field("resource"));
        let withheld = self.rules.withholds.as_deref();
        let scope = asked.split(' ').filter(|scope| Some(*scope) != withheld).collect::<Vec<_>>().join(" ");
        Grant { client, scope, resource, family: self.number() }
    }

    /// A code for whoever agreed.
    pub(super) fn code(&mut self, fields: &HashMap<String, String>) -> String {
        let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
        let (challenge, redirect_uri) = (field("code_challenge"), field("redirect_uri"));
        let grant = self.grant(fields);
        let code = format!("code-secret-{}", grant.family);
        self.codes.insert(code.clone(), Code { grant, challenge, redirect_uri });
        code
    }

    /// A code for a device: the one that it asks with.
    pub(super) fn device(&mut self, fields: &HashMap<String, String>) -> String {
        let grant = self.grant(fields);
        let code = format!("device-secret-{}", grant.family);
        self.devices.insert(code.clone(), (grant, self.rules.device.unwrap_or_default()));
        code
    }

    /// Tokens for a code, a device code or a refresh token; otherwise the code of the error.
    pub(super) fn tokens(&mut self, fields: &HashMap<String, String>) -> Result<Given, &'static str> {
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        match field("grant_type") {
            "authorization_code" => {
                let code = self.codes.remove(field("code")).ok_or("invalid_grant")?;
                let proves = proves(field("code_verifier"), &code.challenge);
                let same =
                    code.grant.client == field("client_id") && code.redirect_uri == field("redirect_uri");
                let resource = code.grant.resource == field("resource");
                if !proves || !same || !resource {
                    return Err("invalid_grant");
                }
                Ok(self.give(code.grant))
            }
            "urn:ietf:params:oauth:grant-type:device_code" => {
                let (grant, left) = self.devices.get_mut(field("device_code")).ok_or("invalid_grant")?;
                if *left > 0 {
                    *left -= 1;
                    return Err("authorization_pending");
                }
                let grant = grant.clone();
                self.devices.remove(field("device_code"));
                Ok(self.give(grant))
            }
            "refresh_token" => self.again(field("refresh_token"), field("client_id")),
            _ => Err("unsupported_grant_type"),
        }
    }

    fn again(&mut self, token: &str, client: &str) -> Result<Given, &'static str> {
        let number = number(token, "refresh-secret-").ok_or("invalid_grant")?;
        let Refresh { grant, gave } = self.refresh.get(&number).ok_or("invalid_grant")?;
        let (grant, gave) = (grant.clone(), *gave);
        if grant.client != client || self.revoked.contains(&grant.family) {
            return Err("invalid_grant");
        }
        if let Some(gave) = gave {
            let is_unused = self.access.get(&gave).is_some_and(|access| access.uses == 0);
            if self.rules.gives_again && is_unused {
                return Ok((gave, grant));
            }
            self.revoked.push(grant.family);
            return Err("invalid_grant");
        }
        let given = self.give(grant);
        self.refresh.entry(number).and_modify(|refresh| refresh.gave = Some(given.0));
        Ok(given)
    }

    fn give(&mut self, grant: Grant) -> Given {
        let number = self.number();
        self.access.insert(number, Access { grant: grant.clone(), uses: 0 });
        self.refresh.insert(number, Refresh { grant: grant.clone(), gave: None });
        (number, grant)
    }

    /// Takes a token for a request; what it lacks, if anything.
    pub(super) fn admit(&mut self, authorization: &str, method: &str) -> Result<(), Lack> {
        let number = number(authorization, "Bearer access-secret-").ok_or(Lack::Token)?;
        let access = self.access.get_mut(&number).ok_or(Lack::Token)?;
        let is_spent = self.rules.uses.is_some_and(|uses| access.uses >= uses);
        if is_spent || self.revoked.contains(&access.grant.family) {
            return Err(Lack::Token);
        }
        access.uses += 1;
        let lacks = |needed: &String| !access.grant.scope.split(' ').any(|scope| scope == needed);
        match self.rules.needs.as_ref().is_some_and(lacks) && method == self.rules.at {
            true => Err(Lack::Scope),
            false => Ok(()),
        }
    }

    /// Takes back all that came of a login.
    pub(super) fn revoke(&mut self, token: &str) {
        let access = number(token, "access-secret-")
            .and_then(|number| self.access.get(&number))
            .map(|one| one.grant.family);
        let refresh = number(token, "refresh-secret-")
            .and_then(|number| self.refresh.get(&number))
            .map(|one| one.grant.family);
        self.revoked.extend(access.or(refresh));
    }
}

fn number(token: &str, before: &str) -> Option<u64> {
    token.strip_prefix(before)?.parse().ok()
}

/// RFC 7636, section 4.6.
fn proves(verifier: &str, challenge: &str) -> bool {
    let standard = challenge.replace('-', "+").replace('_', "/");
    let wanted = base64::decode(&format!("{standard}="));
    wanted.is_some_and(|wanted| wanted == Sha256::digest(verifier.as_bytes()).as_slice())
}
