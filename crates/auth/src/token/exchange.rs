//! One request for a token.

use std::sync::Arc;

use bytes::Bytes;
use codewhale_mcp_net::{Call, Fetched};
use codewhale_mcp_redact::Secret;
use http::{HeaderMap, HeaderValue, Method, header};
use url::{Url, form_urlencoded};

use super::{Granted, Nonces, ProofKey, reply, say_who, who};
use crate::discovery::IssuerMetadata;
use crate::registration::{AuthMethod, Client};
use crate::world::World;
use crate::{LoginError, Step};

/// The parameters of a grant.
#[derive(Debug, Clone, Default)]
pub struct Form {
    open: Vec<(&'static str, String)>,
    secret: Vec<(&'static str, Secret<String>)>,
}

impl Form {
    /// A form of one grant type.
    #[must_use]
    pub fn of(grant_type: &str) -> Self {
        Self::default().with("grant_type", grant_type)
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.open.push((name, value.to_owned()));
        self
    }

    /// Adds a parameter that is secret.
    #[must_use]
    pub fn with_secret(mut self, name: &'static str, value: Secret<String>) -> Self {
        self.add(name, value);
        self
    }

    pub(crate) fn add(&mut self, name: &'static str, value: Secret<String>) {
        self.secret.push((name, value));
    }

    /// Adds a parameter where it has a value.
    #[must_use]
    pub(crate) fn with_any(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The request that brings it.
    pub(crate) fn call(&self, url: Url, headers: HeaderMap) -> Call {
        let mut body = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &self.open {
            body.append_pair(name, value);
        }
        for (name, value) in &self.secret {
            body.append_pair(name, value.expose());
        }
        let mut call = Call::post(url, Bytes::from(body.finish()));
        call.headers = headers.into();
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        call.headers.insert(header::CONTENT_TYPE, form);
        call.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        call
    }

    /// Whether it has such a parameter.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.open.iter().any(|(given, _)| *given == name)
    }

    fn values(&self) -> Vec<Secret<String>> {
        self.secret.iter().map(|(_, value)| value.clone()).collect()
    }
}

/// One request for a token, with what has to be repeated of it.
#[derive(Debug)]
pub struct Exchange {
    form: Form,
    client: Client,
    method: AuthMethod,
    /// Another way to say who we are, where one is worth a try.
    other: Option<AuthMethod>,
    issuer: String,
    url: Url,
    key: Option<Arc<ProofKey>>,
    nonces: Arc<Nonces>,
    has_new_nonce: bool,
    has_new_time: bool,
}

impl Exchange {
    /// Makes a request for a token of a grant's parameters.
    ///
    /// # Errors
    /// [`LoginError`] when there is no place to ask, or the client cannot say who it is.
    pub(crate) fn begin(
        form: Form,
        client: Client,
        issuer: &IssuerMetadata,
        key: Option<Arc<ProofKey>>,
        nonces: Arc<Nonces>,
        world: &dyn World,
    ) -> Result<(Self, Call), LoginError> {
        let (method, guessed) = who::method(&client, issuer);
        let exchange = Self {
            form,
            client,
            method,
            other: who::other(method, guessed),
            issuer: issuer.issuer.clone(),
            url: issuer.token_endpoint()?,
            key,
            nonces,
            has_new_nonce: false,
            has_new_time: false,
        };
        let call = exchange.call(world)?;
        Ok((exchange, call))
    }

    /// The client that asks.
    pub(crate) const fn client(&self) -> &Client {
        &self.client
    }

    /// Takes the answer.
    ///
    /// # Errors
    /// [`LoginError::Refused`] and [`LoginError::TokenReply`].
    pub(crate) fn next(
        mut self,
        answer: &Fetched,
        world: &dyn World,
    ) -> Result<Step<Self, (Client, Granted)>, LoginError> {
        let learned = self.nonces.learn(&self.url, &answer.headers, world.now());
        let read = reply::read(answer, &self.issuer, &self.hidden(), world.now());
        let code = match &read {
            Err(LoginError::Refused { code, .. }) => code.as_str(),
            _ => "",
        };
        let again = match code {
            "use_dpop_nonce" if learned.nonce => !std::mem::replace(&mut self.has_new_nonce, true),
            "invalid_dpop_proof" if learned.time => !std::mem::replace(&mut self.has_new_time, true),
            _ => false,
        };
        if again && self.key.is_some() {
            let call = self.call(world)?;
            return Ok(Step::Ask(self, call));
        }
        if code == "invalid_client"
            && let Some(other) = self.other.take()
        {
            self.method = other;
            let call = self.call(world)?;
            return Ok(Step::Ask(self, call));
        }
        let granted = read?;
        // What was found out is used from now on.
        self.client.method = Some(self.method);
        Ok(Step::Done((self.client, granted)))
    }

    fn call(&self, world: &dyn World) -> Result<Call, LoginError> {
        let (mut form, mut headers) = (self.form.clone(), HeaderMap::new());
        say_who(&self.client, self.method, &self.issuer, &mut form, &mut headers, world)?;
        if let Some(key) = &self.key {
            let proof = key.proof(Method::POST.as_str(), &self.url, None, &self.nonces, world)?;
            headers.insert("dpop", proof);
        }
        Ok(form.call(self.url.clone(), headers))
    }

    fn hidden(&self) -> Vec<Secret<String>> {
        let mut hidden = self.form.values();
        hidden.extend(self.client.secret.clone());
        hidden
    }
}
