//! Charts as SVG, for documents: throughput by message size, of one message and of many, a panel
//! for each algorithm; published beside measured, a row for each; ciphers by mode and whole files
//! as bars; the scoreboard as a strip of dots. Light or dark as the reader's system is.
//!
//! ```text
//! title           HEAD pixels
//! section         its own height, the page's width: strip, or panels, dots, bars ...
//! section         below it
//! ```
//!
//! A section says its height before anything is drawn. The same record gives the same bytes: charts
//! are kept in the repository, and a change shows in its history.

mod bars;
mod dark;
mod dots;
mod panels;
mod pen;
mod sheet;
mod strip;

use plotters::prelude::*;

use super::bars::Bars;
use super::plot::Plot;
use super::strip::Strip;
use crate::judge::Board;
use crate::record::Record;
use crate::study::Table;
use pen::{INK, MUTED, Pen};
use sheet::{MARGIN, MEMORY, Section, Sheet, WIDTH};

pub use sheet::FONT;

/// A record's chart as SVG, the same bytes for the same record; `None` where it has no figure to
/// draw.
pub fn svg(record: &Record) -> Option<String> {
    let plots = |of: fn(&Record, &Table) -> Plot| {
        record.head.study.tables.iter().map(|table| of(record, table)).collect::<Vec<_>>()
    };
    let (one, many) = (plots(Plot::new), plots(Plot::of_many));
    let bars = Bars::chosen(record);
    let sections: Vec<Box<dyn Section + '_>> =
        match Board::new(record).as_ref().and_then(Strip::new) {
            Some(board) => vec![Box::new(strip::Dotted(board))],
            None => sections(&one, &many, &bars),
        };
    if sections.is_empty() {
        return None;
    }
    let height = HEAD + sections.iter().map(|section| section.height()).sum::<u32>();
    let mut text = String::new();
    {
        let sheet = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        sheet.fill(&WHITE).expect(MEMORY);
        let (head, mut rest) = sheet.split_vertically(HEAD);
        title(&head, record);
        for section in &sections {
            let (here, below) = rest.split_vertically(section.height());
            section.draw(&here);
            rest = below;
        }
        sheet.present().expect(MEMORY);
    }
    Some(dark::styled(&text))
}

/// What is drawn of tables: ciphers as bars only, and of the others the first that has panels or
/// dots.
fn sections<'a>(one: &'a [Plot], many: &'a [Plot], bars: &'a [Bars]) -> Vec<Box<dyn Section + 'a>> {
    let mut sections: Vec<Box<dyn Section + 'a>> = Vec::new();
    if !one.iter().any(Plot::has_directions) {
        for plots in [one, many] {
            if let Some(panels) = plots.iter().find_map(panels::Panels::new) {
                sections.push(Box::new(panels));
            }
        }
        if let Some(dots) = one.iter().find_map(dots::Dots::new) {
            sections.push(Box::new(dots));
        }
    } else if bars.is_empty() {
        sections.extend(
            one.iter()
                .find_map(panels::Panels::new)
                .map(|panels| Box::new(panels) as Box<dyn Section>),
        );
    }
    sections.extend(bars.iter().map(|bars| Box::new(bars::Drawn(bars)) as Box<dyn Section>));
    sections
}

fn title(sheet: &Sheet<'_>, record: &Record) {
    let head = &record.head;
    let guest = if head.machine.hypervisor.is_some() { ", virtual" } else { "" };
    let machine = &head.machine;
    let day = head.date.split('T').next().unwrap_or_default();
    let pen = Pen(sheet);
    pen.bold(&head.study.title, (MARGIN, 26), 18, INK);
    let where_and_when = format!(
        "{} (family {}, model {}){guest}, {day}, {}",
        machine.cpu, machine.family, machine.model, head.preset
    );
    pen.text(&where_and_when, (MARGIN, 50), 13, MUTED);
}

/// Pixels.
const HEAD: u32 = 68;
