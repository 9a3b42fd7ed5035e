//! `bench-served`: our server with the one tool that every server of the measurement has, in one thread.

use std::error::Error;

use codewhale_mcp_server::{Context, Failure, Server, serve_stdio, tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    /// What is sent back.
    text: String,
}

async fn echo(echo: Echo, _: Context) -> Result<String, Failure> {
    Ok(echo.text)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::builder("bench", env!("CARGO_PKG_VERSION"))
        .tool(tool("echo", echo).description("Sends text back.").read_only())
        .build()?;
    Ok(serve_stdio(&server).await?)
}
