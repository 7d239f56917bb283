//! Throughput by message size: a small panel for each algorithm, a line for each source, the same
//! axes in all.

use plotters::prelude::*;

use super::pen::{INK, MUTED, Pen, RULE, colour, log_axis, tick};
use super::{FONT, MARGIN, MEMORY, Sheet, WIDTH};
use crate::report::plot::{Measured, Plot};

/// The panels of a table.
pub struct Panels<'a> {
    plot: &'a Plot,
    algorithms: Vec<&'a str>,
    sizes: Vec<usize>,
}

impl<'a> Panels<'a> {
    /// The panels of a table that has two sizes or more.
    pub fn new(plot: &'a Plot) -> Option<Self> {
        let mut sizes: Vec<_> =
            plot.measured.iter().map(|cell| cell.size).filter(|&size| size > 0).collect();
        sizes.sort_unstable();
        sizes.dedup();
        (sizes.len() > 1).then(|| Self { plot, algorithms: most_measured(plot), sizes })
    }

    /// In pixels.
    pub fn height(&self) -> u32 {
        LEGEND + self.algorithms.len().div_ceil(COLUMNS) as u32 * PANEL + FOOT
    }

    /// Draws them.
    pub fn draw(&self, sheet: &Sheet<'_>) {
        let all = self
            .plot
            .algorithms
            .iter()
            .filter(|name| self.plot.measured.iter().any(|cell| cell.algorithm == **name))
            .count();
        let some = if all > self.algorithms.len() {
            format!(
                " ({} of {all} algorithms: those that most providers have)",
                self.algorithms.len()
            )
        } else {
            String::new()
        };
        let pen = Pen(sheet);
        let messages = if self.plot.many {
            "Throughput of many messages by their size"
        } else {
            "Throughput by message size"
        };
        pen.bold(&format!("{messages}, GB/s{some}"), (MARGIN, 14), 13, INK);
        pen.legend(&self.names(), (MARGIN, 36));
        pen.text(
            "message, bytes; both axes logarithmic; bars are intervals",
            (MARGIN, self.height() as i32 - 14),
            11,
            MUTED,
        );
        let (_, below) = sheet.split_vertically(LEGEND);
        let (grid, _) = below.split_vertically(self.height() - LEGEND - FOOT);
        let areas = grid.split_evenly((self.algorithms.len().div_ceil(COLUMNS), COLUMNS));
        for (algorithm, area) in self.algorithms.iter().zip(areas) {
            self.panel(algorithm, &area);
        }
    }

    fn names(&self) -> Vec<(String, RGBColor, bool)> {
        let drawn =
            |source: &&crate::study::Source| self.shown().any(|cell| cell.source == **source);
        let sources = self.plot.sources.iter().enumerate().filter(|(_, source)| drawn(source));
        sources.map(|(place, source)| (source.to_string(), colour(place), false)).collect()
    }

    fn shown(&self) -> impl Iterator<Item = &Measured> {
        self.plot
            .measured
            .iter()
            .filter(|cell| cell.size > 0 && self.algorithms.contains(&cell.algorithm.as_str()))
    }

    fn panel(&self, algorithm: &str, area: &Sheet<'_>) {
        Pen(area).bold(algorithm, (50, 10), 12, INK);
        let (low, high, ticks) = log_axis(
            self.shown()
                .flat_map(|cell| [cell.gigabytes_per_second.low, cell.gigabytes_per_second.high]),
        );
        let (least, most, _) = log_axis(self.sizes.iter().map(|&size| size as f64));
        let x = (least..most)
            .log_scale()
            .with_key_points(self.sizes.iter().map(|&size| size as f64).collect());
        let y = (low..high).log_scale().with_key_points(ticks);
        let mut chart = ChartBuilder::on(area)
            .margin_top(20)
            .margin_right(8)
            .x_label_area_size(22)
            .y_label_area_size(46)
            .build_cartesian_2d(x, y)
            .expect(MEMORY);
        let style = (FONT, 10).into_font().color(&MUTED);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RULE)
            .axis_style(RULE)
            .label_style(style)
            .x_label_formatter(&|size| tick(*size))
            .y_label_formatter(&|rate| tick(*rate))
            .draw()
            .expect(MEMORY);
        for (place, source) in self.plot.sources.iter().enumerate() {
            let mut cells: Vec<_> = self
                .shown()
                .filter(|cell| cell.algorithm == algorithm && cell.source == *source)
                .collect();
            cells.sort_by_key(|cell| cell.size);
            let points: Vec<_> = cells
                .iter()
                .map(|cell| (cell.size as f64, cell.gigabytes_per_second.value))
                .collect();
            let bar = |cell: &&Measured| {
                let rate = cell.gigabytes_per_second;
                PathElement::new(
                    vec![(cell.size as f64, rate.low), (cell.size as f64, rate.high)],
                    colour(place).stroke_width(1),
                )
            };
            chart.draw_series(cells.iter().map(bar)).expect(MEMORY);
            chart
                .draw_series(
                    points.iter().map(|&point| Circle::new(point, 3, colour(place).filled())),
                )
                .expect(MEMORY);
            chart
                .draw_series(LineSeries::new(points, colour(place).stroke_width(1)))
                .expect(MEMORY);
        }
    }
}

/// The algorithms that most sources have, as many as there are panels, in the study's order.
fn most_measured(plot: &Plot) -> Vec<&str> {
    let sources =
        |algorithm: &str| plot.sources.iter().filter(|source| has(plot, source, algorithm)).count();
    let mut ranked: Vec<_> = plot
        .algorithms
        .iter()
        .enumerate()
        .map(|(place, name)| (sources(name), place, name.as_str()))
        .collect();
    ranked.retain(|(sources, ..)| *sources > 0);
    ranked.sort_by_key(|&(sources, place, _)| (usize::MAX - sources, place));
    ranked.truncate(COLUMNS * ROWS);
    ranked.sort_by_key(|&(_, place, _)| place);
    ranked.into_iter().map(|(.., name)| name).collect()
}

fn has(plot: &Plot, source: &crate::study::Source, algorithm: &str) -> bool {
    plot.measured.iter().any(|cell| cell.source == *source && cell.algorithm == algorithm)
}

const COLUMNS: usize = 4;
const ROWS: usize = 3;
/// Pixels.
const LEGEND: u32 = 52;
const PANEL: u32 = (WIDTH as usize / COLUMNS) as u32 * 3 / 4;
const FOOT: u32 = 30;
