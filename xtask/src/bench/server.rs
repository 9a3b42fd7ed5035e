//! The measuring server over HTTP, for as long as it is needed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Json,
    Sse,
}

/// A server that runs until this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    port: u16,
}

impl Server {
    pub(super) fn start(program: &Path, way: Way) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.args(["--http", "0"]);
        if way == Way::Sse {
            command.arg("--sse");
        }
        let failed = |fault: std::io::Error| format!("cannot start {}: {fault}", program.display());
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let stdout = process.stdout.take().expect("it was asked for");
        let mut server = Self { process, port: 0 };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(failed)?;
        let port = line.trim().strip_prefix("PORT ").and_then(|port| port.parse().ok());
        server.port = port.ok_or_else(|| format!("the server says {line:?} and not its port"))?;
        Ok(server)
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}:{}/mcp", Ipv4Addr::LOCALHOST, self.port)
    }

    /// How many connections it has accepted, the one that asks included.
    pub(super) fn connections(&self) -> Result<u64, String> {
        self.ask()
            .map_err(|fault| format!("the server does not count: {fault}"))?
            .parse()
            .map_err(|fault: std::num::ParseIntError| format!("the server counts something else: {fault}"))
    }

    fn ask(&self) -> std::io::Result<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.write_all(b"GET /connections HTTP/1.1\r\n\r\n")?;
        stream.shutdown(std::net::Shutdown::Write)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer.rsplit("\r\n").next().unwrap_or_default().to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
