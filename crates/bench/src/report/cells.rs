//! How figures are written in the cells of tables.
//!
//! ```text
//! 1.840x (1.831 to 1.862)                 a ratio and its interval
//! 1.840x (1.831 to 1.862) on a shared core
//! ±0.3%                                   half the width of an interval
//! 0.5109  0.5109*  0.5109?                quiet; on a shared core; too few samples count
//! void                                    nothing counts; the report says why
//! (blank)                                 not measured
//! ```
//!
//! Signs stand behind a figure, so that columns stay aligned on their digits. A table explains each
//! sign that it has below itself. METHODOLOGY.md, "How to read a figure", has the meanings.

use gauge::{CoreState, Interval, Ratio};

use crate::judge::{self, Judgement, Verdict};
use crate::record::{Entry, Record};
use crate::study::{Ceiling, Size, Source, Table};
pub use crate::text::figure;
use crate::text::percent;

/// Half the width of the interval, in percent of the value.
pub fn spread(interval: &Interval) -> String {
    let percent = 50.0 * (interval.high - interval.low) / interval.value;
    format!("±{percent:.1}%")
}

/// A cost that a fit gave, with its spread. A fit may give less than nothing, which no call takes:
/// then its upper bound.
pub fn cost(interval: &Interval) -> String {
    if interval.value > 0.0 {
        format!("{} {}", figure(interval.value), spread(interval))
    } else {
        time(interval)
    }
}

/// The same without its spread.
pub fn time(interval: &Interval) -> String {
    match (interval.value > 0.0, interval.high > 0.0) {
        (true, _) => figure(interval.value),
        (false, true) => format!("<{}", figure(interval.high)),
        (false, false) => String::new(),
    }
}

/// A ratio and its interval: `1.84x (1.83 to 1.86)`, with `on a shared core` where it was one.
pub fn ratio(ratio: &Ratio) -> String {
    // Printed figures have no interval.
    if ratio.low == ratio.high {
        return times(ratio);
    }
    let (value, low, high) = (figure(ratio.value), figure(ratio.low), figure(ratio.high));
    format!("{value}x ({low} to {high}){}", on(ratio.state))
}

/// A ratio without its interval: `1.84x`, with `on a shared core` where it was one.
pub fn times(ratio: &Ratio) -> String {
    format!("{}x{}", figure(ratio.value), on(ratio.state))
}

fn on(state: CoreState) -> &'static str {
    if state.is_quiet() { "" } else { " on a shared core" }
}

/// The state of the core, for machines.
pub fn core(state: CoreState) -> &'static str {
    if state.is_quiet() { "quiet" } else { "shared" }
}

/// What stands behind a figure: `*` where the core was shared, `?` where too few samples count.
pub fn marks(state: CoreState, few: bool) -> &'static str {
    match (state, few) {
        (CoreState::Quiet, false) => "",
        (CoreState::Quiet, true) => "?",
        (CoreState::Shared, false) => "*",
        (CoreState::Shared, true) => "*?",
    }
}

/// What the marks at the figures of a table mean.
pub fn notes(rows: &[Vec<String>]) -> Vec<String> {
    let has = |mark| rows.iter().flatten().any(|cell| marks_of(cell).contains(mark));
    let shared = has('*').then_some(SHARED);
    shared.into_iter().chain(has('?').then_some(FEW)).map(str::to_owned).collect()
}

/// The marks at the end of a figure; none at the end of a text, such as a question.
fn marks_of(cell: &str) -> &str {
    let figure = cell.trim_end_matches(['*', '?']);
    // `how far is PHP?` ends in a sign of a sentence, which no legend explains.
    let begins = figure.starts_with(|first: char| first.is_ascii_digit() || "-<".contains(first));
    let ends = figure.ends_with(|last: char| last.is_ascii_digit() || last == '%');
    if begins && ends { &cell[figure.len()..] } else { "" }
}

/// What a question mark at a figure says.
const FEW: &str = "?: too few samples count, the figure is uncertain";

/// What a star at a figure says.
const SHARED: &str =
    "*: on a core that a neighbour shares; not to be set against figures of a quiet one";

