//! The pages that a browser is shown: no scripts, nothing from elsewhere, nothing that leaves.

use codewhale_mcp_redact::safe_text;

use crate::browse::Ending;

/// As much of a reason as is shown, in characters.
const REASON: usize = 1000;

/// Why a request changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Malformed,
    LongLine,
    LongHead,
    Host,
    NotFound,
    Method,
    /// It is not the answer to what was asked.
    Stray,
}

/// The response that a refused request gets.
pub(super) fn refused(refusal: Refusal) -> String {
    let status = match refusal {
        Refusal::Malformed | Refusal::Stray => "400 Bad Request",
        Refusal::LongLine => "414 URI Too Long",
        Refusal::LongHead => "431 Request Header Fields Too Large",
        Refusal::Host => "403 Forbidden",
        Refusal::NotFound => "404 Not Found",
        Refusal::Method => "405 Method Not Allowed\r\nAllow: GET",
    };
    let text = match refusal {
        Refusal::Stray => "This is not the answer to the login that waits here. It still waits.",
        _ => "There is nothing here.",
    };
    response(status, "Nothing happened", text)
}

/// The response that a login ends with.
pub(super) fn ended(ending: &Ending) -> String {
    match ending {
        Ending::LoggedIn => response("200 OK", "You are logged in", "You can close this page."),
        Ending::Failed { reason } => {
            let reason: String = reason.chars().take(REASON).collect();
            response("400 Bad Request", "The login failed", &escape(&reason))
        }
    }
}

/// The response when nobody says how it ended.
pub(super) fn unknown() -> String {
    response(
        "200 OK",
        "Go back to where you began",
        "There you see how the login ended. You can close this page.",
    )
}

/// A whole response. `text` is HTML.
fn response(status: &str, title: &str, text: &str) -> String {
    let body = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><h1>{title}</h1><p>{text}</p></body>\n</html>\n"
    );
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n\
         Content-Type: text/html; charset=utf-8\r\n\
         Content-Length: {length}\r\n\
         Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'\r\n\
         Referrer-Policy: no-referrer\r\n\
         X-Content-Type-Options: nosniff\r\n\
         Cache-Control: no-store\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in safe_text(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_escaped() {
        let reason = "<script>alert('x')</script>&\"\u{1b}[2J\u{202e}".to_owned();
        let page = ended(&Ending::Failed { reason });
        assert!(page.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{page}");
        let expected = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\\u{1b}[2J\\u{202e}</p>";
        assert!(page.contains(expected), "{page}");
        let long = ended(&Ending::Failed { reason: "<".repeat(5000) });
        assert_eq!(long.matches("&lt;").count(), REASON);
    }
}
