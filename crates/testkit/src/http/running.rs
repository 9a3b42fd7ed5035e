//! From words to a server that listens.

use super::connection::accept;
use super::log::Log;
use super::server::Server;
use super::{mode, strict};
use crate::out::Record;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A server, and the threads that accept for it.
pub(super) struct Running {
    pub(super) server: Arc<Server>,
    pub(super) threads: Vec<JoinHandle<()>>,
}

/// Listens and serves; a port of 0 is any.
pub(super) fn run(
    words: &[String],
    log: &Arc<Log>,
    (port, other): (u16, u16),
    exit: fn(&Server, i32),
) -> Result<Running, String> {
    let mut plan = mode::plan(words)?;
    let record = Record::open(plan.options.text("record"))?.heard_by(log.clone());
    if plan.strict {
        plan.first_gate(strict::gate(record.clone()));
    }
    let (listener, elsewhere) = (bind(port)?, bind(other)?);
    let port_of = |listener: &TcpListener| listener.local_addr().map(|address| address.port());
    let ports = (
        port_of(&listener).map_err(|fault| fault.to_string())?,
        port_of(&elsewhere).map_err(|fault| fault.to_string())?,
    );
    let server = Arc::new(Server::new(plan, record, log.clone(), ports, exit));
    let threads = vec![accept(listener, server.clone()), accept(elsewhere, server.clone())];
    Ok(Running { server, threads })
}

/// A port that was ours a moment ago may be lent to somebody for a moment.
fn bind(port: u16) -> Result<TcpListener, String> {
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        match TcpListener::bind(("127.0.0.1", port)) {
            Ok(listener) => return Ok(listener),
            Err(fault) if fault.kind() == ErrorKind::AddrInUse && port != 0 && Instant::now() < end => {
                std::thread::park_timeout(Duration::from_millis(20));
            }
            Err(fault) => return Err(format!("cannot listen on {port}: {fault}")),
        }
    }
}
