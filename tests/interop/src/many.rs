//! A server of ours with what the others lack: lists of several pages, and messages for a log.
//!
//! `codewhale-interop --many [--listen ADDRESS:PORT]`.

use std::error::Error;

use codewhale_mcp_protocol::LoggingLevel;
use codewhale_mcp_server::http::{self, Options};
use codewhale_mcp_server::{BuildError, Context, NoArguments, Server, prompt, resource, serve_stdio, tool};
use tokio::net::TcpListener;

/// The argument that makes this program that server.
pub(crate) const MANY: &str = "--many";

/// How many there are of everything, and how many of them a page has.
const MOST: usize = 5;
const PAGE: usize = 2;

/// Serves until the client has gone, or, where it listens, until it is told to end.
pub(crate) async fn serve(more: &[String]) -> Result<(), Box<dyn Error>> {
    let server = server()?;
    let [_, address] = more else { return Ok(serve_stdio(&server).await?) };
    let listener = TcpListener::bind(address).await?;
    eprintln!("http://{}{}", listener.local_addr()?, Options::default().path);
    Ok(http::listen(server, Options::default(), listener, std::future::pending()).await?)
}

fn server() -> Result<Server, BuildError> {
    let mut many = Server::builder("many", "1.0.0").page_size(PAGE).logs();
    for number in 1..=MOST {
        let name = format!("number_{number}");
        let said = |number: usize| async move { Ok(number.to_string()) };
        many = many
            .tool(tool(&name, move |_: NoArguments, _: Context| said(number)))
            .resource(resource(format!("many://{number}"), &name, move |_| said(number)))
            .prompt(prompt(&name, move |_: NoArguments, _: Context| said(number)));
    }
    many.tool(tool("logs", logs)).build()
}

/// Tells one thing at each of two levels.
async fn logs(_: NoArguments, context: Context) -> Result<&'static str, codewhale_mcp_server::Failure> {
    context.log(LoggingLevel::Info, Some("many"), "quiet").await;
    context.log(LoggingLevel::Error, Some("many"), "loud").await;
    Ok("logged")
}
