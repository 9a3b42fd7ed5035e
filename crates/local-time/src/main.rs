//! The server as a program: for a host that starts it, or, with `--listen`, for whoever asks over HTTP.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;

use codewhale_local_time::{World, server};
use codewhale_mcp_server::http::{self, Options};
use codewhale_mcp_server::{Server, serve_stdio};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::net::TcpListener;

const USAGE: &str = "usage: local-time [--listen ADDRESS:PORT]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<(), Box<dyn Error>> {
    let server = server(World { now: Timestamp::now, zone: TimeZone::system() })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match words {
        [] => runtime.block_on(serve_stdio(&server))?,
        ["--listen", address] => {
            let socket: SocketAddr = address
                .parse()
                .map_err(|_| format!("{address:?} is no ADDRESS:PORT, such as 127.0.0.1:8090"))?;
            let listened = runtime.block_on(listen(server, socket));
            listened.map_err(|error| format!("cannot serve at {address}: {error}"))?;
        }
        ["--help" | "-h"] => say(USAGE),
        _ => return Err(USAGE.into()),
    }
    // A thread that still waits for a client is left behind.
    runtime.shutdown_background();
    Ok(())
}

async fn listen(server: Server, address: SocketAddr) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    say(&format!("http://{}{}", listener.local_addr()?, Options::default().path));
    let interrupted = async {
        // Without that signal there is no end but the process's own.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    http::listen(server, Options::default(), listener, interrupted).await
}

fn say(line: &str) {
    // Whoever does not read this cannot be told.
    let _ = writeln!(std::io::stderr(), "{line}");
}
