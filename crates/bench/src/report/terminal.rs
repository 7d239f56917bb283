//! The report for a person at a terminal.
//!
//! ```text
//! full    title, question, tables, claims, errata, not measured, measured, answer
//! brief   title, question, a line for each claim, noise, void cells, answer
//! ```
//!
//! The answer comes last: it stands above the prompt when all has scrolled by. Colours are written
//! always, and the printer strips them. Lines are wrapped between words, and tables fitted to the
//! width (`fit`).

use anstyle::{AnsiColor, Style};

use super::screen::Screen;
use super::{Format, Grid, Render, Report, cells, fit};
use crate::judge::{Judgement, Verdict};
use crate::record::Record;
use crate::study::{Claim, Preset};
use crate::text::whole_length;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The report for a person. It holds colours; the printer strips them where they are not wanted.
pub const FORMAT: Format = Format {
    name: "terminal",
    about: "Tables and colours",
    brief: Some(&BRIEF),
    grid: Some(Grid::terminal),
    ..Format::by(Render::One(render))
};

/// The same without tables: the verdicts and the answer.
const BRIEF: Format = Format { name: "terminal", ..Format::by(Render::One(brief)) };

fn render(report: &Report<'_>) -> String {
    let screen = Screen::here();
    let study = &report.record.head.study;
    let mut out = format!("{BOLD}{}{BOLD:#}\n{}\n", study.title, screen.wrap(&study.question, ""));
    report.grids.iter().for_each(|grid| out += &format!("\n{}", grid.on(screen)));
    let mut section = |title: &str, lines: &mut dyn Iterator<Item = String>| {
        out += &section(screen, title, lines)
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

/// One screen: each claim in a line, what is missing in one, the answer last.
fn brief(report: &Report<'_>) -> String {
    let screen = Screen::here();
    let study = &report.record.head.study;
    let mut out = format!("{BOLD}{}{BOLD:#}\n{}\n", study.title, screen.wrap(&study.question, ""));
    out += &verdicts(report, screen);
    let facts = ["machine", "preset", "noise"].map(|name| fact(report, name));
    let facts = facts.into_iter().flatten().chain(counted(report));
    out += &section(screen, "Measured", &mut facts.map(|fact| screen.cut(&fact)));
    out += &section(screen, "Void", &mut worst(report).into_iter());
    out += &section(screen, "Answer", &mut report.answer.iter().cloned());
    screen.spell(out)
}

/// Each claim after its verdict on this machine. None is cut: two may differ in their last words.
fn verdicts(report: &Report<'_>, screen: Screen) -> String {
    let here = |judgements: &[Judgement]| {
        judgements.last().map_or(Verdict::NotMeasured, |judgement| judgement.verdict)
    };
    let says = |claim: &Claim| {
        claim.says.clone() + &shorter_file(report.record, claim).unwrap_or_default()
    };
    let judged: Vec<_> =
        report.claims.iter().map(|(claim, judgements)| (here(judgements), says(claim))).collect();
    let Some(width) = judged.iter().map(|(verdict, _)| cells::verdict(*verdict).len()).max() else {
        return String::new();
    };
    let line = |(verdict, says): &(Verdict, String)| {
        let style = colour(*verdict).on_default();
        let word = cells::verdict(*verdict);
        screen.wrap(&format!("  {style}{word:width$}{style:#}  {says}"), &" ".repeat(width + 4))
    };
    let lines: Vec<_> = judged.iter().map(line).collect();
    format!("\n{BOLD}Claims, on this machine{BOLD:#}\n{}\n", lines.join("\n"))
}

/// That a quick run has hashed a shorter file than the claim is about.
fn shorter_file(record: &Record, claim: &Claim) -> Option<String> {
    let id = claim.files.as_ref()?;
    let table = record.head.study.files.iter().find(|table| table.id == *id)?;
    let sides = || [Some(&claim.left), claim.right.as_ref()].into_iter().flatten();
    let is_of = |bytes: u64| sides().any(|side| side.size.one() == Some(bytes as usize));
    let lengths = table.lengths(record.head.preset == Preset::Quick);
    let (size, taken) = lengths.into_iter().find(|&(size, taken)| taken < size && is_of(size))?;
    let (size, taken) = (whole_length(size), whole_length(taken));
    Some(format!(" ({taken} in place of {size}, since this run is quick)"))
}

/// The first cells that are void: a run that is not whole must not look so.
fn worst(report: &Report<'_>) -> Vec<String> {
    let voids = super::voids(report.record);
    let more = voids.len().saturating_sub(MOST_VOIDS);
    let more = (more > 0).then(|| format!("{more} more with --full"));
    voids.into_iter().take(MOST_VOIDS).chain(more).collect()
}

/// More void cells are counted.
const MOST_VOIDS: usize = 3;

/// One of the facts, its name before it.
fn fact(report: &Report<'_>, name: &str) -> Option<String> {
    let (_, value) = report.facts.iter().find(|(known, _)| known == name)?;
    Some(format!("{DIM}{name}:{DIM:#} {value}"))
}

/// How much is not shown, and how to see it.
fn counted(report: &Report<'_>) -> Option<String> {
    let counts = [
        (report.grids.len(), "tables"),
        (report.errata.len(), "errata"),
        (report.gaps.len(), "not measured"),
    ];
    let named: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    (!named.is_empty()).then(|| format!("{DIM}--full shows:{DIM:#} {}", named.join(", ")))
}

/// A title and its lines; nothing where there are none.
fn section(screen: Screen, title: &str, lines: &mut dyn Iterator<Item = String>) -> String {
    let lines: Vec<_> = lines
        .flat_map(|text| text.lines().map(|line| indented(screen, line)).collect::<Vec<_>>())
        .collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("\n{BOLD}{title}{BOLD:#}\n{}\n", lines.join("\n")),
    }
}

/// A line of a section: two columns in, and what does not fit below it four more.
fn indented(screen: Screen, line: &str) -> String {
    // A line that is indented already keeps its own indent below itself, too.
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
    let style = colour(judgement.verdict).on_default();
    let words = cells::judgement(judgement);
    let (verdict, rest) = words.split_once(": ").unwrap_or((&words, ""));
    // As wide as the longest verdict, so that the machines behind them are aligned.
    format!("{style}{verdict:19}{style:#} {}: {rest}", judgement.on)
}

fn colour(verdict: Verdict) -> AnsiColor {
    match verdict {
        Verdict::Holds => AnsiColor::Green,
        Verdict::Fails => AnsiColor::Red,
        Verdict::NotDistinguishable | Verdict::NotMeasured => AnsiColor::Yellow,
    }
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
        out += &(fit::table(self, screen) + "\n");
        let legend = self.legend();
        if !legend.is_empty() {
            out += &(screen.wrap(&format!("{DIM}{legend}{DIM:#}"), "") + "\n");
        }
        screen.spell(out)
    }
}
