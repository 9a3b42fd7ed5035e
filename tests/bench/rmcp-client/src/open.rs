//! A connection to the server that was named.

use std::process::Stdio;

use codewhale_bench_bare::Arguments;
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::{RoleClient, ServiceExt};
use tokio::process::Command;

use crate::Done;

pub(crate) type Client = RunningService<RoleClient, ()>;

/// A message may be longer than this, which is the most that `TokioChildProcess` can be made to take.
const USUAL_LINE: usize = 8 << 20;

/// More than any message has here.
const LONGEST: usize = 256 << 20;

pub(crate) async fn open(arguments: &Arguments) -> Done<Client> {
    if let Some(url) = &arguments.url {
        return over_http(url).await;
    }
    let (program, words) = arguments.server.split_first().ok_or("--server is empty")?;
    let mut command = Command::new(program);
    command.args(words);
    if arguments.size < USUAL_LINE {
        return Ok(().serve(TokioChildProcess::new(command)?).await?);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (output, input) = (child.stdout.take(), child.stdin.take());
    let (output, input) = (output.expect("it was asked for"), input.expect("it was asked for"));
    let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(usize::MAX);
    Ok(().serve(transport).await?)
}

async fn over_http(url: &str) -> Done<Client> {
    let mut config = StreamableHttpClientTransportConfig::with_uri(url);
    config.max_json_response_size = LONGEST;
    config.max_sse_event_size = LONGEST;
    if std::env::var_os("HTTP_TUNED").is_none() {
        return Ok(().serve(StreamableHttpClientTransport::from_config(config)).await?);
    }
    config.max_concurrent_requests = 4096;
    let client = reqwest::Client::new();
    Ok(().serve(StreamableHttpClientTransport::with_client(client, config)).await?)
}
