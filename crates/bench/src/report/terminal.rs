use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::{Grid, Report, cells};
use crate::judge::{Judgement, Verdict};
use crate::study::Claim;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The report for a person. It holds colours; the printer strips them where they are not wanted.
pub fn render(report: &Report<'_>) -> String {
    let study = &report.record.head.study;
    let mut out = format!("{BOLD}{}{BOLD:#}\n{}\n", study.title, study.question);
    report.grids.iter().for_each(|grid| out += &format!("\n{}", grid.terminal()));
    section(&mut out, "Claims", report.claims.iter().map(|(claim, judgements)| claimed(claim, judgements)));
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
        *out += &format!("\n{BOLD}{title}{BOLD:#}\n  {}\n", lines.join("\n  "));
    }
}

fn claimed(claim: &Claim, judgements: &[Judgement]) -> String {
    let mut lines = vec![format!("{} {DIM}({}){DIM:#}", claim.says, claim.place)];
    lines.extend(judgements.iter().map(judged));
    lines.extend(claim.note.iter().map(|note| format!("{DIM}{note}{DIM:#}")));
    lines.join("\n    ")
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

impl Grid {
    /// The table for a person: its title, and columns of figures to the right.
    pub fn terminal(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header(&self.header);
        table.add_rows(&self.rows);
        for column in (1..self.header.len()).filter(|&column| self.is_numeric(column)) {
            table.column_mut(column).expect("the table has the header's columns").set_cell_alignment(CellAlignment::Right);
        }
        let note = if self.note.is_empty() { String::new() } else { format!("{DIM}{}{DIM:#}\n", self.note) };
        format!("{BOLD}{}{BOLD:#}\n{note}{table}\n", self.title)
    }

    fn is_numeric(&self, column: usize) -> bool {
        let figure = |cell: &String| cell.starts_with(|c: char| c.is_ascii_digit() || "±>".contains(c));
        self.rows.iter().map(|row| &row[column]).filter(|cell| !cell.is_empty()).all(figure)
    }
}
