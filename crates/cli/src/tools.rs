//! `codewhale mcp tools`: what a server offers.

use codewhale_mcp_manager::Connected;
use serde_json::json;

use crate::args::Tools;
use crate::printer::Printer;

pub(crate) fn show(connected: &Connected, args: &Tools, printer: &mut Printer<'_>) {
    if let Some(warning) = &connected.tools.warning {
        printer.note(format_args!("warning: {warning}"));
    }
    let tools = &connected.tools.tools;
    if args.target.json {
        printer.json(&json!({ "tools": tools }));
        return;
    }
    let width = tools.iter().map(|tool| tool.name.chars().count()).max().unwrap_or(0).min(40);
    for tool in tools {
        let description = tool.description.as_deref().unwrap_or_default();
        let first = description.lines().next().unwrap_or_default();
        printer.data(format!("{:width$}  {first}", tool.name).trim_end());
        if args.schema
            && let Some(schema) = &tool.input_schema
        {
            printer.data(&format!("    {}", schema.as_str()));
        }
    }
}
