//! Answers block by block, in the order they came.

use codewhale_mcp_protocol::{CallToolResult, Content, ContentKind, ResourceContents};
use codewhale_mcp_redact::safe_url;

use super::cut;
use super::save::{NotSaved, Saver};
use crate::args::ShownArgs;
use crate::failure::Failure;
use crate::print::{Line, Printer, bytes};
use crate::run::Run;
use crate::world::Terminal;

/// The most bytes of a text that are shown on a terminal, unless all of it is asked for.
const SHOWN: usize = 32 * 1024;

/// How much of a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Whole,
    /// At most so many bytes of each text.
    AtMost(usize),
}

/// How answers are shown: how much of them, and where their bytes go.
pub(crate) struct View {
    length: Length,
    saver: Saver,
    /// Whether files were asked for.
    saves: bool,
}

impl View {
    /// What the command line asks for; files are named after `stem`.
    pub(crate) fn of(run: &Run, args: &ShownArgs, stem: &str) -> Self {
        let on_terminal = run.printer.stdout_terminal() != Terminal::No;
        let folder = args.save.as_ref().map(|folder| run.world.cwd.join(folder));
        Self {
            length: if on_terminal && !args.full { Length::AtMost(SHOWN) } else { Length::Whole },
            saves: folder.is_some(),
            saver: Saver::new(folder, &run.world.temp, stem),
        }
    }

    /// The files that were asked for, which `show` makes while nobody sees what it prints.
    pub(crate) fn files(
        &mut self,
        show: impl FnOnce(&mut Self, &Printer) -> Result<(), Failure>,
    ) -> Result<Vec<String>, Failure> {
        if self.saves {
            show(self, &Printer::silent())?;
        }
        Ok(self.saver.saved().iter().map(|path| path.to_string_lossy().into_owned()).collect())
    }

    /// Prints what a tool answered. `structuredContent` is printed where there is no text beside it, since it says the
    /// same.
    pub(crate) fn result(&mut self, result: &CallToolResult, printer: &Printer) -> Result<(), Failure> {
        for content in &result.content {
            self.block(content, printer)?;
        }
        let has_text = result.content.iter().any(|content| matches!(content.view(), ContentKind::Text(_)));
        match &result.structured_content {
            Some(structured) if !has_text => self.text(structured.as_str(), printer)?,
            None if result.content.is_empty() => printer.note("the tool answered with nothing"),
            _ => {}
        }
        Ok(())
    }

    /// Prints what a resource holds. One text alone is printed as it is; where there is more, each part is named.
    pub(crate) fn resource(
        &mut self,
        contents: &[ResourceContents],
        printer: &Printer,
    ) -> Result<(), Failure> {
        match contents {
            [] => printer.warn("the server answered with no content at all, which it must not"),
            [ResourceContents { text: Some(words), blob: None, .. }] => self.text(words, printer)?,
            _ => contents.iter().try_for_each(|part| self.part(part, printer))?,
        }
        Ok(())
    }

    /// Prints a block of content.
    pub(crate) fn block(&mut self, content: &Content, printer: &Printer) -> Result<(), Failure> {
        match content.view() {
            ContentKind::Text(words) => self.text(words, printer),
            ContentKind::Image { data, mime_type } => self.file("image", mime_type, data, None, printer),
            ContentKind::Audio { data, mime_type } => self.file("audio", mime_type, data, None, printer),
            ContentKind::Resource(resource) => self.part(resource, printer),
            ContentKind::ResourceLink { uri, name } => {
                let title = content.title.as_deref();
                let name = title.or(name).map(|name| format!(" {name}")).unwrap_or_default();
                let kind = content.mime_type.as_deref().map(|kind| format!(" ({kind})")).unwrap_or_default();
                Ok(printer.line(
                    Line::new().dim("resource link:").plain(format!("{name} {}{kind}", safe_url(uri))),
                )?)
            }
            ContentKind::Unknown(kind) => {
                let size = serde_json::to_string(content).map_or(0, |text| text.len() as u64);
                let what = format!(" of the kind `{kind}`, {}; --json shows it", bytes(size));
                Ok(printer.line(Line::new().dim("content").plain(what))?)
            }
            _ => Ok(printer.line(Line::new().dim("content of an unknown kind; --json shows it"))?),
        }
    }

    fn part(&mut self, resource: &ResourceContents, printer: &Printer) -> Result<(), Failure> {
        let kind = resource.mime_type.as_deref().unwrap_or_default();
        if let Some(blob) = &resource.blob {
            return self.file("resource", kind, blob, Some(&resource.uri), printer);
        }
        let kind = if kind.is_empty() { String::new() } else { format!(" ({kind})") };
        printer.line(Line::new().dim("resource:").plain(format!(" {}{kind}", safe_url(&resource.uri))))?;
        match &resource.text {
            Some(words) => self.text(words, printer),
            None => Ok(()),
        }
    }

    fn text(&self, words: &str, printer: &Printer) -> Result<(), Failure> {
        let limit = match self.length {
            Length::Whole => usize::MAX,
            Length::AtMost(limit) => limit,
        };
        // What is not cut is searched as it is printed.
        let said = (words.len() > limit).then(|| printer.said(words));
        let (start, left) = cut(said.as_deref().unwrap_or(words), limit);
        printer.text(start)?;
        if left > 0 {
            printer.flush()?;
            let all = words.len();
            printer.talk(Line::from(format!("truncated, {all} bytes in all; --full shows everything")));
        }
        Ok(())
    }

    fn file(
        &mut self,
        what: &str,
        mime_type: &str,
        data: &str,
        uri: Option<&str>,
        printer: &Printer,
    ) -> Result<(), Failure> {
        let kind = if mime_type.is_empty() { "no media type" } else { mime_type };
        let uri = match uri {
            Some(uri) => format!(" {} ({kind})", safe_url(uri)),
            None => format!(" {kind}"),
        };
        let label = Line::new().dim(format!("{what}:"));
        match self.saver.save(data, mime_type) {
            Ok((path, size)) => {
                let told = format!("{uri}, {}, saved to {}", bytes(size), path.display());
                Ok(printer.line(label.plain(told))?)
            }
            Err(NotSaved::NotBase64) => {
                let size = bytes(data.len() as u64);
                let told = format!("{uri}, {size} that are not base64; --json shows them");
                Ok(printer.line(label.plain(told))?)
            }
            Err(NotSaved::TooMany) => {
                let told = format!("{uri}, not saved: there are too many; --json shows them all");
                Ok(printer.line(label.plain(told))?)
            }
            Err(NotSaved::Failed(failure)) => Err(failure),
        }
    }
}
