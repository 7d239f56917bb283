//! Charts of bars: whole files by digest and tool, ciphers by mode with and without the CPU's
//! instructions.

mod ciphers;
mod files;

use gauge::Interval;
use serde::Serialize;

use super::colours::Mark;
use crate::record::Record;

/// A chart of bars: a group for each row, in it a bar for each set.
#[derive(Serialize)]
pub struct Bars {
    /// In one line.
    pub title: String,
    /// How it is read.
    pub note: String,
    /// What a bar's length counts.
    pub unit: &'static str,
    /// From the top.
    pub rows: Vec<String>,
    /// What stands at the right end of each row; nothing where no row has anything.
    pub ends: Vec<String>,
    /// What stands in a row, from the top; published sets are dots on the bars.
    pub sets: Vec<Set>,
    /// The axis ends here. A published figure far beyond every measured one lies outside.
    pub most: f64,
}

/// The bars of one provider, or the figures of one published table.
#[derive(Serialize)]
pub struct Set {
    /// Of the legend.
    pub name: String,
    /// How it looks.
    pub mark: Mark,
    /// Of a published set: the set whose bars it lies on.
    pub on: Option<usize>,
    /// At most one a row.
    pub bars: Vec<Bar>,
}

/// A bar, or a published figure.
#[derive(Serialize)]
pub struct Bar {
    /// Its row.
    pub row: usize,
    /// Its length with its interval.
    pub value: Interval,
    /// Of a process: the shares of user time and of system time, which stand first in the bar; the
    /// rest is waiting.
    pub parts: Option<[f64; 2]>,
    /// It looks otherwise than its set.
    pub mark: Option<Mark>,
    /// What stands at its end, if not its value.
    pub end: Option<String>,
    /// What is said of it.
    pub words: String,
}

impl Bars {
    /// Every chart of bars that a record has.
    pub fn all(record: &Record) -> Vec<Self> {
        let study = &record.head.study;
        let ciphers = study.tables.iter().flat_map(|table| ciphers::bars(record, table));
        let files = study.files.iter().flat_map(|table| files::bars(record, table));
        ciphers.chain(files).collect()
    }

    /// Those for a document: of file tools the longest file only.
    pub fn chosen(record: &Record) -> Vec<Self> {
        let study = &record.head.study;
        let ciphers = study.tables.iter().flat_map(|table| ciphers::bars(record, table));
        let files = study.files.iter().flat_map(|table| files::chosen(record, table));
        ciphers.chain(files).collect()
    }

    /// `None` where nothing was measured.
    fn new(title: String, note: String, unit: &'static str, body: Body) -> Option<Self> {
        let Body { rows, ends, sets } = body;
        let sets = without_empty(sets);
        let most = axis_end(&sets)?;
        Some(Self { title, note, unit, rows, ends, sets, most })
    }
}

/// What a chart of bars shows.
struct Body {
    rows: Vec<String>,
    ends: Vec<String>,
    sets: Vec<Set>,
}

/// The sets that have a bar; `on` counts these.
fn without_empty(sets: Vec<Set>) -> Vec<Set> {
    let place = |old: usize| sets[..old].iter().filter(|set| !set.bars.is_empty()).count();
    let on: Vec<_> = sets.iter().map(|set| set.on.map(place)).collect();
    let sets = sets.into_iter().zip(on).map(|(set, on)| Set { on, ..set });
    sets.filter(|set| !set.bars.is_empty()).collect()
}

/// A little beyond the longest bar; published figures count up to twice its length.
fn axis_end(sets: &[Set]) -> Option<f64> {
    let of = |hollow: bool| {
        let sets = sets.iter().filter(move |set| set.on.is_some() == hollow);
        sets.flat_map(|set| &set.bars).map(|bar| bar.value.high)
    };
    let longest = of(false).max_by(f64::total_cmp)?;
    let printed = of(true).filter(|&value| value <= 2.0 * longest);
    Some(1.03 * printed.fold(longest, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(on: Option<usize>, values: &[f64]) -> Set {
        let bar = |(row, &value): (usize, &f64)| Bar {
            row,
            value: Interval::exact(value),
            parts: None,
            mark: None,
            end: None,
            words: String::new(),
        };
        let bars = values.iter().enumerate().map(bar).collect();
        Set { name: String::new(), mark: Mark::of_provider("php"), on, bars }
    }

    #[test]
    fn a_published_figure_far_beyond_all_others_does_not_stretch_the_axis() {
        assert_eq!(axis_end(&[set(None, &[4.0]), set(Some(0), &[290.0])]), Some(1.03 * 4.0));
        assert_eq!(axis_end(&[set(None, &[4.0]), set(Some(0), &[6.0])]), Some(1.03 * 6.0));
        assert_eq!(axis_end(&[set(Some(0), &[6.0])]), None);
    }

    #[test]
    fn a_set_without_bars_is_left_out_and_the_others_keep_their_dots() {
        let sets = without_empty(vec![set(None, &[]), set(None, &[1.0]), set(Some(1), &[2.0])]);
        assert_eq!(sets.iter().map(|set| set.on).collect::<Vec<_>>(), [None, Some(0)]);
    }
}
