//! `mcp read`: one resource.

use std::time::Duration;

use codewhale_mcp_protocol::ReadResourceResult;
use serde::Serialize;

use super::heard::while_heard;
use super::opened::failed_for;
use super::talk::{Took, talk};
use crate::args::ReadArgs;
use crate::configured::Configured;
use crate::content::View;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;
use crate::target;

/// What a resource holds, for machines. `result` is what the server sent.
#[derive(Serialize)]
struct Contents<'a> {
    server: &'a str,
    uri: &'a str,
    elapsed_ms: u64,
    result: &'a ReadResourceResult,
    /// Files, where they were asked for.
    saved: Vec<String>,
    /// The questions of the server that were declined.
    warnings: Vec<String>,
}

pub(super) fn read(run: &mut Run, args: &ReadArgs) -> Result<Exit, Failure> {
    let (asked, words) = args.unnamed.split(&args.words).ok_or_else(|| Failure::usage("name the server"))?;
    let [uri] = words else { return Err(Failure::usage("name one resource, by its address")) };
    let configured = Configured::load(run)?;
    let server = target::ready(&configured, &asked, &args.budgets, &run.printer)?;
    let timeout = args.timeout.map_or(server.timeouts.read.value, Duration::from_secs_f64);
    let mut view = View::of(run, &args.shown, stem(uri));
    let (json, printer) = (run.global.json, run.printer.clone());
    talk(run, &configured, &server, &args.asked, async |connection, answers| {
        let client = connection.client();
        let (took, progress) = (Took::now(), answers.progress());
        let request = client.read_resource(uri).timeout(timeout);
        let request = request.on_progress(|params| progress.update(&params));
        let failed = failed_for("resources", client, &server, |offers| offers.resources.is_some());
        let result = while_heard(client, answers, uri, request.send()).await.map_err(failed)?;
        if json {
            printer.lossless_json(&Contents {
                server: &server.name,
                uri,
                elapsed_ms: took.millis(),
                warnings: answers.declined(),
                saved: view.files(|view, hush| view.resource(&result.contents, hush))?,
                result: &result,
            })?;
        } else {
            view.resource(&result.contents, &printer)?;
            took.tell(&printer);
        }
        Ok(Exit::Ok)
    })
}

/// What the files of a resource are named after: the last part of its address.
fn stem(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_end_of_the_address() {
        let rows = [
            ("file:///srv/notes.md", "notes"),
            ("camera://front", "front"),
            ("https://h.example/a/b.tar.gz?x=/y", "b.tar"),
            ("", ""),
        ];
        for (uri, name) in rows {
            assert_eq!(stem(uri), name, "{uri}");
        }
    }
}
