//! A conversation with one server that may ask back: what stands around a single request.

use std::sync::Arc;
use std::time::Instant;

use codewhale_mcp_config::Server;
use codewhale_mcp_manager::Connection;

use super::heard::ask_for_messages;
use super::opened::{failed, open};
use crate::answers::Answers;
use crate::args::AskedArgs;
use crate::configured::Configured;
use crate::drive::drive_with;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{Printer, time};
use crate::run::Run;

/// Opens a connection, has `request` made and its answer printed, and closes it.
pub(super) fn talk(
    run: &mut Run,
    configured: &Configured,
    server: &Server,
    asked: &AskedArgs,
    request: impl AsyncFnOnce(&Connection, &Arc<Answers>) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let answers = Answers::of(run, asked, &server.name)?;
    let (printer, level) = (run.printer.clone(), asked.log_level);
    let outcome = drive_with(
        run,
        configured,
        |options| answers.declare(options),
        async |manager| {
            let connection = open(manager, server, &printer).await?;
            ask_for_messages(connection.client(), level, &printer).await.map_err(failed(server))?;
            let exit = request(&connection, &answers).await?;
            printer.flush()?;
            connection.close().await;
            Ok(exit)
        },
    );
    answers.settle(outcome)
}

/// How long an answer took, since its request was made.
pub(super) struct Took(Instant);

impl Took {
    /// The request is made now.
    pub(super) fn now() -> Self {
        Self(Instant::now())
    }

    /// For machines.
    pub(super) fn millis(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// For people who want to know more.
    pub(super) fn tell(&self, printer: &Printer) {
        printer.detail(format!("the server answered after {}", time(self.0.elapsed())));
    }
}
