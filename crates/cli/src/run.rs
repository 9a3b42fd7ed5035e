//! From arguments to an exit code.

use std::ffi::OsString;
use std::io::Read;

use clap::Parser;

use crate::args::{Cli, Command, Mcp, Target};
use crate::exit::Exit;
use crate::printer::Printer;
use crate::server::{Start, report};
use crate::world::World;
use crate::{call, connect, tools};

/// The hidden verb under which this program guards the processes of another run of itself.
pub const GUARD_VERB: &str = "__guard";

/// Guards until `orders` end. For the binary, when it is started with [`GUARD_VERB`] alone.
pub fn guard(orders: impl Read) {
    codewhale_mcp_manager::guard::serve(orders);
}

/// Runs one command line, the program's name first.
pub fn run<I, A>(args: I, world: &mut World<'_>) -> Exit
where
    I: IntoIterator<Item = A>,
    A: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let text = error.render().to_string();
            let stream: &mut dyn std::io::Write =
                if error.use_stderr() { &mut *world.stderr } else { &mut *world.stdout };
            // Nobody reading is no reason to fail.
            let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
            return if error.use_stderr() { Exit::Usage } else { Exit::Ok };
        }
    };
    let Command::Mcp(command) = cli.command;
    let start = Start::new(target(&command), world);
    let mut printer = Printer::new(&mut *world.stdout, &mut *world.stderr);
    let exit = match start {
        Ok(start) => in_runtime(start, &command, &mut printer),
        Err(why) => {
            printer.error(why);
            Exit::Usage
        }
    };
    printer.finish();
    exit
}

fn target(command: &Mcp) -> &Target {
    match command {
        Mcp::Connect(target) => target,
        Mcp::Tools(args) => &args.target,
        Mcp::Call(args) => &args.target,
    }
}

fn in_runtime(start: Start, command: &Mcp, printer: &mut Printer<'_>) -> Exit {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            printer.error(format_args!("cannot start: {error}"));
            return Exit::Failed;
        }
    };
    runtime.block_on(async {
        let mut client = None;
        let exit = tokio::select! {
            exit = work(start, command, printer, &mut client) => exit,
            exit = told_to_end() => exit,
        };
        if let Some(client) = client {
            let client: codewhale_mcp_client::Client = client;
            client.close().await;
        }
        exit
    })
}

async fn work(
    start: Start,
    command: &Mcp,
    printer: &mut Printer<'_>,
    client: &mut Option<codewhale_mcp_client::Client>,
) -> Exit {
    let connected = match start.connect().await {
        Ok(connected) => connected,
        Err(failure) => return report(&failure, target(command), printer),
    };
    *client = Some(connected.client.clone());
    match command {
        Mcp::Connect(target) => connect::show(&connected, target.json, printer),
        Mcp::Tools(args) => tools::show(&connected, args, printer),
        Mcp::Call(args) => return call::call(&connected, args, printer).await,
    }
    Exit::Ok
}

#[cfg(unix)]
async fn told_to_end() -> Exit {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => Exit::Interrupted,
        _ = terminate.recv() => Exit::Terminated,
    }
}

#[cfg(not(unix))]
async fn told_to_end() -> Exit {
    match tokio::signal::ctrl_c().await {
        Ok(()) => Exit::Interrupted,
        Err(_) => std::future::pending().await,
    }
}
