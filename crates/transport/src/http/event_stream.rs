//! The deprecated HTTP+SSE transport: one stream on which the server says everything, and names where messages are
//! posted (MCP 2024-11-05, basic/transports).

use std::time::Duration;

use codewhale_mcp_redact::{safe_line, safe_url};
use url::Url;

use crate::{Answer, Carrier, Exchange, ExchangeError, Frames, Media, OpenError, Verb, whole};

/// How long a server has to name the address for messages.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most bytes and characters of an answer that is shown when it is no stream.
const EXCERPT: (usize, usize) = (16 * 1024, 200);

/// Opens the stream. It comes with the URL that messages are posted to, which has the origin of `url`; nothing has
/// been sent to it yet.
pub(super) async fn open(
    carrier: &dyn Carrier,
    url: &Url,
    message_limit: usize,
) -> Result<(Frames, Url), OpenError> {
    let answer = carrier.exchange(Exchange { verb: Verb::Get, headers: Vec::new() }).await?;
    if answer.status != 200 || answer.media != Media::EventStream {
        return Err(no_event_stream(answer).await);
    }
    let none = |reason: &str| OpenError::Endpoint { reason: reason.to_owned() };
    let mut frames =
        Frames::new(&answer.media, answer.body, message_limit).map_err(|_| none("it is no event stream"))?;
    let named = tokio::time::timeout(PATIENCE, endpoint(&mut frames)).await;
    let late = |_| none(&format!("no address for messages came within {} s", PATIENCE.as_secs()));
    let Some(named) = named.map_err(late)?? else {
        return Err(none("it ended before it named an address for messages"));
    };
    let target = target(url, &named).map_err(|reason| OpenError::Endpoint { reason })?;
    Ok((frames, target))
}

async fn endpoint(frames: &mut Frames) -> Result<Option<String>, ExchangeError> {
    while let Some(event) = frames.next_event().await? {
        if event.event.as_deref() == Some("endpoint") {
            return Ok(Some(String::from_utf8_lossy(&event.data).into_owned()));
        }
    }
    Ok(None)
}

/// Where messages go. Another origin would get what is meant for this one, credentials too.
fn target(url: &Url, named: &str) -> Result<Url, String> {
    let Ok(mut target) = url.join(named) else {
        return Err(format!("the address for messages is no URL: {}", safe_url(named)));
    };
    target.set_fragment(None);
    if !target.username().is_empty() || target.password().is_some() {
        return Err(format!(
            "the address for messages holds a user or a password: {}",
            safe_url(target.as_str())
        ));
    }
    if target.origin() != url.origin() {
        return Err(format!("the address for messages is on another origin: {}", safe_url(target.as_str())));
    }
    Ok(target)
}

async fn no_event_stream(mut answer: Answer) -> OpenError {
    let kind = match &answer.media {
        Media::Json => "JSON".to_owned(),
        Media::EventStream => "an event stream".to_owned(),
        Media::Other(media) => safe_line(media).into_owned(),
        Media::Unnamed => "nothing that has a name".to_owned(),
    };
    let (bytes, characters) = EXCERPT;
    let body = tokio::time::timeout(PATIENCE, whole(&mut *answer.body, bytes)).await;
    let mut reason = format!("status {} with {kind}", answer.status);
    if let Ok(Ok(body)) = body
        && !body.is_empty()
    {
        let text = String::from_utf8_lossy(&body);
        let text: String = text.trim().chars().take(characters).collect();
        reason = format!("{reason}: {}", safe_line(&text));
    }
    OpenError::NoEventStream { status: answer.status, reason }
}
