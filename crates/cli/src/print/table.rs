//! Lines in columns, readable without colour.

use super::{Line, PrintError, Printer};

const GAP: usize = 2;

/// Rows in columns under a heading.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<Line>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(heading: [&str; N]) -> Self {
        Self { rows: vec![heading.iter().map(|title| Line::new().dim(title)).collect()] }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [Line; N]) {
        self.rows.push(cells.into());
    }

    /// The table as lines, columns aligned.
    pub(crate) fn lines(self) -> Vec<Line> {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                match widths.get_mut(at) {
                    Some(width) => *width = (*width).max(cell.width()),
                    None => widths.push(cell.width()),
                }
            }
        }
        self.rows.into_iter().map(|row| aligned(row, &widths)).collect()
    }

    pub(crate) fn print(self, printer: &Printer) -> Result<(), PrintError> {
        self.lines().into_iter().try_for_each(|line| printer.line(line))
    }
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
        let mut table = Table::new(["NAME", "STATE"]);
        table.row([Line::from("查询"), Line::from("ready")]);
        table.row([Line::new().bold("a\u{1b}[2J"), Line::from("")]);
        let lines: Vec<String> =
            table.lines().iter().map(|line| line.render(Colour::No, &Redactor::default())).collect();
        assert_eq!(lines, ["NAME        STATE", "查询        ready", "a\\u{1b}[2J"]);
    }
}
