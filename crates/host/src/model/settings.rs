//! Which model is asked, where, and with which key.

use codewhale_mcp_config::Model as ModelSettings;
use codewhale_mcp_redact::Secret;
use url::Url;

/// Where the model is asked if nothing says otherwise, and the variable of its key.
const BASE_URL: &str = "https://api.deepseek.com";
const KEY: &str = "DEEPSEEK_API_KEY";
const MODEL: &str = "deepseek-chat";

/// A model that can be asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Where the chat API is.
    pub(crate) url: Url,
    /// Its name.
    pub(crate) model: String,
    /// What authorizes requests.
    pub(crate) key: Option<Secret<String>>,
}

/// No model is configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotConfigured {
    /// The variable of its key is not set.
    #[error("no model is configured: the environment variable {variable} is not set")]
    NoKey {
        /// The variable.
        variable: String,
    },
    /// Its URL cannot be used.
    #[error("no model is configured: `model.base_url` is no http or https URL")]
    BadUrl,
}

impl Endpoint {
    /// The model that the settings name; DeepSeek's where they name none. The key of the default model goes to no other
    /// place: another `base_url` without an `api_key_env` is asked without a key.
    ///
    /// # Errors
    /// [`NotConfigured`].
    pub fn new(
        settings: &ModelSettings,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, NotConfigured> {
        let value = |located: &Option<codewhale_mcp_config::Located<String>>| {
            located.as_ref().map(|located| located.value.clone())
        };
        let url = chat_url(value(&settings.base_url).as_deref().unwrap_or(BASE_URL))?;
        let is_default = || chat_url(BASE_URL).is_ok_and(|default| default == url);
        let key_variable = value(&settings.api_key_env).or_else(|| is_default().then(|| KEY.to_owned()));
        let key = match key_variable {
            None => None,
            Some(name) => match variable(&name).filter(|key| !key.trim().is_empty()) {
                Some(key) => Some(Secret::new(key.trim().to_owned())),
                None => return Err(NotConfigured::NoKey { variable: name }),
            },
        };
        Ok(Self { url, model: value(&settings.model).unwrap_or_else(|| MODEL.to_owned()), key })
    }

    /// The same with another model of the same API.
    #[must_use]
    pub fn with_model(self, model: Option<String>) -> Self {
        Self { model: model.unwrap_or(self.model), ..self }
    }

    /// What authorizes requests, for those who hide it.
    #[must_use]
    pub fn key(&self) -> Option<&Secret<String>> {
        self.key.as_ref()
    }
}

fn chat_url(base: &str) -> Result<Url, NotConfigured> {
    let text = format!("{}/chat/completions", base.trim_end_matches('/'));
    let url: Url = text.parse().map_err(|_| NotConfigured::BadUrl)?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(NotConfigured::BadUrl),
    }
}
