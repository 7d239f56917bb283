//! Charts of bars: whole files by digest and tool, ciphers by mode with and without the CPU's
//! instructions. Here is the data of a chart; `chart::bars` and the page draw it.
//!
//! ```text
//! Bars    rows from the top: digests, modes, commands
//!   Set   a provider, a round, a state of the cache; or a published table, `on` a measured set
//!     Bar a length with its interval, one in a row of each set at most
//! ```
//!
//! Published figures are dots on the bars that they are compared with. So a chart has no more bars
//! with a document than without.

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

    /// How many of the first `sets` have room in a row: a bar, or a published dot without one.
    pub fn slots(&self, row: usize, sets: usize) -> usize {
        let is_here = |set: &Set| set.bars.iter().any(|bar| bar.row == row);
        let has_room = |&place: &usize| {
            let dots = || self.sets.iter().any(|set| set.on == Some(place) && is_here(set));
            self.sets[place].on.is_none() && (is_here(&self.sets[place]) || dots())
        };
        (0..sets).filter(has_room).count()
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

/// The sets that have a bar, or dots of a published set on them; `on` counts these.
fn without_empty(sets: Vec<Set>) -> Vec<Set> {
    let has_dots = |place| sets.iter().any(|set| set.on == Some(place) && !set.bars.is_empty());
    let shown = sets.iter().enumerate().map(|(place, set)| !set.bars.is_empty() || has_dots(place));
    let shown: Vec<_> = shown.collect();
    let place = |old: usize| shown[..old].iter().filter(|&&shown| shown).count();
    let sets = sets.into_iter().map(|set| Set { on: set.on.map(place), ..set });
    sets.zip(&shown).filter(|(_, shown)| **shown).map(|(set, _)| set).collect()
}

/// A little beyond the longest bar; published figures count up to twice its length.
fn axis_end(sets: &[Set]) -> Option<f64> {
    let of = |hollow: bool| {
        let sets = sets.iter().filter(move |set| set.on.is_some() == hollow);
        sets.flat_map(|set| &set.bars).map(|bar| bar.value.high)
    };
    let longest = of(false).max_by(f64::total_cmp)?;
    // One figure of an old machine would press all measured bars against the left end.
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

    #[test]
    fn published_dots_without_a_bar_have_room_of_their_own() {
        let sets = vec![set(None, &[]), set(None, &[1.0]), set(Some(0), &[2.0, 3.0])];
        let body = Body { rows: vec![String::new(); 2], ends: Vec::new(), sets };
        let chart = Bars::new(String::new(), String::new(), "s", body).unwrap();
        assert_eq!(chart.sets.iter().map(|set| set.on).collect::<Vec<_>>(), [None, None, Some(0)]);
        assert_eq!((chart.slots(0, 1), chart.slots(0, 3)), (1, 2));
        assert_eq!((chart.slots(1, 1), chart.slots(1, 3)), (1, 1));
    }
}
