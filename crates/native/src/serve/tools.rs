//! Each tool with its name, its description and its hints.

use std::sync::Arc;

use codewhale_mcp_protocol::ToolAnnotations;
use codewhale_mcp_server::{Context, Failure, ToolRoute, tool};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::Permit;
use super::answer::{Answer, Told};
use super::work::Work;
use crate::{
    Fault, Heard, Ran, RunCommand, Shell, Stop, Workspace, edit_file, find_files, list_directory, read_file,
    search_text, write_file,
};

/// What tools work on.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) workspace: Arc<Workspace>,
    pub(super) work: Work,
    pub(super) shell: Shell,
}

/// The tools that only read.
pub(super) fn reading(place: &Place) -> [ToolRoute; 4] {
    [
        on_thread("read_file", place, read_file).title("Read a file").description(
            "Reads a file of the workspace, a page at a time: lines of text, with the ends they have, or bytes.",
        ),
        on_thread("list_directory", place, list_directory).title("List a directory").description(
            "Lists what stands in a directory of the workspace, by name, hidden files included: files with their sizes, \
             directories, and links with where they lead.",
        ),
        on_thread("find_files", place, find_files).title("Find files").description(
            "Finds files of the workspace by a glob. What .gitignore and .ignore leave out is not looked at unless \
             `include_ignored` is true; links are listed and not followed.",
        ),
        on_thread("search_text", place, search_text).title("Search in files").description(
            "Searches the files of the workspace for lines that match a regular expression, as ripgrep does. What \
             .gitignore and .ignore leave out is not looked at unless `include_ignored` is true.",
        ),
    ]
    .map(ToolRoute::read_only)
}

/// A tool that the operator allowed.
pub(super) fn permitted(permit: Permit, place: &Place) -> ToolRoute {
    let hints = |idempotent, open_world| ToolAnnotations {
        read_only_hint: Some(false),
        destructive_hint: Some(true),
        idempotent_hint: Some(idempotent),
        open_world_hint: Some(open_world),
        ..ToolAnnotations::default()
    };
    match permit {
        Permit::WriteFile => {
            on_thread("write_file", place, write_file)
                .title("Write a file")
                .description(
                    "Writes a whole text file of the workspace, all of it or nothing. A file that is there is replaced \
                     only with `overwrite`; to change a part of one, use `edit_file` where it is offered.",
                )
                .annotations(hints(true, false))
        }
        Permit::EditFile => on_thread("edit_file", place, edit_file)
            .title("Edit a file")
            .description(
                "Replaces a text in a file of the workspace by another. `old_text` has to stand there exactly, and once \
                 unless `replace_all` is true. Says which lines changed.",
            )
            .annotations(hints(false, false)),
        Permit::Shell => shell(place).annotations(hints(false, true)),
    }
}

/// A tool that blocks.
fn on_thread<A, T>(
    name: &str,
    place: &Place,
    work: fn(&Workspace, &A, &Stop) -> Result<T, Fault>,
) -> ToolRoute
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Told + Serialize + JsonSchema + Send + 'static,
{
    let place = place.clone();
    tool(name, move |asked: A, _: Context| {
        let place = place.clone();
        async move {
            let workspace = place.workspace;
            place.work.run(move |stop| work(&workspace, &asked, stop)).await.map(Answer)
        }
    })
}

fn shell(place: &Place) -> ToolRoute {
    let place = place.clone();
    tool("shell", move |asked: RunCommand, context: Context| {
        let place = place.clone();
        async move { run(&place, &asked, &context).await }
    })
    .title("Run a command")
    .description(
        "Runs a command with `sh` in the workspace and answers with what it wrote on both outputs, in order, and its exit \
         code. It has no input and no terminal. When it ends, takes too long or is cancelled, all that it started \
         ends with it. At most 16 commands run at one time.",
    )
}

/// Runs a command, and says meanwhile how much it has written and what was last.
async fn run(place: &Place, asked: &RunCommand, context: &Context) -> Result<Answer<Ran>, Failure> {
    let (tell, mut told) = watch::channel(Heard { bytes: 0, last_line: String::new() });
    let telling = async {
        // A client that is slow hears of the latest alone.
        while told.changed().await.is_ok() {
            let heard = told.borrow_and_update().clone();
            context.progress(heard.bytes as f64, None, Some(&heard.last_line)).await;
        }
        std::future::pending().await
    };
    tokio::select! {
        ran = place.shell.run(&place.workspace, asked, |heard| { tell.send_replace(heard); }) => Ok(Answer(ran?)),
        never = telling => never,
    }
}
