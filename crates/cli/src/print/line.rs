//! A line made of painted pieces.

use anstyle::{AnsiColor, Style};
use codewhale_mcp_redact::{Redactor, safe_line};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a piece of a line looks where there is colour. It never carries a meaning that the words do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Bold,
    Dim,
    Good,
    Odd,
    Bad,
}

impl Paint {
    fn style(self) -> Style {
        let style = Style::new();
        let colour = |colour: AnsiColor| style.fg_color(Some(anstyle::Color::Ansi(colour)));
        match self {
            Self::Plain => style,
            Self::Bold => style.bold(),
            Self::Dim => style.dimmed(),
            Self::Good => colour(AnsiColor::Green),
            Self::Odd => colour(AnsiColor::Yellow),
            Self::Bad => colour(AnsiColor::Red),
        }
    }
}

/// One line for a person. Its pieces are made safe when they are added, so that only its own paint can ever be an
/// escape sequence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line(Vec<(Paint, String)>);

impl Line {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a piece.
    pub(crate) fn add(mut self, paint: Paint, text: impl AsRef<str>) -> Self {
        let text = safe_line(text.as_ref());
        if !text.is_empty() {
            self.0.push((paint, text.into_owned()));
        }
        self
    }

    pub(crate) fn plain(self, text: impl AsRef<str>) -> Self {
        self.add(Paint::Plain, text)
    }

    pub(crate) fn bold(self, text: impl AsRef<str>) -> Self {
        self.add(Paint::Bold, text)
    }

    pub(crate) fn dim(self, text: impl AsRef<str>) -> Self {
        self.add(Paint::Dim, text)
    }

    /// Puts another line behind this one.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Pads with blanks.
    pub(crate) fn pad_to(mut self, width: usize) -> Self {
        let missing = width.saturating_sub(self.width());
        if missing > 0 {
            self.0.push((Paint::Plain, " ".repeat(missing)));
        }
        self
    }

    /// Cuts it to so many columns, the last of them `…`.
    pub(crate) fn cut_to(self, width: usize) -> Self {
        let mut cut = Self::new();
        let mut left = width.saturating_sub(1);
        for (paint, text) in self.0 {
            let end = text.char_indices().find(|(_, c)| {
                let wide = c.width().unwrap_or_default();
                let fits = wide <= left;
                left = left.saturating_sub(if fits { wide } else { left });
                !fits
            });
            if let Some((at, _)) = end {
                // Beside the text, it tells the redactor where a secret may be cut.
                cut.0.push((paint, format!("{}…", &text[..at])));
                return cut;
            }
            cut.0.push((paint, text));
        }
        cut.0.push((Paint::Plain, "…".to_owned()));
        cut
    }

    /// How many columns the line takes on a terminal.
    pub(crate) fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.width()).sum()
    }

    pub(crate) fn render(&self, colour: Colour, redactor: &Redactor) -> String {
        let mut rendered = String::new();
        for (paint, text) in &self.0 {
            let text = redactor.apply(text);
            let style = paint.style();
            if colour == Colour::No || style.is_plain() {
                rendered.push_str(&text);
            } else {
                rendered.push_str(&format!("{style}{text}{style:#}"));
            }
        }
        rendered.truncate(rendered.trim_end_matches(' ').len());
        rendered
    }
}

impl<T: AsRef<str>> From<T> for Line {
    fn from(text: T) -> Self {
        Self::new().plain(text)
    }
}

/// Whether a stream gets colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Yes,
    No,
}