/// A cell in the table's unit; `void` where nothing counts.
pub fn value(
    record: &Record,
    table: &Table,
    source: &Source,
    algorithm: &str,
    size: impl Into<Size>,
) -> Option<String> {
    let entry = record.entry(source, algorithm, size)?;
    Some(entry.estimate().map_or("void".to_owned(), |estimate| {
        let value = table.unit.from_message(
            estimate.ns.value,
            estimate.cycles.value,
            entry.size.mean(),
            table.iterations,
        );
        figure(value) + marks(estimate.state, estimate.few)
    }))
}

/// Whether a table has ciphers whose ceiling on this machine is known.
pub fn has_ceilings(record: &Record, table: &Table) -> bool {
    about_ceilings(record, table).is_some()
}

/// What the column [`CEILING`] says, with an example.
pub fn about_ceilings(record: &Record, table: &Table) -> Option<String> {
    let found = |name: &String| Some((name.clone(), Ceiling::of(&record.head.machine, name)?));
    let (name, Ceiling { because, .. }) = table.algorithms.iter().find_map(found)?;
    Some(format!(
        "{CEILING}: of the rate at which the AES units of this CPU do the rounds alone; {name}: \
            {because}"
    ))
}

/// How near a cell comes to what its CPU can do: `96 %`.
pub fn of_ceiling(record: &Record, entry: Option<&Entry>) -> String {
    entry.and_then(|entry| judge::of_ceiling(record, entry)).map(percent).unwrap_or_default()
}

/// The column that [`of_ceiling`] fills.
pub const CEILING: &str = "of the ceiling";

/// A verdict in words.
pub fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "does not hold",
        Verdict::NotDistinguishable => "not distinguishable",
        Verdict::NotMeasured => "not measured",
    }
}

/// A judgement in one line.
pub fn judgement(judgement: &Judgement) -> String {
    match &judgement.ratio {
        Some(found) => {
            format!("{}: {} ({})", verdict(judgement.verdict), ratio(found), judgement.detail)
        }
        None => format!("{}: {}", verdict(judgement.verdict), judgement.detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_on_a_shared_core_says_so() {
        let of = |state| Ratio { value: 1.8, low: 1.7, high: 1.9, state };
        assert_eq!(ratio(&of(CoreState::Quiet)), "1.800x (1.700 to 1.900)");
        assert_eq!(ratio(&of(CoreState::Shared)), "1.800x (1.700 to 1.900) on a shared core");
        assert_eq!(times(&of(CoreState::Shared)), "1.800x on a shared core");
        let judged = Judgement {
            on: "here".to_owned(),
            verdict: Verdict::Holds,
            ratio: Some(of(CoreState::Shared)),
            detail: "why".to_owned(),
        };
        let told = "holds: 1.800x (1.700 to 1.900) on a shared core (why)";
        assert_eq!(judgement(&judged), told);
        let marked =
            [(CoreState::Quiet, true), (CoreState::Shared, false), (CoreState::Shared, true)];
        assert_eq!(marked.map(|(state, few)| marks(state, few)), ["?", "*", "*?"]);
    }

    #[test]
    fn a_sign_is_explained_where_it_stands_at_a_figure() {
        let explained = |cell: &str| notes(&[vec![cell.to_owned()]]);
        assert_eq!(explained("1.800*?"), [SHARED, FEW]);
        assert_eq!(explained("2.000 ±5.0%*"), [SHARED]);
        assert!(explained("how far is PHP from native code?").is_empty());
        assert!(explained("how far are they from SHA-512?").is_empty());
        assert!(explained("1.800").is_empty() && explained("*").is_empty());
    }

    #[test]
    fn no_call_takes_less_than_nothing() {
        let interval = |value, low, high| Interval { value, low, high };
        assert_eq!(cost(&interval(2.0, 1.9, 2.1)), "2.000 ±5.0%");
        assert_eq!(cost(&interval(-0.9593, -0.961, 0.25)), "<0.2500");
        assert_eq!(cost(&interval(-0.9593, -0.961, -0.957)), "");
    }
}
