//! Tables that fit the screen: no word and no figure is ever broken.
//!
//! ```text
//! 1  intervals become values                  1.840x (1.831 to 1.862) -> 1.840x
//! 2  columns go, one rank after another       RANKS, the least needed first
//! 3  prose is wrapped between words           16 columns at least
//! 4  columns stand in blocks below each other, the names of rows in each
//! 5  each row is a paragraph, a line for each cell
//! ```
//!
//! Each step is taken only while the table is wider than the screen. A line below the table says
//! which columns were left out. A file or a pipe has no width: nothing is left out for the programs
//! that read it.

use std::collections::BTreeSet;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle, presets};
use textwrap::core::display_width;

use super::grid::Grid;
use super::screen::{Screen, words};

/// A table as it is printed on `screen`.
pub fn table(grid: &Grid, screen: Screen) -> String {
    let Some(width) = screen.width else { return block(grid, screen) };
    let mut fitted = Fitted { grid: grid.clone(), left_out: Vec::new() };
    if fitted.is_wider_than(width) {
        fitted.shorten_intervals();
    }
    for name in RANKS {
        if fitted.is_wider_than(width) {
            fitted.leave_out(name);
        }
    }
    if fitted.is_wider_than(width) {
        wrap_prose(&mut fitted.grid, width);
    }
    let text = match fitted.is_wider_than(width) {
        false => block(&fitted.grid, screen),
        true => stacked(&fitted.grid, width).map_or_else(
            || paragraphs(&fitted.grid, screen),
            |blocks| blocks.iter().map(|grid| block(grid, screen)).collect::<Vec<_>>().join("\n"),
        ),
    };
    match fitted.left_out.is_empty() {
        true => text,
        false => {
            let line = format!("Left out to fit {width} columns: {}.", fitted.left_out.join(", "));
            format!("{text}\n{}", screen.wrap(&line, ""))
        }
    }
}

/// A table, and the names of what it lacks.
struct Fitted {
    grid: Grid,
    left_out: Vec<String>,
}

impl Fitted {
    fn is_wider_than(&self, width: usize) -> bool {
        total(&widths(&self.grid)) > width
    }

    /// `1.84x (1.83 to 1.86)` becomes `1.84x`.
    fn shorten_intervals(&mut self) {
        for cell in self.grid.rows.iter_mut().flatten() {
            if let Some((value, _)) = cell
                .split_once(" (")
                .filter(|(_, rest)| rest.contains(" to ") && rest.ends_with(')'))
            {
                *cell = value.to_owned();
                if self.left_out.is_empty() {
                    self.left_out.push("intervals".to_owned());
                }
            }
        }
    }

    fn leave_out(&mut self, name: &str) {
        let is_named = |header: &String| {
            // `warm spread` and `cold spread` go with `spread`.
            header == name || header.strip_suffix(name).is_some_and(|rest| rest.ends_with(' '))
        };
        // The first column names the rows and stays. From the right, so that places hold.
        for column in (1..self.grid.header.len()).rev() {
            if is_named(&self.grid.header[column]) {
                let header = self.grid.header.remove(column);
                self.grid.rows.iter_mut().for_each(|row| drop(row.remove(column)));
                if !self.left_out.contains(&header) {
                    self.left_out.push(header);
                }
            }
        }
    }
}

/// Breaks the cells of the widest columns of prose between words, as far as it takes.
fn wrap_prose(grid: &mut Grid, width: usize) {
    let prose: BTreeSet<_> =
        (0..grid.header.len()).filter(|&column| is_prose(grid, column)).collect();
    let mut room = widths(grid);
    let least: Vec<_> =
        (0..room.len()).map(|column| longest_word(grid, column).max(PROSE)).collect();
    while total(&room) > width {
        // Always the widest one: columns of prose end up about equally wide.
        let widest = prose
            .iter()
            .copied()
            .filter(|&column| room[column] > least[column])
            .max_by_key(|&column| room[column]);
        let Some(column) = widest else { break };
        room[column] -= 1;
    }
    for column in prose {
        let cells =
            grid.rows.iter_mut().map(|row| &mut row[column]).chain([&mut grid.header[column]]);
        cells.for_each(|cell| *cell = textwrap::fill(cell, words(room[column])));
    }
}

