//! From the arguments to an exit code.

use std::io::{self, Read, Write};
use std::time::Duration;

use codewhale_mcp_process::{keep_closed, parent_left};
use codewhale_mcp_server::{Server, serve_blocking, serve_stdio};
use codewhale_native::{Native, server};

use super::listening::Listening;
use super::offered::options;
use crate::args::ServerArgs;
use crate::drive::ended_by;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;
use crate::world::{Interrupts, Output, Signals, Streams, Terminal};

/// How long commands may take to go at the end. The guard process ends what is left.
const LEAVING: Duration = Duration::from_millis(800);

/// How many tasks have their turn before the system is asked for news.
const TURNS: u32 = 8;

/// Serves until the client has gone: it closed our input, or it ended. Over HTTP until a signal comes.
pub(crate) fn run(run: &mut Run, args: &ServerArgs) -> Result<Exit, Failure> {
    let options = options(run, args)?;
    let changes = !options.allow.is_empty();
    let listening = args.listen.map(|address| Listening::new(run, address, args, changes)).transpose()?;
    let root = options.workspace.root().display().to_string();
    let native = server(options).map_err(|error| Failure::usage(error.to_string()))?;
    run.printer.detail(format!("serving {root}"));
    let signals = std::mem::replace(&mut run.world.signals, Signals::System);
    let input = std::mem::replace(&mut run.world.stdin, Box::new(io::empty()));
    let nothing = Output { writer: Box::new(io::sink()), terminal: Terminal::No };
    let output = std::mem::replace(&mut run.world.stdout, nothing);
    let streams = run.world.streams;
    if let Streams::Process = streams {
        // What our environment says is not for the commands that we run.
        keep_closed();
    }
    // Long answers are written in this thread, too, and none of them is to keep the end of input, or a timer, waiting.
    let runtime = tokio::runtime::Builder::new_current_thread().event_interval(TURNS).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::system("start the runtime", error))?;
    let outcome = runtime.block_on(async {
        let mut interrupts = Interrupts::listen(signals);
        let signal = async { ended_by(interrupts.next().await) };
        let outcome = match listening {
            Some(listening) => listening.serve(run, native.server.clone(), signal).await,
            None => tokio::select! {
                served = served(&native.server, streams, input, output.writer) => match served {
                    Ok(()) => Ok(Exit::Ok),
                    Err(error) => Err(Failure::system("read standard input", error)),
                },
                () = parent(streams) => Ok(Exit::Ok),
                exit = signal => Ok(exit),
            },
        };
        end(&native).await;
        outcome
    });
    // Neither a thread that waits for input nor one that searches is waited for.
    runtime.shutdown_background();
    outcome
}

async fn served(
    server: &Server,
    streams: Streams,
    input: Box<dyn Read + Send>,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    match streams {
        Streams::Process => serve_stdio(server).await,
        Streams::Given => serve_blocking(server, input, output).await,
    }
}

/// Waits until whoever started this process has gone: others may hold our input open.
async fn parent(streams: Streams) {
    match streams {
        Streams::Process => parent_left().await,
        Streams::Given => std::future::pending().await,
    }
}

async fn end(native: &Native) {
    let _ = tokio::time::timeout(LEAVING, native.end()).await;
}
