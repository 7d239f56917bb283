//! Published beside measured: a row for each algorithm, filled dots from here, hollow ones from the
//! document.
//!
//! The axis is logarithmic: machines of different years differ by factors. A published figure more
//! than five times beyond every measured one does not stretch it, and is an arrow at its end. Rows
//! are in the order of the figures here. More than 24 rows stand in two columns.

use super::pen::{INK, MUTED, Pen, RULE, colour, legend_height, log_axis, tick, width};
use super::sheet::{MARGIN, Section, Sheet, WIDTH};
use crate::report::colours::Mark;
use crate::report::plot::{Block, Measured, Plot, Printed};

/// The rows of a table.
pub struct Dots<'a> {
    plot: &'a Plot,
    size: usize,
    rows: Vec<&'a str>,
}

impl<'a> Dots<'a> {
    /// The longest message that the document has figures for.
    pub fn new(plot: &'a Plot) -> Option<Self> {
        let printed = || {
            plot.published
                .iter()
                .flat_map(|block| &block.figures)
                .filter(|figure| figure.value.is_some())
        };
        let size = printed().map(|figure| figure.size).max()?;
        let known = |name: &&String| {
            printed().any(|figure| figure.algorithm == **name && figure.size == size)
        };
        let mut rows: Vec<_> = plot.algorithms.iter().filter(known).map(String::as_str).collect();
        let here = |name: &str| {
            plot.measured.iter().find(|cell| {
                cell.source == plot.main && cell.algorithm == name && cell.size == size
            })
        };
        let order = |name: &&str| {
            here(name).map_or(f64::INFINITY, |cell| {
                if plot.rate { -cell.value.value } else { cell.value.value }
            })
        };
        rows.sort_by(|a, b| order(a).total_cmp(&order(b)));
        (!rows.is_empty()).then_some(Self { plot, size, rows })
    }

    /// Where the first row begins.
    fn top(&self) -> i32 {
        HEAD + legend_height(&self.names())
    }
}

impl Section for Dots<'_> {
    fn height(&self) -> u32 {
        (self.top() + self.lines() as i32 * ROW + FOOT) as u32
    }

    fn draw(&self, sheet: &Sheet<'_>) {
        let pen = Pen(sheet);
        let faster = if self.plot.rate { "more" } else { "less" };
        pen.bold(
            &format!(
                "Published beside measured, {} bytes: {}, {faster} is faster",
                self.size, self.plot.unit
            ),
            (MARGIN, 14),
            14,
            INK,
        );
        pen.legend(&self.names(), 38);
        let names = self.rows.iter().map(|name| width(name, 12)).max().unwrap_or(0) + 12;
        let width = (WIDTH as i32 - 2 * MARGIN) / self.columns() as i32;
        for (column, rows) in self.rows.chunks(self.lines()).enumerate() {
            let left = MARGIN + column as i32 * width;
            self.column(&pen, rows, left + names, left + width - 22);
        }
    }
}

impl Dots<'_> {
    fn columns(&self) -> usize {
        if self.rows.len() > 24 { 2 } else { 1 }
    }

    fn lines(&self) -> usize {
        self.rows.len().div_ceil(self.columns())
    }

    fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.plot
            .measured
            .iter()
            .filter(|cell| cell.size == self.size && self.rows.contains(&cell.algorithm.as_str()))
    }

    fn printed<'b>(&'b self, block: &'b Block) -> impl Iterator<Item = (&'b Printed, f64)> {
        block
            .figures
            .iter()
            .filter(|figure| figure.size == self.size)
            .filter_map(|figure| Some((figure, figure.value?)))
    }

    fn names(&self) -> Vec<(String, Mark)> {
        let blocks = self
            .plot
            .published
            .iter()
            .enumerate()
            .filter(|(_, block)| self.printed(block).next().is_some());
        let blocks = blocks
            .map(|(place, block)| (format!("published {}", block.id), Mark::published(place)));
        let sources = self
            .plot
            .marked()
            .filter(|(source, _)| self.measured().any(|cell| cell.source == **source));
        blocks.chain(sources.map(|(source, mark)| (source.to_string(), mark))).collect()
    }

    /// A column of rows between two pixels.
    fn column(&self, pen: &Pen<'_, '_>, rows: &[&str], left: i32, right: i32) {
        let (low, high, ticks) = self.axis();
        let x = |value: f64| {
            left + (f64::from(right - left) * (value / low).ln() / (high / low).ln()).round() as i32
        };
        let bottom = self.top() + self.lines() as i32 * ROW;
        for tick_at in ticks {
            pen.line((x(tick_at), self.top() - 4), (x(tick_at), bottom), RULE);
            pen.text_about(&tick(tick_at), (x(tick_at), bottom + 11), 12, MUTED);
        }
        for (place, name) in rows.iter().enumerate() {
            let y = self.top() + place as i32 * ROW + ROW / 2;
            pen.text_to(name, (left - 8, y), 12, INK);
            pen.line((left, y), (right, y), RULE);
            for (mark, cell) in self.cells(name) {
                pen.line((x(cell.value.low), y), (x(cell.value.high), y), colour(mark));
                pen.mark((x(cell.value.value), y), mark);
            }
            for (place, block) in self.plot.published.iter().enumerate() {
                let here = self.printed(block).filter(|(figure, _)| figure.algorithm == *name);
                for (_, value) in here {
                    match (value < low, value > high) {
                        (false, false) => pen.mark((x(value), y), Mark::published(place)),
                        (true, _) => pen.bold("‹", (left - 6, y), 14, INK),
                        (_, true) => pen.bold("›", (right + 2, y), 14, INK),
                    }
                }
            }
        }
    }

    /// Over every measured figure, and over published ones that are not far beyond them all.
    fn axis(&self) -> (f64, f64, Vec<f64>) {
        let measured = || self.measured().flat_map(|cell| [cell.value.low, cell.value.high]);
        if self.measured().next().is_none() {
            return log_axis(self.published());
        }
        let (low, high, _) = log_axis(measured());
        let near = |value: &f64| (low / FAR..=high * FAR).contains(value);
        log_axis(measured().chain(self.published().filter(near)))
    }

    fn published(&self) -> impl Iterator<Item = f64> {
        self.plot.published.iter().flat_map(|block| self.printed(block)).map(|(_, value)| value)
    }

    /// The measured figures of a row with their marks.
    fn cells(&self, name: &str) -> impl Iterator<Item = (Mark, &Measured)> {
        let own = self.measured().filter(move |cell| cell.algorithm == name);
        own.filter_map(|cell| {
            let (_, mark) = self.plot.marked().find(|(source, _)| **source == cell.source)?;
            Some((mark, cell))
        })
    }
}

/// A published figure this many times beyond every measured one lies outside of the axis.
const FAR: f64 = 5.0;

/// Pixels.
const HEAD: i32 = 40;
const ROW: i32 = 17;
const FOOT: i32 = 40;
