//! Lists of tools, printed.

use codewhale_mcp_protocol::{Tool, ToolAnnotations};
use serde::Serialize;

use super::report::Failed;
use crate::args::ToolsArgs;
use crate::failure::Failure;
use crate::print::{Fit, Line, Printer, Table};
use crate::world::Terminal;

/// The longest description in a table.
const DESCRIPTION: usize = 60;

/// One server's list.
#[derive(Serialize)]
pub(super) struct Listed {
    pub(super) server: String,
    pub(super) status: &'static str,
    /// Set unless its list was read.
    pub(super) failure: Option<Failed>,
    /// When a list from the cache was read; a live one has no time.
    pub(super) listed: Option<String>,
    /// Tools that the configuration leaves out.
    pub(super) hidden_tools: usize,
    /// An estimate for all of them.
    pub(super) tokens: u64,
    pub(super) tools: Vec<Named>,
}

/// A tool and the name that a model sees.
#[derive(Serialize)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) raw_name: String,
    /// An estimate.
    pub(super) tokens: u64,
    /// The tool as the server describes it.
    pub(super) definition: Tool,
}

pub(super) fn print_json(servers: &[Listed], printer: &Printer) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct All<'a> {
        servers: &'a [Listed],
        tokens: u64,
    }
    let tokens = servers.iter().map(|server| server.tokens).sum();
    Ok(printer.json(&All { servers, tokens })?)
}

pub(super) fn print(servers: &[Listed], args: &ToolsArgs, printer: &Printer) -> Result<(), Failure> {
    let tools = || servers.iter().flat_map(|server| &server.tools);
    if args.schema {
        tools().try_for_each(|tool| with_schema(tool, args, printer))?;
    } else if tools().next().is_some() {
        table(tools(), args, printer.stdout_terminal()).print(printer)?;
    }
    for server in servers {
        let name = &server.server;
        if let Some(listed) = &server.listed {
            printer.note(format!("{name}: as it was at {listed}"));
        }
        match server.hidden_tools {
            0 => {}
            1 => printer.note(format!("{name}: 1 tool is left out by `enabled_tools` or `disabled_tools`")),
            many => printer
                .note(format!("{name}: {many} tools are left out by `enabled_tools` or `disabled_tools`")),
        }
        if args.cost {
            let tools = match server.tools.len() {
                1 => "1 tool".to_owned(),
                many => format!("{many} tools"),
            };
            let cost = format!(": about {} tokens in {tools}", server.tokens);
            printer.line(Line::new().bold(name).plain(cost))?;
        }
    }
    if args.cost && servers.len() > 1 {
        let all: u64 = servers.iter().map(|server| server.tokens).sum();
        printer.line(format!("all: about {all} tokens"))?;
    }
    Ok(())
}

fn table<'a>(tools: impl Iterator<Item = &'a Named>, args: &ToolsArgs, terminal: Terminal) -> Table {
    // The name holds the tool's own, so that column goes first.
    let (name, tool) = (("NAME", Fit::Keep), ("TOOL", Fit::Drop));
    let (hints_column, about) = (("HINTS", Fit::Keep), ("DESCRIPTION", Fit::Cut));
    let mut table = match args.cost {
        true => Table::new([name, tool, hints_column, ("TOKENS", Fit::Keep), about]),
        false => Table::new([name, tool, hints_column, about]),
    };
    for tool in tools {
        let (name, raw) = (Line::new().bold(&tool.name), Line::from(&tool.raw_name));
        let annotations = tool.definition.annotations.as_ref();
        let hints = match terminal {
            Terminal::Columns(_) => Line::from(short_hints(annotations)),
            Terminal::No => Line::from(hints(annotations)),
        };
        let about = Line::from(first_line(tool.definition.description.as_deref().unwrap_or_default()));
        match args.cost {
            true => table.row([name, raw, hints, Line::from(tool.tokens.to_string()), about]),
            false => table.row([name, raw, hints, about]),
        }
    }
    table
}

