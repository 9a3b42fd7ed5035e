//! Lines in columns, readable without colour.

use super::{Line, PrintError, Printer};
use crate::world::Terminal;

const GAP: usize = 2;
/// As narrow as a column that is cut may become while there is another way.
const NARROW: usize = 20;
/// As narrow as a column that is cut may become.
const NARROWEST: usize = 8;

/// What becomes of a column where the terminal is too narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It stays whole.
    Keep,
    /// Its cells are cut, with `…`.
    Cut,
    /// It is left out.
    Drop,
}

/// Rows in columns under a heading.
#[derive(Debug)]
pub(crate) struct Table {
    fits: Vec<Fit>,
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(columns: [(&str, Fit); N]) -> Self {
        let heading = columns.iter().map(|(title, _)| Line::new().dim(title)).collect();
        Self { fits: columns.iter().map(|(_, fit)| *fit).collect(), rows: vec![heading] }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [Line; N]) {
        self.rows.push(cells.into());
    }

    /// The table as lines, columns aligned; within a width, if there is one and as far as that is possible.
    pub(crate) fn lines(mut self, width: Option<usize>) -> Vec<Line> {
        let mut widths: Vec<usize> = vec![0; self.fits.len()];
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                widths[at] = widths[at].max(cell.width());
            }
        }
        if let Some(room) = width {
            widths = self.squeeze(widths, room);
        }
        self.rows.into_iter().map(|row| aligned(row, &widths)).collect()
    }

    /// Cuts what may be cut; leaves columns out, the last first, where that is not enough or leaves too little.
    fn squeeze(&mut self, mut whole: Vec<usize>, room: usize) -> Vec<usize> {
        let widths = loop {
            let widths = narrowed(&self.fits, &whole, room, NARROW);
            if total(&widths) <= room {
                break widths;
            }
            let Some(at) = self.fits.iter().rposition(|fit| *fit == Fit::Drop) else {
                break narrowed(&self.fits, &whole, room, NARROWEST);
            };
            self.fits.remove(at);
            self.rows.iter_mut().for_each(|row| drop(row.remove(at)));
            whole.remove(at);
        };
        for row in &mut self.rows {
            for (cell, width) in row.iter_mut().zip(&widths) {
                if cell.width() > *width {
                    *cell = std::mem::take(cell).cut_to(*width);
                }
            }
        }
        widths
    }

    /// Prints it; on a terminal within its width.
    pub(crate) fn print(self, printer: &Printer) -> Result<(), PrintError> {
        let width = match printer.stdout_terminal() {
            Terminal::Columns(columns) => Some(usize::from(columns)),
            Terminal::No => None,
        };
        self.lines(width).into_iter().try_for_each(|line| printer.line(line))
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Takes from the widest column that may be cut, as long as that is needed and possible.
fn narrowed(fits: &[Fit], whole: &[usize], room: usize, least: usize) -> Vec<usize> {
    let mut widths = whole.to_vec();
    while total(&widths) > room {
        let cut = |at: &usize| fits[*at] == Fit::Cut && widths[*at] > least;
        let Some(widest) = (0..widths.len()).filter(cut).max_by_key(|at| widths[*at]) else { break };
        widths[widest] -= 1;
    }
    widths
}

fn aligned(row: Vec<Line>, widths: &[usize]) -> Line {
    let last = row.len().saturating_sub(1);
    let mut line = Line::new();
    let mut start = 0;
    for (at, cell) in row.into_iter().enumerate() {
        line = line.join(cell);
        start += widths[at] + GAP;
        if at < last {
            line = line.pad_to(start);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use codewhale_mcp_redact::Redactor;

    use super::super::line::Colour;
    use super::*;

    #[test]
    fn columns_are_aligned_by_what_a_terminal_shows() {
        let mut table = Table::new([("NAME", Fit::Keep), ("STATE", Fit::Keep)]);
        table.row([Line::from("查询"), Line::from("ready")]);
        table.row([Line::new().bold("a\u{1b}[2J"), Line::from("")]);
        let lines: Vec<String> =
            table.lines(None).iter().map(|line| line.render(Colour::No, &Redactor::default())).collect();
        assert_eq!(lines, ["NAME        STATE", "查询        ready", "a\\u{1b}[2J"]);
    }

    #[test]
    fn a_narrow_terminal_gets_what_fits() {
        let check = |width: Option<usize>, wanted: &[&str]| {
            let mut table = Table::new([
                ("NAME", Fit::Keep),
                ("TOOL", Fit::Drop),
                ("KIND", Fit::Drop),
                ("ABOUT", Fit::Cut),
            ]);
            let about = "a description 查询 of thirty wide";
            table.row(["mcp_a_b", "b", "long kind", about].map(Line::from));
            let lines = table.lines(width);
            let shown = |line: &Line| line.render(Colour::No, &Redactor::default());
            assert_eq!(lines.iter().map(shown).collect::<Vec<_>>(), wanted, "{width:?}");
            assert!(width.is_none_or(|width| lines.iter().all(|line| line.width() <= width)), "{width:?}");
        };
        let whole = [
            "NAME     TOOL  KIND       ABOUT",
            "mcp_a_b  b     long kind  a description 查询 of thirty wide",
        ];
        check(None, &whole);
        check(Some(80), &whole);
        check(
            Some(48),
            &["NAME     TOOL  KIND       ABOUT", "mcp_a_b  b     long kind  a description 查询 of…"],
        );
        check(Some(40), &["NAME     TOOL  ABOUT", "mcp_a_b  b     a description 查询 of th…"]);
        check(Some(30), &["NAME     ABOUT", "mcp_a_b  a description 查询 o…"]);
        check(Some(19), &["NAME     ABOUT", "mcp_a_b  a descrip…"]);
    }
}
