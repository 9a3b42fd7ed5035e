//! Which tool is meant, and whether it may be called.

use codewhale_mcp_config::{Server, Transport};
use codewhale_mcp_manager::{Catalogue, ToolId, suggest};
use codewhale_mcp_protocol::Tool;
use codewhale_native::Permit;

use crate::failure::{Failure, KeptBack};
use crate::print::{Line, Paint, Printer};
use crate::world::{Asking, Typed};

/// The tool of exactly that raw name, else of exactly that exposed name. A name that is merely close is never taken.
pub(in crate::commands) fn find<'t>(
    server: &str,
    wanted: &str,
    tools: &'t [Tool],
    kept: KeptBack,
) -> Result<&'t Tool, Failure> {
    if let Some(tool) = tools.iter().find(|tool| tool.name == wanted) {
        return Ok(tool);
    }
    let catalogue = Catalogue::new(tools.iter().map(|tool| ToolId::new(server, tool.name.as_str())));
    let raw = catalogue.tool(wanted).map(|id| id.tool.as_str());
    if let Some(tool) = tools.iter().find(|tool| Some(tool.name.as_str()) == raw) {
        return Ok(tool);
    }
    let near = suggest(wanted, tools.iter().map(|tool| tool.name.as_str()));
    Err(Failure::UnknownTool {
        server: server.to_owned(),
        tool: wanted.to_owned(),
        near: near.into_iter().map(ToOwned::to_owned).collect(),
        kept,
    })
}

/// Why a server's tool may be kept back, as far as the definition says.
pub(in crate::commands) fn kept_back(server: &Server, tool: &str) -> KeptBack {
    let is_ours = match &server.transport {
        Transport::Stdio(program) => {
            let says = |word: &str| program.args.iter().any(|arg| arg == word);
            says("mcp-server") || (says("serve") && says("--mcp"))
        }
        _ => false,
    };
    match tool.parse::<Permit>() {
        _ if !server.tools.allows(tool) => KeptBack::LeftOut,
        Ok(_) if is_ours => KeptBack::NotAllowed,
        _ => KeptBack::No,
    }
}

/// A tool that says of itself that it may destroy something needs a yes.
pub(super) async fn consent(
    tool: &Tool,
    yes: bool,
    person: Option<&Asking>,
    printer: &Printer,
) -> Result<(), Failure> {
    let destructive = tool.annotations.as_ref().and_then(|hints| hints.destructive_hint) == Some(true);
    if yes || !destructive {
        return Ok(());
    }
    let refused = || Failure::NoConsent { tool: tool.name.clone() };
    let person = person.ok_or_else(refused)?;
    let question = Line::new().plain("the tool ").bold(&tool.name).plain(" says that it ");
    printer.question(question.add(Paint::Odd, "may destroy something").plain(". call it? [y/N]"));
    match person.typed().await.map_err(|error| Failure::system("read the answer", error))? {
        Some(Typed::Fresh(line)) if matches!(line.to_ascii_lowercase().as_str(), "y" | "yes") => Ok(()),
        _ => Err(refused()),
    }
}
