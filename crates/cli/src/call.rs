//! `codewhale mcp call`: one call of one tool.

use codewhale_mcp_client::CallError;
use codewhale_mcp_manager::Connected;
use codewhale_mcp_protocol::{Json, Tool};
use serde_json::json;

use crate::args::Call;
use crate::exit::Exit;
use crate::printer::Printer;
use crate::{arguments, content, server};

pub(crate) async fn call(connected: &Connected, args: &Call, printer: &mut Printer<'_>) -> Exit {
    let Some(tool) = connected.tools.tools.iter().find(|tool| tool.name == args.tool) else {
        printer.error(format_args!("the server has no tool {:?}", args.tool));
        let names: Vec<_> = connected.tools.tools.iter().map(|tool| tool.name.as_str()).collect();
        printer.hint(format_args!("it has {}", names.join(", ")));
        return Exit::Usage;
    };
    let given = match read_arguments(tool, args) {
        Ok(given) => given,
        Err(why) => {
            printer.error(why);
            return Exit::Usage;
        }
    };
    if destructive(tool) && !args.yes {
        printer.error(format_args!("the server says that {:?} may destroy something", tool.name));
        printer.hint("call it with --yes");
        return Exit::Blocked;
    }
    let mut request = connected.client.call_tool(&tool.name, &given);
    match args.timeout.map(|seconds| server::seconds("--timeout", seconds)) {
        None => {}
        Some(Ok(limit)) => request = request.timeout(limit),
        Some(Err(why)) => {
            printer.error(why);
            return Exit::Usage;
        }
    }
    let mut progress = Vec::new();
    let answer = request.on_progress(|step| progress.extend(step.message)).send().await;
    for message in progress {
        printer.note(message);
    }
    match answer {
        Ok(result) => {
            if args.target.json {
                printer.json(&json!(result));
            } else {
                content::show(&result, printer);
            }
            if result.is_error { Exit::ToolError } else { Exit::Ok }
        }
        Err(error) => {
            if args.target.json {
                printer.json(&json!({ "error": error.to_string() }));
            }
            printer.error(&error);
            match error {
                CallError::ServerTimedOut { .. } | CallError::ServerSilent { .. } => Exit::TimedOut,
                _ => Exit::Failed,
            }
        }
    }
}

fn read_arguments(tool: &Tool, args: &Call) -> Result<Json, arguments::ArgumentFault> {
    match &args.json_args {
        Some(text) => arguments::from_json(text),
        None => arguments::from_words(tool, &args.arguments),
    }
}

fn destructive(tool: &Tool) -> bool {
    tool.annotations.as_ref().and_then(|hints| hints.destructive_hint) == Some(true)
}