/// The first columns, which name a row, with as many others below each other as there is room for;
/// nothing where one has none.
fn stacked(grid: &Grid, width: usize) -> Option<Vec<Grid>> {
    let widths = widths(grid);
    let names = grid.header.iter().take_while(|header| NAMES.contains(&header.as_str())).count();
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    let with =
        |columns: &[usize]| -> Vec<_> { (0..names).chain(columns.iter().copied()).collect() };
    let fits = |columns: &[usize]| {
        total(&with(columns).iter().map(|&column| widths[column]).collect::<Vec<_>>()) <= width
    };
    for column in names..widths.len() {
        match blocks.last_mut() {
            Some(last)
                // A board's `best` begins the right half of its rows.
                if grid.header[column] != BEGINS
                    && fits(&[last.as_slice(), &[column]].concat()) =>
            {
                last.push(column)
            }
            _ if fits(&[column]) => blocks.push(vec![column]),
            _ => return None,
        }
    }
    let take = |row: &Vec<String>, columns: &[usize]| {
        columns.iter().map(|&column| row[column].clone()).collect()
    };
    let part = |columns: Vec<usize>| Grid {
        header: take(&grid.header, &columns),
        rows: grid.rows.iter().map(|row| take(row, &columns)).collect(),
        ..grid.clone()
    };
    Some(blocks.iter().map(|columns| part(with(columns))).collect())
}

/// A line for each cell, for a screen that is narrower than any table.
fn paragraphs(grid: &Grid, screen: Screen) -> String {
    let line = |(header, cell): (&String, &String)| {
        screen.wrap(&format!("{header}: {}", cell.replace('\n', " ")), "  ")
    };
    let row = |row: &Vec<String>| {
        let cells = grid.header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        cells.map(line).collect::<Vec<_>>().join("\n")
    };
    grid.rows.iter().map(row).collect::<Vec<_>>().join("\n\n")
}

fn block(grid: &Grid, screen: Screen) -> String {
    let mut table = Table::new();
    table.load_style(if screen.utf8 { UTF8 } else { ASCII });
    // The widths are fitted already; the library would break words.
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(&grid.header);
    table.add_rows(&grid.rows);
    for column in (1..grid.header.len()).filter(|&column| is_numeric(grid, column)) {
        table
            .column_mut(column)
            .expect("the table has the header's columns")
            .set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

fn widths(grid: &Grid) -> Vec<usize> {
    let lines = |cell: &String| cell.lines().map(display_width).max().unwrap_or(0);
    let column = |column: usize| {
        grid.rows
            .iter()
            .map(|row| &row[column])
            .chain([&grid.header[column]])
            .map(lines)
            .max()
            .unwrap_or(0)
    };
    (0..grid.header.len()).map(column).collect()
}

/// A space on either side of each column.
fn total(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + 2).sum()
}

fn cells(grid: &Grid, column: usize) -> impl Iterator<Item = &String> {
    grid.rows.iter().map(move |row| &row[column]).filter(|cell| !cell.is_empty())
}

fn is_numeric(grid: &Grid, column: usize) -> bool {
    cells(grid, column)
        .all(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || "±>< ".contains(c)))
}

fn is_prose(grid: &Grid, column: usize) -> bool {
    !is_numeric(grid, column)
        && cells(grid, column).any(|cell| display_width(cell) > PROSE && cell.contains(' '))
}

fn longest_word(grid: &Grid, column: usize) -> usize {
    let cells = cells(grid, column).chain([&grid.header[column]]);
    cells.flat_map(|cell| cell.split_whitespace()).map(display_width).max().unwrap_or(0)
}

/// No column of prose is made narrower.
const PROSE: usize = 16;

