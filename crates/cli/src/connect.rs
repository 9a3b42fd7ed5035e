//! `codewhale mcp connect`: what a server is.

use codewhale_mcp_manager::Connected;
use serde_json::json;

use crate::printer::Printer;
use crate::server::milliseconds;

pub(crate) fn show(connected: &Connected, as_json: bool, printer: &mut Printer<'_>) {
    let server = connected.client.server();
    let (revision, era) = (server.revision.as_str(), server.era().to_string());
    if as_json {
        printer.json(&json!({
            "status": "ready",
            "protocol_version": revision,
            "era": era,
            "era_reason": server.reason.to_string(),
            "server_info": server.server_info,
            "capabilities": server.capabilities,
            "instructions": server.instructions,
            "tools": connected.tools.tools.len(),
            "elapsed_ms": milliseconds(connected.elapsed),
        }));
        return;
    }
    if let Some(info) = &server.server_info {
        printer.data(&format!("server        {} {}", info.name, info.version));
    }
    printer.data(&format!("protocol      {revision}"));
    printer.data(&format!("era           {era} ({})", server.reason));
    let capabilities = serde_json::to_string(&server.capabilities).expect("wire types have a JSON form");
    printer.data(&format!("capabilities  {capabilities}"));
    printer.data(&format!("tools         {}", connected.tools.tools.len()));
    printer.data(&format!("ready after   {} ms", milliseconds(connected.elapsed)));
    if let Some(instructions) = &server.instructions {
        printer.data(&format!("instructions of the server:\n{instructions}"));
    }
}
