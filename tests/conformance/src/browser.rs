//! A person and their browser, who agree to everything: the suite's authorization server asks nothing.

use async_trait::async_trait;
use codewhale_mcp_auth::LoginError;
use codewhale_mcp_auth::browse::{Browse, BrowseError, Landing, Redirected};
use codewhale_mcp_auth::driver::Subject;
use codewhale_mcp_auth::flow::SubjectKind;
use codewhale_mcp_redact::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::{Position, Url};

/// Goes where it is sent, and no further than the first redirect.
#[derive(Debug)]
pub(crate) struct Headless;

#[async_trait]
impl Browse for Headless {
    async fn land(&self, _: Option<&str>) -> Result<Box<dyn Landing>, BrowseError> {
        Ok(Box::new(Headless))
    }
}

#[async_trait]
impl Landing for Headless {
    /// Nobody listens there: the redirect that leads there is all that is wanted.
    fn redirect_uri(&self) -> &'static str {
        "http://localhost:3000/callback"
    }

    async fn visit(&self, url: &str, _: &Secret<String>) -> Result<Redirected, BrowseError> {
        let location = location(url).await.map_err(|reason| BrowseError::GivenUp { reason })?;
        Ok(Redirected(Secret::new(location)))
    }
}

/// Where a page sends whoever asks for it.
async fn location(url: &str) -> Result<String, String> {
    let url: Url = url.parse().map_err(|error| format!("{error}"))?;
    let address = url.socket_addrs(|| None).map_err(|error| error.to_string())?;
    let head = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        &url[Position::BeforePath..Position::AfterQuery],
        &url[Position::BeforeHost..Position::AfterPort],
    );
    let mut answer = Vec::new();
    let read = async {
        let mut stream = TcpStream::connect(&*address).await?;
        stream.write_all(head.as_bytes()).await?;
        stream.read_to_end(&mut answer).await
    };
    read.await.map_err(|error| error.to_string())?;
    let answer = String::from_utf8_lossy(&answer);
    let mut lines = answer.lines();
    let status = lines.next().unwrap_or("").to_owned();
    let headers = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_once(": "));
    let mut locations = headers.filter(|(name, _)| name.eq_ignore_ascii_case("location"));
    locations.next().map(|(_, to)| to.to_owned()).ok_or(format!("it sends nobody anywhere: {status}"))
}

/// The token that a scenario hands out.
#[derive(Debug)]
pub(crate) struct Given(pub(crate) Secret<String>);

#[async_trait]
impl Subject for Given {
    async fn token(&self, _: SubjectKind) -> Result<Secret<String>, LoginError> {
        Ok(self.0.clone())
    }
}
