//! Command lines without the credentials in them.

use crate::detect::{is_known_token, is_secret_name, is_token_char};
use crate::{REDACTED, safe_line, safe_url};

/// Shows the arguments of a command without what looks like a secret: the value after `--token`, of `--api-key=…`, of
/// `KEY=…`, of a header such as `Authorization: …`, of a member of a JSON argument; the password of `-u user:password`;
/// the credentials of URLs; and tokens with a well-known prefix anywhere. Each argument is made safe for one line.
pub fn safe_args<S: AsRef<str>>(args: &[S]) -> Vec<String> {
    let mut follows = Follows::Anything;
    args.iter()
        .map(|arg| {
            let arg = arg.as_ref();
            let shown = match follows {
                Follows::Secret => REDACTED.to_owned(),
                Follows::UserAndPassword => match arg.split_once(':') {
                    Some((user, _)) => format!("{user}:{REDACTED}"),
                    None => hide(arg),
                },
                Follows::Anything => hide(arg),
            };
            follows = follower(arg);
            safe_line(&shown).into_owned()
        })
        .collect()
}

/// What the argument behind a given one is.
#[derive(Clone, Copy)]
enum Follows {
    Anything,
    Secret,
    UserAndPassword,
}

fn follower(arg: &str) -> Follows {
    if matches!(arg, "-u" | "--user" | "--proxy-user") {
        return Follows::UserAndPassword;
    }
    let is_flag = arg.starts_with('-') && !arg.contains(['=', ':', ' ']);
    match is_flag && is_secret_name(arg) {
        true => Follows::Secret,
        false => Follows::Anything,
    }
}

fn hide(arg: &str) -> String {
    hide_tokens(&hide_urls(&hide_pairs(arg)))
}

/// Hides the value of every `name=value`, `name: value` and `"name": "value"` whose name announces a secret.
fn hide_pairs(arg: &str) -> String {
    let mut shown = String::with_capacity(arg.len());
    let mut copied = 0;
    let mut from = 0;
    while let Some(found) = arg[from..].find(['=', ':']) {
        let separator = from + found;
        from = separator + 1;
        let (name_start, name) = name_before(&arg[..separator]);
        // `://` belongs to a URL, which has its own rules.
        if !is_secret_name(name) || arg[separator..].starts_with("://") {
            continue;
        }
        let value_start = from + (arg[from..].len() - arg[from..].trim_start().len());
        let value = &arg[value_start..];
        let (start, end) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let start = value_start + 1;
                (start, quoted_end(arg, start, quote))
            }
            _ if arg[..name_start].trim_start_matches('-').is_empty() => (value_start, arg.len()),
            _ => {
                let length = value.find(|c: char| c.is_whitespace() || "&;,}])\"'".contains(c));
                (value_start, value_start + length.unwrap_or(value.len()))
            }
        };
        if start < end {
            shown.push_str(&arg[copied..start]);
            shown.push_str(REDACTED);
            copied = end;
            from = end;
        }
    }
    shown.push_str(&arg[copied..]);
    shown
}

/// The name that ends where `text` ends, without the quotes around it, and where it starts.
fn name_before(text: &str) -> (usize, &str) {
    let text = text.trim_end().trim_end_matches(['"', '\'', '\\']);
    let length = text
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .map(char::len_utf8);
    let start = text.len() - length.sum::<usize>();
    (start, &text[start..])
}

fn quoted_end(arg: &str, start: usize, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in arg[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return start + at,
            _ => {}
        }
    }
    arg.len()
}

fn hide_urls(arg: &str) -> String {
    let Some(found) = arg.find("://") else { return arg.to_owned() };
    let scheme =
        arg[..found].chars().rev().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let start = found - scheme.count();
    let length = arg[start..]
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\''))
        .unwrap_or(arg.len() - start);
    let (url, rest) = arg[start..].split_at(length);
    // A URL of one word is kept whole; more of them may follow behind the blank.
    format!("{}{}{}", &arg[..start], safe_url(url), hide_urls(rest))
}

/// Hides every run of token characters that is a known token, and what stands behind `Bearer`.
fn hide_tokens(arg: &str) -> String {
    let mut shown = String::with_capacity(arg.len());
    let mut previous = String::new();
    let mut rest = arg;
    while !rest.is_empty() {
        let run = rest.find(|c| !is_token_char(c)).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(run);
        let bearer = previous.eq_ignore_ascii_case("bearer") || previous.eq_ignore_ascii_case("basic");
        // `name=token` is one run, and so is a path that ends in a token.
        let at = word.rfind(['=', '/']).filter(|at| at + 1 < word.len()).map_or(0, |at| at + 1);
        if (bearer && word.len() >= 6) || is_known_token(word) {
            shown.push_str(REDACTED);
        } else if is_known_token(&word[at..]) {
            shown.extend([&word[..at], REDACTED]);
        } else {
            shown.push_str(word);
        }
        if !word.is_empty() {
            word.clone_into(&mut previous);
        }
        let gap = tail.find(is_token_char).unwrap_or(tail.len());
        shown.push_str(&tail[..gap]);
        rest = &tail[gap..];
    }
    shown
}
