//! Throughput by message size: a small panel for each algorithm, a line for each source, the same
//! axes in all.
//!
//! Panels are compared with each other: hence common axes. Both are logarithmic, since lengths and
//! rates span decades. A page takes 3 x 4 panels. Of more algorithms the ones with the most
//! sources are drawn: a panel with one line compares nothing.

use plotters::prelude::*;

use super::pen::{INK, MUTED, Pen, RULE, colour, legend_height, log_axis, tick};
use super::sheet::{FONT, MARGIN, MEMORY, Section, Sheet, WIDTH};
use crate::report::colours::Mark;
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

    /// Of the head.
    fn head(&self) -> u32 {
        (HEAD + legend_height(&self.names())) as u32
    }
}

impl Section for Panels<'_> {
    fn height(&self) -> u32 {
        self.head() + self.algorithms.len().div_ceil(COLUMNS) as u32 * PANEL + FOOT
    }

    fn draw(&self, sheet: &Sheet<'_>) {
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
        pen.bold(&format!("{messages}, GB/s{some}"), (MARGIN, 14), 14, INK);
        pen.legend(&self.names(), 38);
        pen.text(
            "message, bytes; both axes logarithmic; bars are intervals",
            (MARGIN, self.height() as i32 - 18),
            12,
            MUTED,
        );
        let (_, below) = sheet.split_vertically(self.head());
        let (grid, _) = below.split_vertically(self.height() - self.head() - FOOT);
        let areas = grid.split_evenly((self.algorithms.len().div_ceil(COLUMNS), COLUMNS));
        for (algorithm, area) in self.algorithms.iter().zip(areas) {
            self.panel(algorithm, &area);
        }
    }
}

impl Panels<'_> {
    fn names(&self) -> Vec<(String, Mark)> {
        let drawn =
            |source: &&crate::study::Source| self.shown().any(|cell| cell.source == **source);
        let sources = self.plot.marked().filter(|(source, _)| drawn(source));
        sources.map(|(source, mark)| (source.to_string(), mark)).collect()
    }

    fn shown(&self) -> impl Iterator<Item = &Measured> {
        self.plot
            .measured
            .iter()
            .filter(|cell| cell.size > 0 && self.algorithms.contains(&cell.algorithm.as_str()))
    }

    fn panel(&self, algorithm: &str, area: &Sheet<'_>) {
        Pen(area).bold(algorithm, (52, 10), 13, INK);
        let (low, high, ticks) = log_axis(
            self.shown().map(Measured::gigabytes_per_second).flat_map(|rate| [rate.low, rate.high]),
        );
        let (least, most, _) = log_axis(self.sizes.iter().map(|&size| size as f64));
        let x = (least..most).log_scale().with_key_points(self.labelled());
        let y = (low..high).log_scale().with_key_points(ticks);
        let mut chart = ChartBuilder::on(area)
            .margin_top(20)
            .margin_right(8)
            .x_label_area_size(24)
            .y_label_area_size(50)
            .build_cartesian_2d(x, y)
            .expect(MEMORY);
        let style = (FONT, 12).into_font().color(&MUTED);
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
        for (source, mark) in self.plot.marked() {
            let mut cells: Vec<_> = self
                .shown()
                .filter(|cell| cell.algorithm == algorithm && cell.source == *source)
                .collect();
            cells.sort_by_key(|cell| cell.size);
            let rated: Vec<_> =
                cells.iter().map(|cell| (cell.size as f64, cell.gigabytes_per_second())).collect();
            let style = colour(mark).stroke_width(1);
            let bars = rated.iter().map(|&(size, rate)| {
                PathElement::new(vec![(size, rate.low), (size, rate.high)], style)
            });
            chart.draw_series(bars).expect(MEMORY);
            let points: Vec<_> = rated.iter().map(|&(size, rate)| (size, rate.value)).collect();
            if mark.dashed {
                let dashed = DashedLineSeries::new(points.clone(), 4, 3, style);
                chart.draw_series(dashed).expect(MEMORY);
            } else {
                chart.draw_series(LineSeries::new(points.clone(), style)).expect(MEMORY);
            }
            for point in points {
                Pen(area).mark(at(area, chart.backend_coord(&point)), mark);
            }
        }
    }

    /// The sizes that have a label: those that are far enough from the one before.
    fn labelled(&self) -> Vec<f64> {
        let span = self.sizes.last().zip(self.sizes.first());
        let decades = span.map_or(1.0, |(most, least)| (*most as f64 / *least as f64).log10());
        // Nine labels at most: more would touch each other in a third of the page.
        let mut labels: Vec<f64> = Vec::new();
        for size in self.sizes.iter().map(|&size| size as f64) {
            if labels.last().is_none_or(|last| (size / last).log10() > decades / 9.0) {
                labels.push(size);
            }
        }
        labels
    }
}

/// A place on the whole page as one on an area.
fn at(area: &Sheet<'_>, (x, y): (i32, i32)) -> (i32, i32) {
    let (left, top) = area.get_base_pixel();
    (x - left, y - top)
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

const COLUMNS: usize = 3;
const ROWS: usize = 4;
/// Pixels.
const HEAD: i32 = 36;
const PANEL: u32 = (WIDTH as usize / COLUMNS) as u32 * 2 / 3;
const FOOT: u32 = 44;
