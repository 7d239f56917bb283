//! Published beside measured: a row for each algorithm, filled dots from here, hollow ones from the
//! document.

use plotters::prelude::*;

use super::pen::{INK, MUTED, Pen, RULE, colour, log_axis, tick};
use super::{MARGIN, Sheet, WIDTH};
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

    /// In pixels.
    pub fn height(&self) -> u32 {
        (LEGEND + self.lines() as i32 * ROW + FOOT) as u32
    }

    /// Draws them.
    pub fn draw(&self, sheet: &Sheet<'_>) {
        let pen = Pen(sheet);
        let faster = if self.plot.rate { "more" } else { "less" };
        pen.bold(
            &format!(
                "Published beside measured, {} bytes: {}, {faster} is faster",
                self.size, self.plot.unit
            ),
            (MARGIN, 14),
            13,
            INK,
        );
        pen.legend(&self.names(), (MARGIN, 36));
        let width = (WIDTH as i32 - 2 * MARGIN) / self.columns() as i32;
        for (column, rows) in self.rows.chunks(self.lines()).enumerate() {
            let left = MARGIN + column as i32 * width;
            self.column(&pen, rows, left + NAME, left + width - 18);
        }
    }

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

    fn names(&self) -> Vec<(String, RGBColor, bool)> {
        let blocks = self
            .plot
            .published
            .iter()
            .enumerate()
            .filter(|(_, block)| self.printed(block).next().is_some());
        let blocks =
            blocks.map(|(place, block)| (format!("published {}", block.id), old(place), true));
        let sources = self
            .plot
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| self.measured().any(|cell| cell.source == **source));
        blocks
            .chain(sources.map(|(place, source)| (source.to_string(), colour(place), false)))
            .collect()
    }

    /// A column of rows between two pixels.
    fn column(&self, pen: &Pen<'_, '_>, rows: &[&str], left: i32, right: i32) {
        let printed = self
            .plot
            .published
            .iter()
            .flat_map(|block| self.printed(block))
            .map(|(_, value)| value);
        let (low, high, ticks) = log_axis(
            self.measured().flat_map(|cell| [cell.value.low, cell.value.high]).chain(printed),
        );
        let x = |value: f64| {
            left + (f64::from(right - left) * (value / low).ln() / (high / low).ln()).round() as i32
        };
        let bottom = LEGEND + self.lines() as i32 * ROW;
        for tick_at in ticks {
            pen.line((x(tick_at), LEGEND - 4), (x(tick_at), bottom), RULE);
            pen.text(
                &tick(tick_at),
                (x(tick_at) - 3 * tick(tick_at).len() as i32, bottom + 10),
                10,
                MUTED,
            );
        }
        for (place, name) in rows.iter().enumerate() {
            let y = LEGEND + place as i32 * ROW + ROW / 2;
            pen.text_to(name, (left - 8, y), 11, INK);
            pen.line((left, y), (right, y), RULE);
            for (source, cell) in self.cells(name) {
                pen.line((x(cell.value.low), y), (x(cell.value.high), y), colour(source));
                pen.dot((x(cell.value.value), y), colour(source), false);
            }
            for (place, block) in self.plot.published.iter().enumerate() {
                let here = self.printed(block).filter(|(figure, _)| figure.algorithm == *name);
                here.for_each(|(_, value)| pen.dot((x(value), y), old(place), true));
            }
        }
    }

    /// The measured figures of a row with their sources' places.
    fn cells(&self, name: &str) -> impl Iterator<Item = (usize, &Measured)> {
        let own = self.measured().filter(move |cell| cell.algorithm == name);
        own.filter_map(|cell| {
            Some((self.plot.sources.iter().position(|source| *source == cell.source)?, cell))
        })
    }
}

/// The outline of a published block by its place.
fn old(place: usize) -> RGBColor {
    [INK, RGBColor(0x8a, 0x93, 0x9e), RGBColor(0xc2, 0x41, 0x7c)][place % 3]
}

/// Pixels.
const LEGEND: i32 = 58;
const ROW: i32 = 15;
const FOOT: i32 = 26;
const NAME: i32 = 104;
