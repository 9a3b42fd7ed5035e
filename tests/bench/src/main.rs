//! A program that calls a server as fast as the client can, to be measured from outside.
//!
//! `bench-client seq --server "CMD ARGS" [--size 100] [--n 1000]` makes one call of the tool `echo` after
//! another, each with a text of `size` bytes.

use std::error::Error;

use codewhale_mcp_client::{Client, Options};
use codewhale_mcp_transport::stdio::{Guard, Launch, StdioConnector};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (scenario, options) = arguments.split_first().ok_or("which scenario?")?;
    let run = read(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match scenario.as_str() {
        "seq" => runtime.block_on(seq(&run)),
        other => Err(format!("there is no scenario {other}").into()),
    }
}

struct Run {
    server: Vec<String>,
    size: usize,
    n: usize,
}

fn read(options: &[String]) -> Result<Run, Box<dyn Error>> {
    let mut run = Run { server: Vec::new(), size: 100, n: 1000 };
    for pair in options.chunks(2) {
        match pair {
            [name, value] if name == "--server" => {
                run.server = value.split_whitespace().map(str::to_owned).collect();
            }
            [name, value] if name == "--size" => run.size = value.parse()?,
            [name, value] if name == "--n" => run.n = value.parse()?,
            _ => return Err(format!("what is {pair:?}?").into()),
        }
    }
    Ok(run)
}

async fn seq(run: &Run) -> Result<(), Box<dyn Error>> {
    let (program, arguments) = run.server.split_first().ok_or("--server is empty")?;
    let mut launch = Launch::new(program);
    launch.args = arguments.iter().map(Into::into).collect();
    let client = Client::connect(&StdioConnector::new(launch, Guard::none()), Options::default()).await?;
    let arguments = serde_json::json!({ "text": "x".repeat(run.size) });
    for _ in 0..run.n {
        let result = client.call_tool("echo", &arguments).send().await?;
        let text = result.content.first().and_then(|content| content.text.as_ref());
        if text.map(String::len) != Some(run.size) {
            return Err("the server did not send the text back".into());
        }
    }
    client.close().await;
    Ok(())
}