fn with_schema(tool: &Named, args: &ToolsArgs, printer: &Printer) -> Result<(), Failure> {
    let hints = hints(tool.definition.annotations.as_ref());
    let tokens = if args.cost { format!(", about {} tokens", tool.tokens) } else { String::new() };
    printer.line(Line::new().bold(&tool.name).plain(format!("  {}  {hints}{tokens}", tool.raw_name)))?;
    let description = printer.said(tool.definition.description.as_deref().unwrap_or_default());
    for line in codewhale_mcp_redact::safe_text(&description).lines() {
        printer.line(Line::new().plain("  ").plain(line))?;
    }
    let schema = tool.definition.input_schema.as_ref();
    // A value tree keeps neither the order of members nor large numbers, so the text itself is laid out.
    let laid_out = schema.map(|schema| lay_out(schema.as_str())).unwrap_or_else(|| "no schema".to_owned());
    for line in laid_out.lines() {
        printer.line(Line::new().plain("  ").plain(line))?;
    }
    Ok(())
}

/// The hints that a tool declares: a hint that is not declared is not shown.
pub(super) fn hints(annotations: Option<&ToolAnnotations>) -> String {
    let Some(hints) = annotations else { return "-".to_owned() };
    let declared = [
        (hints.read_only_hint, "read-only", "writes"),
        (hints.destructive_hint, "destructive", "not destructive"),
        (hints.idempotent_hint, "idempotent", "not idempotent"),
        (hints.open_world_hint, "open world", "closed world"),
    ];
    let words: Vec<&str> = declared
        .iter()
        .filter_map(|(hint, yes, no)| hint.map(|hint| if hint { *yes } else { *no }))
        .collect();
    if words.is_empty() { "-".to_owned() } else { words.join(", ") }
}

/// The one hint that matters most, in a word.
fn short_hints(annotations: Option<&ToolAnnotations>) -> &'static str {
    let hint = |of: fn(&ToolAnnotations) -> Option<bool>| annotations.and_then(of);
    match (hint(|hints| hints.read_only_hint), hint(|hints| hints.destructive_hint)) {
        (_, Some(true)) => "destructive",
        (Some(true), _) => "ro",
        (Some(false), _) => "rw",
        (None, _) => "-",
    }
}

pub(super) fn first_line(description: &str) -> &str {
    description.trim().lines().next().unwrap_or_default()
}

/// The first line of a description, cut.
pub(super) fn short(description: &str) -> String {
    let line = first_line(description);
    match line.char_indices().nth(DESCRIPTION) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A JSON text with line breaks and indentation; every token stays as it is.
pub(super) fn lay_out(json: &str) -> String {
    let (mut text, mut depth) = (String::with_capacity(json.len() * 2), 0usize);
    let mut chars = json.chars().filter(|c| *c != '\r').peekable();
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&"  ".repeat(depth.min(64)));
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                text.push(c);
                while let Some(c) = chars.next() {
                    text.push(c);
                    match c {
                        '\\' => text.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' => {
                text.push(c);
                while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    text.push(close);
                } else {
                    depth += 1;
                    line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(c);
            }
            ',' => {
                text.push(c);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_laid_out_text_keeps_every_token() {
        let text = r#"{"a":[1.00,{},[ ]],"b , c":"x\"{,}","d":{"e":-0}}"#;
        let laid_out = lay_out(text);
        assert_eq!(
            laid_out,
            "{\n  \"a\": [\n    1.00,\n    {},\n    []\n  ],\n  \"b , c\": \"x\\\"{,}\",\n  \"d\": {\n    \"e\": -0\n  }\n}"
        );
    }

    #[test]
    fn a_hint_that_is_not_declared_is_not_shown() {
        assert_eq!(hints(None), "-");
        assert_eq!(hints(Some(&ToolAnnotations::default())), "-");
        let declared = ToolAnnotations {
            read_only_hint: Some(false),
            destructive_hint: Some(true),
            ..ToolAnnotations::default()
        };
        assert_eq!(hints(Some(&declared)), "writes, destructive");
    }
}
