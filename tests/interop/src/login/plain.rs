//! One exchange of plain HTTP/1.0, whose answer ends with its connection.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Position, Url};

/// Far more than an answer takes.
const LONGEST: Duration = Duration::from_secs(60);

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Answer {
    /// Every value of a header.
    pub(super) fn headers(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.headers.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| &**value)
    }
}

pub(super) async fn get(url: &Url) -> Result<Answer, String> {
    ask("GET", url, "", "").await
}

/// Sends a form.
pub(super) async fn post(url: &Url, form: &[(&str, &str)]) -> Result<Answer, String> {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    ask("POST", url, "Content-Type: application/x-www-form-urlencoded\r\n", &body).await
}

/// Asks with these header lines, each of which ends its line.
pub(super) async fn ask(method: &str, url: &Url, headers: &str, body: &str) -> Result<Answer, String> {
    let failed = |why: String| format!("{method} {}: {why}", url.path());
    let exchanged = timeout(LONGEST, exchange(method, url, headers, body)).await;
    let bytes =
        exchanged.map_err(|_| failed("no answer".into()))?.map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| failed(error.to_string()))?;
    read(&text).ok_or_else(|| failed(format!("this is no answer: {text:?}")))
}

async fn exchange(method: &str, url: &Url, headers: &str, body: &str) -> std::io::Result<Vec<u8>> {
    let host = &url[Position::BeforeHost..Position::AfterPort];
    let mut stream = TcpStream::connect(host).await?;
    let target = &url[Position::BeforePath..Position::AfterQuery];
    let length = body.len();
    let head =
        format!("{method} {target} HTTP/1.0\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await?;
    Ok(bytes)
}

fn read(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let (first, lines) = head.split_once("\r\n").unwrap_or((head, ""));
    let status = first.split(' ').nth(1)?.parse().ok()?;
    let pairs = lines.lines().filter_map(|line| line.split_once(':'));
    let headers = pairs.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect();
    Some(Answer { status, headers, body: body.to_owned() })
}