/// The columns that name a row: they stand in each block.
const NAMES: [&str; 8] =
    ["algorithm", "provider", "source", "calls", "messages", "bytes", "command", "digest"];

/// A column that does not stand behind others where columns stand below each other: it names rows
/// of its own.
const BEGINS: &str = "best";

/// Columns that a narrow table does without, the first to go first.
const RANKS: [&str; 13] = [
    "block",
    "specified in",
    "bit",
    "leaf",
    "user",
    "sys",
    "spread",
    "kernel",
    "cycles/byte",
    "hashdyno / bound",
    "bound",
    "Python",
    "OpenSSL",
];

/// A line below the header and nothing else: each border would take a column or two.
const UTF8: TableStyle = presets::NOTHING.header_separator(LineStyle::none().fill('─'));
const ASCII: TableStyle = presets::NOTHING.header_separator(LineStyle::none().fill('-'));

#[cfg(test)]
mod tests {
    use super::*;

    fn speeds(sizes: usize) -> Grid {
        let mut header = ["algorithm", "provider", "kernel"].map(str::to_owned).to_vec();
        header.extend((0..sizes).map(|size| format!("{} bytes", 16 << size)));
        header.extend(["spread", "time / best"].map(str::to_owned));
        let row = |provider: &str| {
            let mut row = ["sha256", provider, "sha-ni"].map(str::to_owned).to_vec();
            row.extend((0..sizes).map(|size| format!("0.51{size}9")));
            row.extend(["±0.3%".to_owned(), "1.840x (1.831 to 1.862)".to_owned()]);
            row
        };
        let rows = ["hashdyno", "openssl", "php"].map(row).to_vec();
        Grid { title: String::new(), note: String::new(), header, rows }
    }

    fn on(grid: &Grid, width: usize) -> String {
        let text = table(grid, Screen { width: Some(width), utf8: true });
        let cells =
            grid.rows.iter().flatten().filter(|cell| {
                !cell.contains(' ') && !cell.contains("sha-ni") && !cell.contains('%')
            });
        cells.for_each(|cell| {
            assert!(text.contains(cell.as_str()), "{cell} is broken at {width}:\n{text}")
        });
        text
    }

    fn widest(text: &str) -> usize {
        text.lines().map(display_width).max().unwrap()
    }

    #[test]
    fn a_table_fits_and_no_figure_is_broken() {
        for (sizes, width) in (1..12).flat_map(|sizes| (30..140).map(move |width| (sizes, width))) {
            let text = on(&speeds(sizes), width);
            assert!(widest(&text) <= width, "{sizes} sizes in {width}:\n{text}");
        }
    }

    #[test]
    fn intervals_go_first_then_columns_by_their_rank_then_blocks() {
        let grid = speeds(4);
        assert!(!on(&grid, 200).contains("Left out"));
        assert!(on(&grid, 100).ends_with("Left out to fit 100 columns: intervals."));
        assert!(on(&grid, 80).contains("intervals, spread, kernel."), "{}", on(&grid, 80));
        let blocks = on(&speeds(10), 80);
        assert_eq!(blocks.matches("algorithm").count(), 3, "{blocks}");
    }

    #[test]
    fn a_screen_narrower_than_any_table_has_a_line_for_each_cell() {
        let text = on(&speeds(2), 20);
        assert!(
            text.starts_with("algorithm: sha256\nprovider: hashdyno\n16 bytes: 0.5109\n"),
            "{text}"
        );
    }

    #[test]
    fn prose_is_wrapped_between_words() {
        let header = ["provider", "version"].map(str::to_owned).to_vec();
        let rows = vec![
            ["aws-lc", "It was left out when this was built.\nhint: build with the feature aws-lc"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let grid = Grid { title: String::new(), note: String::new(), header, rows };
        let text = table(&grid, Screen { width: Some(40), utf8: false });
        assert!(
            widest(&text) <= 40 && text.contains("aws-lc    It was left out when this\n"),
            "{text}"
        );
        assert!(text.contains("\n----") && text.is_ascii(), "{text}");
    }
}
