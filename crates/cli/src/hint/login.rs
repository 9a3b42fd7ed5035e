//! What to do about a login.

use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::browse::BrowseError;
use codewhale_mcp_auth::credentials::StoreError;
use codewhale_mcp_manager::LoginRefused;

use super::{Naming, word};

/// How one logs in at a server.
pub(crate) fn login(name: &str, naming: Naming) -> String {
    match naming {
        Naming::Name | Naming::Given | Naming::Url => {
            format!("run `codewhale mcp login {}`", naming.of(name))
        }
        // A program asks for no login.
        Naming::Stdio => format!("`codewhale mcp add {} --url …` gives it a name to log in to", word(name)),
    }
}

/// How a server that asks for a login is satisfied. Whether it knows OAuth is known only once somebody tries to log in.
pub(crate) fn login_or_token(name: &str, naming: Naming) -> String {
    let token = match naming {
        Naming::Name | Naming::Given => {
            "`bearer_token_env_var` in its definition (--bearer-token-env-var of `mcp add`)"
        }
        Naming::Url => "--bearer-token-env-var",
        Naming::Stdio => return login(name, naming),
    };
    format!(
        "{}; if it takes a token that was made for you instead, {token} names the variable that holds it",
        login(name, naming)
    )
}

/// That a server wants a login, to whoever named it so.
pub(crate) fn login_required(name: &str, naming: Naming) -> String {
    format!("OAuth authentication required: run codewhale mcp login {}", naming.of(name))
}

/// That a server wants scopes that the login has not, to whoever named it so. `missing` says so.
pub(crate) fn scopes_required(missing: &str, name: &str, naming: Naming) -> String {
    format!("{missing}: run codewhale mcp login {}", naming.of(name))
}

/// What to do about scopes that a login asked for and that the server misses all the same.
pub(crate) fn scopes_refused(name: &str, naming: Naming) -> String {
    format!(
        "whoever runs the server, or the provider, gives them; if you took them back in the browser, {} again",
        login(name, naming)
    )
}

/// What to do about a login that came to nothing.
pub(crate) fn refused(name: &str, naming: Naming, refused: &LoginRefused) -> Option<String> {
    Some(match refused {
        LoginRefused::OwnCredentials => {
            "take its `Authorization` header, its bearer variable or the user in its URL out of the definition first"
                .to_owned()
        }
        LoginRefused::Login(LoginError::ServerOffersNone { .. }) => own_token(name, naming),
        LoginRefused::Login(error) => return came_to_nothing(error),
        _ => return None,
    })
}

/// How a server is given a token that somebody made for us.
fn own_token(name: &str, naming: Naming) -> String {
    let how = match naming {
        Naming::Url => "`--url … --bearer-token-env-var VARIABLE`".to_owned(),
        _ => format!(
            "`bearer_token_env_var` in its definition, or `codewhale mcp add {} --force --url … \
             --bearer-token-env-var VARIABLE`",
            word(name)
        ),
    };
    format!("a token that was made for you goes into an environment variable, which {how} names")
}

fn came_to_nothing(error: &LoginError) -> Option<String> {
    Some(match error {
        LoginError::NoClient { .. } | LoginError::IssuerRegistersNot { .. } => {
            "register a client there by hand, with a redirect URI on http://127.0.0.1, and give its id to the server as \
             `oauth.client_id`"
                .to_owned()
        }
        LoginError::ForeignClient { .. } | LoginError::Client { .. } => {
            "mend `oauth.client_id` and `oauth.client_secret_env_var` of the server".to_owned()
        }
        LoginError::Browse(BrowseError::NoLanding { .. }) => {
            "`mcp_oauth_callback_port` in config.toml names another port".to_owned()
        }
        LoginError::TimedOut | LoginError::Browse(BrowseError::TimedOut { .. }) => {
            "begin again; --no-browser and --device log in where no browser can be opened".to_owned()
        }
        LoginError::Store(StoreError::Locked { .. }) => "open your keyring and begin again".to_owned(),
        LoginError::Store(StoreError::Damaged { .. }) => "to take it away mends it; log in anew then".to_owned(),
        error if error.is_blocked() => {
            "the lists of hosts stand in `[network]` of config.toml and hold for logins too".to_owned()
        }
        _ => return None,
    })
}
