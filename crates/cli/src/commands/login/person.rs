//! What a person is told while they log in, and what they paste.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

use async_trait::async_trait;
use codewhale_mcp_auth::driver::ShowCode;
use codewhale_mcp_auth::flow::DeviceCode;
use codewhale_mcp_auth::listener::{Opened, Person, Visit};
use codewhale_mcp_auth::paste::{LONGEST, PasteError};
use codewhale_mcp_redact::Secret;

use crate::print::{Line, Printer};
use crate::run::Run;
use crate::world::{Asking, piped};

/// A person who logs in with a browser, or on another device.
pub(super) struct AtBrowser {
    printer: Arc<Printer>,
    server: String,
    asking: Option<Asking>,
    /// Whether what they type is read.
    reads: AtomicBool,
}

impl fmt::Debug for AtBrowser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AtBrowser").field("server", &self.server).finish_non_exhaustive()
    }
}

impl AtBrowser {
    /// Takes the person along. Where no browser is opened, whoever feeds standard input counts as one.
    pub(super) fn new(run: &mut Run, server: &str, has_browser: bool) -> Self {
        let person = run.world.person.take();
        let asking = match (person, has_browser) {
            (Some(person), _) => Some(person),
            (None, true) => None,
            (None, false) => Some(piped(std::mem::replace(&mut run.world.stdin, Box::new(std::io::empty())))),
        };
        Self {
            printer: run.printer.clone(),
            server: server.to_owned(),
            asking: asking.map(Asking::new),
            reads: AtomicBool::new(!has_browser),
        }
    }
}

#[async_trait]
impl Person for AtBrowser {
    fn told(&self, visit: &Visit<'_>) {
        let printer = &self.printer;
        let how = match &visit.opened {
            Opened::Yes => "a browser opens this address; if it does not, open it yourself:",
            _ => "open this address in a browser:",
        };
        if let Opened::Failed(error) = &visit.opened {
            printer.warn(error.to_string());
            self.reads.store(true, Ordering::Relaxed);
        }
        printer.talk(Line::new().plain("to log in to ").bold(&self.server).plain(format!(", {how}")));
        printer.talk(Line::new().plain("  ").plain(visit.url));
        let waiting = format!("waiting for the browser to come back to {}", visit.redirect_uri);
        let or = match self.reads.load(Ordering::Relaxed) && self.asking.is_some() {
            true => "; or paste the address that it ended at",
            false => "",
        };
        printer.talk(Line::new().dim(format!("{waiting}{or}")));
    }

    async fn pasted(&self) -> Option<Secret<String>> {
        let asking = self.asking.as_ref().filter(|_| self.reads.load(Ordering::Relaxed))?;
        loop {
            match asking.line().await {
                Ok(line) => return line.map(Secret::new),
                // They may paste again.
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                    self.refused(&PasteError::TooLong { limit: LONGEST });
                }
                Err(_) => return None,
            }
        }
    }

    fn refused(&self, why: &PasteError) {
        self.printer.talk(Line::new().plain(why.to_string()).plain("; it still waits"));
    }
}

#[async_trait]
impl ShowCode for AtBrowser {
    async fn show(&self, code: DeviceCode) {
        let printer = &self.printer;
        let name = Line::new().plain("to log in to ").bold(&self.server);
        printer.talk(name.plain(", open this address on any device:"));
        printer.talk(Line::new().plain("  ").plain(code.verification_uri.as_str()));
        printer.talk(Line::new().plain("and type in the code ").bold(&code.user_code));
        if let Some(complete) = &code.complete {
            printer.talk(Line::new().plain("or open ").plain(complete.as_str()));
        }
        let minutes = code.lifetime.as_secs().div_ceil(60);
        printer.talk(Line::new().dim(format!("waiting for that; the code is good for {minutes} minutes")));
    }
}
