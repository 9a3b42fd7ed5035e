//! Whether a text has one of the formats that forms know.

use crate::StringFormat;

/// Whether `text` has the format, as far as its form can tell. An unknown format fits every text.
pub(super) fn has_format(text: &str, format: &StringFormat) -> bool {
    match format {
        StringFormat::Email => is_email(text),
        StringFormat::Uri => is_uri(text),
        StringFormat::Date => is_date(text.as_bytes()),
        StringFormat::DateTime => is_date_time(text.as_bytes()),
        StringFormat::Other(_) => true,
    }
}

/// Something, `@`, a domain: the strict grammar refuses addresses that work.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let plain =
        |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control());
    plain(local) && plain(domain) && !domain.starts_with('.') && !domain.ends_with('.')
}

/// A scheme and something behind it (RFC 3986).
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let forbidden = |c: char| !c.is_ascii() || c.is_ascii_control() || " \"<>\\^`{|}".contains(c);
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        && !rest.is_empty()
        && !rest.contains(forbidden)
}

/// `full-date` (RFC 3339).
fn is_date(text: &[u8]) -> bool {
    let [a, b, c, d, b'-', e, f, b'-', g, h] = text else { return false };
    let year = number(&[*a, *b, *c, *d]);
    let (Some(year), Some(month), Some(day)) = (year, number(&[*e, *f]), number(&[*g, *h])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `date-time` (RFC 3339).
fn is_date_time(text: &[u8]) -> bool {
    let Some((date, rest)) = text.split_at_checked(10) else { return false };
    let [b'T' | b't' | b' ', time @ ..] = rest else { return false };
    let [a, b, b':', c, d, b':', e, f, rest @ ..] = time else { return false };
    let clock = |hours: &[u8], minutes: &[u8]| {
        number(hours).is_some_and(|hours| hours < 24) && number(minutes).is_some_and(|minutes| minutes < 60)
    };
    let seconds = number(&[*e, *f]).is_some_and(|seconds| seconds <= 60);
    let zone = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        zone => zone,
    };
    let zoned = match zone {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', a, b, b':', c, d] => clock(&[*a, *b], &[*c, *d]),
        _ => false,
    };
    is_date(date) && clock(&[*a, *b], &[*c, *d]) && seconds && zoned
}

/// The number that these digits are.
fn number(digits: &[u8]) -> Option<u32> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    digits.iter().try_fold(0, |number, byte| Some(number * 10 + digit(byte)?))
}
