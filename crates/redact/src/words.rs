//! The words of a command line, and what a flag says of the word behind it.

use std::ops::Range;

use crate::detect::is_secret_name;

/// What the word behind a flag is.
#[derive(Clone, Copy)]
pub(crate) enum Follows {
    Secret,
    UserAndPassword,
}

impl Follows {
    /// The part of a word that is hidden, if any.
    pub(crate) fn span(self, word: &str) -> Option<Range<usize>> {
        match self {
            Self::Secret => Some(0..word.len()),
            Self::UserAndPassword => account(word),
        }
    }
}

/// What follows a word, if it is a flag that says so.
pub(crate) fn follower(word: &str) -> Option<Follows> {
    if matches!(word, "-u" | "--user" | "--proxy-user") {
        return Some(Follows::UserAndPassword);
    }
    let is_flag = word.starts_with('-') && !word.contains(['=', ':', ' ']);
    (is_flag && is_secret_name(word)).then_some(Follows::Secret)
}

/// The words of a text as a shell would see them, without the quotes and separators around them.
pub(crate) fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = 0;
    while let Some(gap) = text[from..].find(|c: char| !is_gap(c)) {
        let start = from + gap;
        let quote = text[start..].chars().next().filter(|c| matches!(c, '"' | '\''));
        let (start, end) = match quote {
            Some(quote) => {
                let start = start + 1;
                (start, text[start..].find(quote).map_or(text.len(), |end| start + end))
            }
            None => (start, text[start..].find(is_gap).map_or(text.len(), |end| start + end)),
        };
        let word = text[start..end].trim_end_matches([',', ')', ']', '"', '\'']);
        words.push(start..start + word.len());
        from = end + usize::from(quote.is_some() && end < text.len());
    }
    words
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | '|' | '(' | '[' | '`' | ',')
}

/// The password of `user:password`. Two numbers are a user and a group of a container.
fn account(word: &str) -> Option<Range<usize>> {
    let (user, password) = word.split_once(':')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let other = password.starts_with("//") || (number(user) && number(password));
    (!other).then(|| user.len() + 1..word.len())
}

/// The password of `--user=name:password`, `-uname:password` and `name:password@host`.
pub(crate) fn accounts(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let shown = &text[word.clone()];
    let within = |from: usize, to: usize| Some(word.start + from..word.start + to);
    for flag in ["--user=", "--proxy-user=", "-u"] {
        let Some(value) = shown.strip_prefix(flag) else { continue };
        return account(value).and_then(|span| within(flag.len() + span.start, flag.len() + span.end));
    }
    let start = shown.rfind('=').map_or(0, |at| at + 1);
    let (user, rest) = shown[start..].split_once(':')?;
    let (password, host) = rest.rsplit_once('@')?;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '$' | '{' | '}');
    // Packages and images have such names too: `npm:react@latest`, `image:tag@sha256:…`.
    let package = matches!(user, "npm" | "jsr" | "file" | "workspace" | "github" | "git");
    let is_account = !user.is_empty() && !package && user.chars().all(plain);
    (is_account && !password.is_empty() && !password.starts_with('/') && is_host(host))
        .then(|| start + user.len() + 1)
        .and_then(|from| within(from, from + password.len()))
}

/// Whether this is a host with what may follow one.
fn is_host(text: &str) -> bool {
    let host = text.split(['/', '?', ',']).next().unwrap_or_default();
    let (host, port) = host.split_once(':').unwrap_or((host, "1"));
    let letter = host.starts_with(|c: char| c.is_ascii_alphabetic());
    let address = host.parse::<std::net::Ipv4Addr>().is_ok();
    port.parse::<u16>().is_ok()
        && (letter || address)
        && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'))
}

/// What follows the name or scheme in a hidden part: `user:password`, `user,password`, `Bearer token`.
pub(crate) fn password(hidden: &str) -> Option<&str> {
    let rest = hidden[hidden.find([':', ',', ' '])? + 1..].trim_start();
    (rest.contains(|c: char| !c.is_alphabetic()) || rest.len() >= crate::MIN_SECRET_LENGTH).then_some(rest)
}
