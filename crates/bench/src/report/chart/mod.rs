//! Charts as SVG, for documents: throughput by message size, of one message and of many, a panel
//! for each algorithm; published beside measured, a row for each.

mod dots;
mod panels;
mod pen;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::plot::Plot;
use crate::record::Record;
use crate::study::Table;
use pen::{INK, MUTED, Pen};

/// The family that the text is set in; whoever turns the SVG into pixels needs it.
pub const FONT: &str = "DejaVu Sans";

/// The page that charts are drawn on.
type Sheet<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A record's chart as SVG, in light colours, the same bytes for the same record; `None` where it
/// has no figure to draw.
pub fn svg(record: &Record) -> Option<String> {
    let plots = |of: fn(&Record, &Table) -> Plot| {
        record.head.study.tables.iter().map(|table| of(record, table)).collect::<Vec<_>>()
    };
    let (one, many) = (plots(Plot::new), plots(Plot::of_many));
    let panels: Vec<_> = [&one, &many]
        .into_iter()
        .filter_map(|plots| plots.iter().find_map(panels::Panels::new))
        .collect();
    let dots = one.iter().find_map(dots::Dots::new);
    if panels.is_empty() && dots.is_none() {
        return None;
    }
    let heights = [
        panels.iter().map(panels::Panels::height).sum(),
        dots.as_ref().map_or(0, dots::Dots::height),
    ];
    let mut text = String::new();
    {
        let sheet = SVGBackend::with_string(&mut text, (WIDTH, HEAD + heights[0] + heights[1]))
            .into_drawing_area();
        sheet.fill(&WHITE).expect(MEMORY);
        let (head, rest) = sheet.split_vertically(HEAD);
        let (mut upper, lower) = rest.split_vertically(heights[0]);
        title(&head, record);
        for panels in &panels {
            let (here, below) = upper.split_vertically(panels.height());
            panels.draw(&here);
            upper = below;
        }
        dots.iter().for_each(|dots| dots.draw(&lower));
        sheet.present().expect(MEMORY);
    }
    Some(text)
}

fn title(sheet: &Sheet<'_>, record: &Record) {
    let head = &record.head;
    let guest = if head.machine.hypervisor.is_some() { ", virtual" } else { "" };
    let machine = &head.machine;
    let day = head.date.split('T').next().unwrap_or_default();
    let pen = Pen(sheet);
    pen.bold(&head.study.title, (MARGIN, 26), 17, INK);
    let where_and_when = format!(
        "{} (family {}, model {}){guest}, {day}, {}",
        machine.cpu, machine.family, machine.model, head.preset
    );
    pen.text(&where_and_when, (MARGIN, 48), 12, MUTED);
}

/// Pixels.
const WIDTH: u32 = 960;
const HEAD: u32 = 62;
const MARGIN: i32 = 16;

/// What is expected of a drawing in memory.
const MEMORY: &str = "drawing to memory does not fail";
