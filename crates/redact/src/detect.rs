//! What a secret's name and a secret's value look like.

/// Words that announce a secret wherever they stand in a name.
const SECRET_WORDS: &[&str] = &[
    "token",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passphrases",
    "passcode",
    "passwort",
    "pwd",
    "pass",
    "pw",
    "apikey",
    "apikeys",
    "accesskey",
    "privatekey",
    "secretkey",
    "authorization",
    "authentication",
    "credential",
    "credentials",
    "cred",
    "creds",
    "cookie",
    "cookies",
    "bearer",
    "jwt",
    "pat",
    "otp",
    "totp",
    "mnemonic",
    "assertion",
    "dsn",
];

/// Endings of one word, for names written without a separator such as `PGPASSWORD`.
const SECRET_ENDINGS: &[&str] =
    &["password", "passwd", "token", "secret", "apikey", "authorization", "credentials"];

/// Words that make `tokens` a number of them.
const COUNTING_WORDS: &[&str] = &[
    "max",
    "min",
    "num",
    "number",
    "total",
    "count",
    "limit",
    "budget",
    "input",
    "output",
    "prompt",
    "completion",
    "context",
    "thinking",
    "reasoning",
    "per",
    "used",
    "new",
    "stop",
    "special",
];

/// A last word that makes a name point at a secret, or describe it, instead of holding it.
const POINTING_WORDS: &[&str] = &[
    "file", "path", "dir", "env", "var", "endpoint", "url", "uri", "limit", "count", "type", "name", "ttl",
    "timeout",
];

/// Keys that are no secret.
const OPEN_KEYS: &[&str] =
    &["public", "primary", "foreign", "partition", "sort", "cache", "object", "row", "hot"];

/// Whether a name (of an option, an environment variable, a header, a member, a query parameter) announces a secret:
/// `GITHUB_TOKEN`, `X-Api-Key`, `clientSecret`, `--password`. Case, separators and leading dashes do not matter.
pub fn is_secret_name(name: &str) -> bool {
    // The shell's working directory, not a password.
    if name == "PWD" || name == "OLDPWD" {
        return false;
    }
    let words = words(name);
    let Some(last) = words.last() else { return false };
    if words.len() > 1 && POINTING_WORDS.contains(&last.as_str()) {
        return false;
    }
    if last == "auth"
        || (last == "key" && !words.iter().rev().nth(1).is_some_and(|w| OPEN_KEYS.contains(&w.as_str())))
    {
        return true;
    }
    words.iter().enumerate().any(|(at, word)| {
        SECRET_WORDS.contains(&word.as_str())
            || SECRET_ENDINGS.iter().any(|ending| word.ends_with(ending))
            || (word.ends_with("tokens") && !words.iter().any(|word| COUNTING_WORDS.contains(&word.as_str())))
            || (matches!(word.as_str(), "key" | "keys")
                && at > 0
                && matches!(
                    words[at - 1].as_str(),
                    "api" | "secret" | "private" | "auth" | "access" | "signing" | "encryption"
                ))
    })
}

/// Prefixes of tokens that providers hand out, each with the least number of characters that follow.
const TOKEN_PREFIXES: &[(&str, usize)] = &[
    ("sk-", 16),
    ("sk_live_", 8),
    ("sk_test_", 8),
    ("rk_live_", 8),
    ("whsec_", 8),
    ("ghp_", 16),
    ("gho_", 16),
    ("ghu_", 16),
    ("ghs_", 16),
    ("ghr_", 16),
    ("github_pat_", 16),
    ("glpat-", 12),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxe-", 8),
    ("xoxp-", 8),
    ("xoxr-", 8),
    ("xoxs-", 8),
    ("xapp-", 8),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 12),
    ("hf_", 16),
    ("npm_", 16),
    ("pypi-", 16),
    ("dop_v1_", 16),
    ("shpat_", 12),
    ("SG.", 20),
    ("lin_api_", 12),
    ("ntn_", 16),
    ("figd_", 12),
    ("sbp_", 16),
    ("tvly-", 12),
    ("gsk_", 16),
    ("xai-", 16),
    ("dckr_pat_", 12),
    ("PMAK-", 16),
    ("ATATT", 20),
];

/// Whether a value looks like a credential by itself: a token with a well-known prefix, a JSON web token, a private
/// key, or an authorization value (`Bearer …`, `Basic …`).
pub fn looks_like_secret(value: &str) -> bool {
    let value = value.trim();
    if value.starts_with("-----BEGIN ") && value.contains("PRIVATE KEY") {
        return true;
    }
    if let Some((scheme, rest)) = value.split_once(' ')
        && ["bearer", "basic", "token"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
    {
        let rest = rest.trim();
        return rest.len() >= 6 && rest.chars().all(is_token_char);
    }
    is_known_token(value)
}

/// Whether one run of token characters is a credential.
pub(crate) fn is_known_token(run: &str) -> bool {
    if !run.chars().all(is_token_char) {
        return false;
    }
    if run.starts_with("eyJ") && run.len() >= 20 && run.matches('.').count() >= 1 {
        return true;
    }
    // Many servers take keys of their own making in this form, and short ones. A word has no digit.
    let is_short = |tail: &str| tail.len() >= 8 && tail.contains(|c: char| c.is_ascii_digit());
    if run.strip_prefix("sk-").is_some_and(|tail| is_short(tail) && !tail.contains(['.', '/', '='])) {
        return true;
    }
    TOKEN_PREFIXES
        .iter()
        .any(|(prefix, rest)| run.strip_prefix(prefix).is_some_and(|tail| tail.len() >= *rest))
}

/// The characters of RFC 6750's `b64token`, and `:` is not among them.
pub(crate) fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~' | '+' | '/' | '=')
}

/// Splits a name at separators and at changes of case, in lower case: `X-apiKey` is `x`, `api`, `key`.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    for c in name.chars() {
        let ends_word = !c.is_alphanumeric() || (c.is_uppercase() && previous_lower);
        if ends_word && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        previous_lower = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}
