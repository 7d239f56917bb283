//! The scoreboard: a row for each length of message, a dot for each algorithm, further right where
//! hashdyno is further ahead.
//!
//! The axis is logarithmic and common to all rows: 2 and 1/2 are as far from 1. It spans 0.95 to
//! 1.05 at least, the usual borders of a tie. A row is as high as its highest heap of dots. At its
//! right end stand its counts.

use super::pen::{INK, MUTED, Pen, RULE, log_axis, tick};
use super::sheet::{MARGIN, Section, Sheet, WIDTH};
use crate::judge::Standing;
use crate::report::colours::Mark;
use crate::report::strip::{Line, Strip};

/// The drawing.
pub struct Dotted(pub Strip);

impl Section for Dotted {
    fn height(&self) -> u32 {
        (TOP + self.0.rows.iter().map(height).sum::<i32>() + FOOT) as u32
    }

    fn draw(&self, sheet: &Sheet<'_>) {
        let pen = Pen(sheet);
        let ratio = "time of the best other provider / time of hashdyno, a dot for each algorithm";
        pen.bold("hashdyno against the best of the others", (MARGIN, 14), 14, INK);
        pen.text(&format!("{ratio}. Right of 1 hashdyno is faster."), (MARGIN, 34), 12, MUTED);
        let name = |standing| (words(standing, self.count(standing)), mark(standing));
        pen.legend(&[Standing::Win, Standing::Tie, Standing::Loss].map(name), 56);
        let (low, high, ticks) = self.axis();
        let span = f64::from(RIGHT - LEFT);
        let x = |value: f64| LEFT + (span * (value / low).ln() / (high / low).ln()).round() as i32;
        let bottom = self.height() as i32 - FOOT;
        for at in ticks {
            pen.line((x(at), TOP), (x(at), bottom), RULE);
            pen.text_about(&tick(at), (x(at), bottom + 11), 12, MUTED);
        }
        pen.line((x(1.0), TOP), (x(1.0), bottom), INK);
        let mut y = TOP;
        for row in &self.0.rows {
            let middle = y + height(row) / 2;
            pen.text_to(&row.name, (LEFT - 10, middle), 12, INK);
            let [win, tie, loss] = row.counts;
            pen.text(&format!("{win} win, {tie} tie, {loss} loss"), (RIGHT + 12, middle), 12, INK);
            for dot in &row.dots {
                pen.mark((x(dot.ratio.value), middle - dot.up * STEP), mark(dot.standing));
            }
            y += height(row);
        }
    }
}

impl Dotted {
    fn count(&self, standing: Standing) -> usize {
        let dots = self.0.rows.iter().flat_map(|row| &row.dots);
        dots.filter(|dot| dot.standing == standing).count()
    }

    fn axis(&self) -> (f64, f64, Vec<f64>) {
        let dots = self.0.rows.iter().flat_map(|row| &row.dots).map(|dot| dot.ratio.value);
        log_axis(dots.chain([0.95, 1.05]))
    }
}

fn words(standing: Standing, count: usize) -> String {
    format!("{}: {count}", standing.name())
}

/// A standing by colour and shape.
fn mark(standing: Standing) -> Mark {
    let (hue, shape) = match standing {
        Standing::Win => (0, 0),
        Standing::Loss => (1, 3),
        _ => (2, 1),
    };
    Mark { hue, shape, dashed: false, hollow: false }
}

/// As high as the highest heap of dots.
fn height(row: &Line) -> i32 {
    let most = row.dots.iter().map(|dot| dot.up.abs()).max().unwrap_or(0);
    2 * STEP * most + 26
}

/// Pixels.
const TOP: i32 = 76;
const FOOT: i32 = 44;
const STEP: i32 = 7;
const LEFT: i32 = MARGIN + 110;
const RIGHT: i32 = WIDTH as i32 - MARGIN - 170;
