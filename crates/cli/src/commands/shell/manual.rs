//! Manual pages, one a command.

use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;

use crate::args::command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

/// Every page into a folder, or the first of them onto standard output.
pub(in crate::commands) fn man(run: &Run, dir: Option<&Path>) -> Result<Exit, Failure> {
    let mut root = command();
    root.build();
    let Some(dir) = dir else {
        let page = page(&root).map_err(|error| Failure::system("write a page", error))?;
        run.printer.script(&page)?;
        return Ok(Exit::Ok);
    };
    let dir = run.world.cwd.join(dir);
    let failed = |error| Failure::system(format!("write pages to `{}`", dir.display()), error);
    std::fs::create_dir_all(&dir).map_err(failed)?;
    pages(&root, &dir).map_err(failed)?;
    run.printer.line(format!("wrote the pages to {}", dir.display()))?;
    Ok(Exit::Ok)
}

fn pages(command: &Command, dir: &Path) -> io::Result<()> {
    command.get_subcommands().try_for_each(|inner| pages(inner, dir))?;
    std::fs::write(dir.join(Man::new(command.clone()).get_filename()), page(command)?)
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend(synopsis(command).into_bytes());
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    page.extend(after.map(|text| sections(&text.to_string())).unwrap_or_default().into_bytes());
    if command.get_version().is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}

/// The usage as `--help` has it.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let lines = usage.trim_start_matches("Usage:").lines().map(str::trim).filter(|line| !line.is_empty());
    format!(".SH SYNOPSIS\n.nf\n{}.fi\n", lines.map(line).collect::<String>())
}

/// What stands below the options: `Heading:` begins a section, what is indented stays as it is.
fn sections(text: &str) -> String {
    let (mut roff, mut within) = (String::new(), false);
    let verbatim = |roff: &mut String, within: &mut bool, wanted: bool| {
        if *within != wanted {
            roff.push_str(if wanted { ".nf\n" } else { ".fi\n" });
            *within = wanted;
        }
    };
    for (at, text) in text.lines().enumerate() {
        let heading = text.strip_suffix(':').filter(|heading| !heading.starts_with(' '));
        match heading {
            Some(heading) => {
                verbatim(&mut roff, &mut within, false);
                roff.push_str(&format!(".SH {}", line(&heading.to_uppercase())));
                continue;
            }
            None if at == 0 => roff.push_str(".SH NOTES\n"),
            None => {}
        }
        match text {
            "" => {
                verbatim(&mut roff, &mut within, false);
                roff.push_str(".PP\n");
            }
            text => {
                verbatim(&mut roff, &mut within, text.starts_with("  "));
                roff.push_str(&line(text));
            }
        }
    }
    verbatim(&mut roff, &mut within, false);
    roff
}

/// A line of text that holds nothing that a formatter would take for its own.
fn line(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    let start = if text.starts_with('.') { "\\&" } else { "" };
    format!("{start}{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stay_as_they_are_and_words_flow() {
        assert_eq!(
            sections("Examples:\n  a -x 'y'\n  b\n\nNames: all\nof them"),
            ".SH EXAMPLES\n.nf\n  a \\-x \\(aqy\\(aq\n  b\n.fi\n.PP\nNames: all\nof them\n"
        );
        assert_eq!(sections("Exit code: 1"), ".SH NOTES\nExit code: 1\n");
    }

    #[test]
    fn a_page_says_how_the_command_is_used() {
        let mut root = command();
        root.build();
        let call =
            root.find_subcommand("mcp").and_then(|mcp| mcp.find_subcommand("call")).expect("a command");
        let page = String::from_utf8(page(call).unwrap()).unwrap();
        assert!(page.contains("codewhale mcp call [OPTIONS] <NAME> <TOOL> [ARGUMENT]...\n"), "{page}");
        assert!(page.contains(".SH EXAMPLES\n.nf\n") && !page.contains("EXTRA"), "{page}");
    }
}
