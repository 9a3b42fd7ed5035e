//! One tool in full.

use codewhale_mcp_client::{ExpectedArgument, OtherArguments, expected_arguments};
use codewhale_mcp_redact::safe_text;

use super::listing::{Named, hints, lay_out};
use super::usage::usage;
use crate::args::ToolsArgs;
use crate::failure::Failure;
use crate::hint::Naming;
use crate::print::{Line, Printer};

/// Prints a tool of a server with everything that it says about itself.
pub(super) fn print(
    server: &str,
    naming: Naming,
    tool: &Named,
    args: &ToolsArgs,
    printer: &Printer,
) -> Result<(), Failure> {
    let definition = &tool.definition;
    let expected = expected_arguments(definition);
    let field = |label: &str, value: &str| printer.line(Line::new().dim(format!("{label:<10}")).plain(value));
    printer.line(Line::new().bold(&tool.name))?;
    field("tool", &format!("{} of {server}", tool.raw_name))?;
    if let Some(title) = definition.title.as_deref() {
        field("title", title)?;
    }
    field("hints", &hints(definition.annotations.as_ref()))?;
    if args.cost {
        field("tokens", &format!("about {}", tool.tokens))?;
    }
    let call = usage(&tool.raw_name, &expected);
    field("call", &format!("codewhale mcp call {} {call}", naming.of(server)))?;
    let description = definition.description.as_deref().unwrap_or_default();
    for line in safe_text(&printer.said(description)).lines() {
        printer.line(Line::new().plain("  ").plain(line))?;
    }
    for argument in &expected.arguments {
        one(argument, printer)?;
    }
    match (expected.arguments.is_empty(), expected.others) {
        (true, OtherArguments::Taken) => printer.note("it does not say which arguments it takes"),
        (true, _) => printer.note("it takes no arguments"),
        (false, OtherArguments::Taken) => printer.note("it takes other arguments too"),
        (false, _) => {}
    }
    if args.schema {
        let schemas = [
            ("input schema", definition.input_schema.as_ref()),
            ("output schema", definition.output_schema()),
        ];
        for (label, schema) in schemas {
            let Some(schema) = schema else { continue };
            printer.line(Line::new().dim(format!("{label}:")))?;
            for line in lay_out(schema.as_str()).lines() {
                printer.line(Line::new().plain("  ").plain(line))?;
            }
        }
    }
    Ok(())
}

fn one(argument: &ExpectedArgument, printer: &Printer) -> Result<(), Failure> {
    let mut about = vec![argument.kind.clone()];
    about.push(if argument.required { "required".to_owned() } else { "optional".to_owned() });
    if !argument.values.is_empty() {
        about.push(format!("one of {}", argument.values.join(", ")));
    }
    if let Some(default) = &argument.default {
        about.push(format!("default {default}"));
    }
    printer.line(Line::new().plain("  ").bold(&argument.name).plain("  ").dim(about.join(", ")))?;
    for line in safe_text(argument.description.as_deref().unwrap_or_default()).lines() {
        printer.line(Line::new().plain("      ").plain(line))?;
    }
    Ok(())
}
