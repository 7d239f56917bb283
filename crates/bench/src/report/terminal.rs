use anstyle::{AnsiColor, Style};

use super::screen::Screen;
use super::{Grid, Report, cells, fit};
use crate::judge::{Judgement, Verdict};
use crate::study::Claim;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The report for a person. It holds colours; the printer strips them where they are not wanted.
pub fn render(report: &Report<'_>) -> String {
    let screen = Screen::here();
    let study = &report.record.head.study;
    let mut out = format!("{BOLD}{}{BOLD:#}\n{}\n", study.title, screen.wrap(&study.question, ""));
    report.grids.iter().for_each(|grid| out += &format!("\n{}", grid.on(screen)));
    let mut section = |title: &str, lines: &mut dyn Iterator<Item = String>| {
        let lines: Vec<_> = lines
            .flat_map(|text| text.lines().map(|line| indented(screen, line)).collect::<Vec<_>>())
            .collect();
        if !lines.is_empty() {
            out += &format!("\n{BOLD}{title}{BOLD:#}\n{}\n", lines.join("\n"));
        }
    };
    section(
        "Claims",
        &mut report.claims.iter().map(|(claim, judgements)| claimed(claim, judgements)),
    );
    let errata = report.errata.iter().map(|erratum| {
        format!("{} {BOLD}->{BOLD:#} {} {}", erratum.says, erratum.is, erratum.reason)
    });
    section("Errata of the document", &mut errata.into_iter());
    section("Not measured", &mut report.gaps.iter().cloned());
    section(
        "Measured",
        &mut report.facts.iter().map(|(name, value)| format!("{DIM}{name}:{DIM:#} {value}")),
    );
    section("Answer", &mut report.answer.iter().cloned());
    screen.spell(out)
}

/// A line of a section: two columns in, and what does not fit below it four more.
fn indented(screen: Screen, line: &str) -> String {
    let own = line.len() - line.trim_start().len();
    let line = format!("  {line}");
    screen.wrap(&line, &" ".repeat(own + 6))
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
    /// The table for a person, as standard output shows it.
    pub fn terminal(&self) -> String {
        self.on(Screen::here())
    }

    /// Its title, its note, and columns of figures to the right.
    pub fn on(&self, screen: Screen) -> String {
        let mut out = screen.wrap(&format!("{BOLD}{}{BOLD:#}", self.title), "") + "\n";
        if !self.note.is_empty() {
            out += &(screen.wrap(&format!("{DIM}{}{DIM:#}", self.note), "") + "\n");
        }
        screen.spell(out + &fit::table(self, screen) + "\n")
    }
}
