use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{Grid, Report, cells};
use crate::claim::{Judgement, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The report for a person. It holds colours; the printer strips them where they are not wanted.
pub fn render(report: &Report<'_>) -> String {
    let study = &report.record.head.study;
    let mut out = format!("{BOLD}{}{BOLD:#}\n{}\n", study.title, study.question);
    report.grids.iter().for_each(|shown| drop(write!(out, "\n{BOLD}{}{BOLD:#}\n{}\n", shown.title, grid(shown))));
    if !report.claims.is_empty() {
        let _ = writeln!(out, "\n{BOLD}Claims{BOLD:#}");
    }
    for (claim, judgements) in &report.claims {
        let _ = writeln!(out, "  {} {DIM}({}){DIM:#}", claim.says, claim.place);
        judgements.iter().for_each(|judgement| drop(writeln!(out, "    {}", judged(judgement))));
        claim.note.iter().for_each(|note| drop(writeln!(out, "    {DIM}{note}{DIM:#}")));
    }
    let errata = report.errata.iter().map(|erratum| format!("{} {BOLD}->{BOLD:#} {} {}", erratum.says, erratum.is, erratum.reason));
    section(&mut out, "Errata of the document", errata);
    section(&mut out, "Not measured", report.gaps.iter().cloned());
    section(&mut out, "Measured", report.facts.iter().map(|(name, value)| format!("{DIM}{name}:{DIM:#} {value}")));
    section(&mut out, "Answer", report.answer.iter().cloned());
    out
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<_> = lines.collect();
    if !lines.is_empty() {
        let _ = writeln!(out, "\n{BOLD}{title}{BOLD:#}");
        lines.iter().for_each(|line| drop(writeln!(out, "  {line}")));
    }
}

fn judged(judgement: &Judgement) -> String {
    let colour = match judgement.verdict {
        Verdict::Holds => AnsiColor::Green,
        Verdict::Fails => AnsiColor::Red,
        Verdict::NotDistinguishable | Verdict::NotMeasured => AnsiColor::Yellow,
    };
    let style = colour.on_default();
    let words = cells::judgement(judgement);
    let (verdict, rest) = words.split_once(": ").unwrap_or((&words, ""));
    format!("{style}{verdict:19}{style:#} {}: {rest}", judgement.on)
}

fn grid(grid: &Grid) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(&grid.header);
    grid.rows.iter().for_each(|row| drop(table.add_row(row)));
    let numbers = |column: &usize| {
        let filled = || grid.rows.iter().filter(|row| !row[*column].is_empty());
        filled().all(|row| row[*column].starts_with(|c: char| c.is_ascii_digit() || "±>".contains(c)))
    };
    for column in (1..grid.header.len()).filter(numbers) {
        table.column_mut(column).expect("the table has the header's columns").set_cell_alignment(CellAlignment::Right);
    }
    table
}
