//! Calls the tool `echo` with 100 bytes, one call after another: a program to count instructions with.
//!
//! `calls --server "CMD ARGS" --n N`

use std::error::Error;

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_transport::stdio::{Guard, Launch, StdioConnector};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [server_flag, server, n_flag, n] = arguments.as_slice() else {
        return Err("usage: calls --server \"CMD ARGS\" --n N".into());
    };
    assert_eq!((server_flag.as_str(), n_flag.as_str()), ("--server", "--n"), "the two options, in order");
    let mut words = server.split_whitespace();
    let mut launch = Launch::new(words.next().ok_or("the server's command is empty")?);
    launch.args = words.map(Into::into).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(call(StdioConnector::new(launch, Guard::none()), n.parse()?))
}

async fn call(connector: StdioConnector, n: usize) -> Result<(), Box<dyn Error>> {
    let client = Client::connect(&connector, Options::default()).await?;
    let arguments = serde_json::json!({ "text": "x".repeat(100) });
    for _ in 0..n {
        let result = client.call_tool("echo", &arguments).send().await?;
        assert_eq!(result.content[0].text.as_ref().map(String::len), Some(100));
    }
    client.close().await;
    Ok(())
}
