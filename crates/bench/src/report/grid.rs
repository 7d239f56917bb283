//! The tables of a report: published beside measured, or sizes side by side.
//!
//! ```text
//! beside_published  algorithm  published evp  openssl/evp here  spread  others ...  fastest, by
//! by_size           algorithm  provider  kernel  5 bytes  64 bytes ...  spread  time / best
//! costs             algorithm  php ns/call  php ns/byte ...
//! ```
//!
//! A `Grid` is text: formats lay it out and compute nothing. A table of a document keeps the
//! document's order. Without one the sources of an algorithm are sorted, the fastest first.
//!
//! Who is fastest is said of one state of the core only: `fastest` takes the state that most of the
//! sources have (METHODOLOGY.md, "How a figure is made").

use gauge::CoreState;
use serde::ser::SerializeStruct;

use super::bases::bases;
use super::cells::{self, spread};
use crate::record::{Entry, Record};
use crate::study::{Published, Size, Source, Table, Unit};

/// A table of text.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Above it.
    pub title: String,
    /// Below the title: what the columns' names stand for; may be empty.
    pub note: String,
    /// The columns.
    pub header: Vec<String>,
    /// As many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// What the signs in the table say, to stand below it; empty where it has none.
    pub fn legend(&self) -> String {
        let has_spread =
            self.header.iter().any(|name| name.split(' ').next_back() == Some("spread"));
        let mut shown = cells::notes(&self.rows);
        if has_spread {
            shown.insert(0, SPREAD.to_owned());
        }
        shown.join("; ")
    }
}

/// For the page and for machines its legend stands in the note.
impl serde::Serialize for Grid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let notes = [self.note.clone(), self.legend()];
        let notes: Vec<_> = notes.into_iter().filter(|note| !note.is_empty()).collect();
        let mut fields = serializer.serialize_struct("Grid", 4)?;
        fields.serialize_field("title", &self.title)?;
        fields.serialize_field("note", &notes.join("; "))?;
        fields.serialize_field("header", &self.header)?;
        fields.serialize_field("rows", &self.rows)?;
        fields.end()
    }
}

/// The source that a table is about: the one that stands for the document's, else the first.
pub fn main_source(table: &Table) -> Source {
    table.published.first().map_or_else(|| table.sources().remove(0), |block| block.here.clone())
}

/// Whether the record has any of these cells by that source. What was not measured is named
/// elsewhere.
fn is_measured(record: &Record, cells: &[(&String, Size)], source: &Source) -> bool {
    cells.iter().any(|&(name, size)| record.entry(source, name, size).is_some())
}

/// All of one size, or of one algorithm: published figures, those of every source here, who is
/// fastest.
pub fn beside_published(
    record: &Record,
    table: &Table,
    of: &str,
    cells: &[(&String, Size)],
) -> Grid {
    let main = &main_source(table);
    let others: Vec<_> = table
        .sources()
        .into_iter()
        .filter(|source| source != main && is_measured(record, cells, source))
        .collect();
    let has = |block: &&Published| cells.iter().any(|(_, size)| block.sizes.contains(size));
    let blocks: Vec<_> = table.published.iter().filter(has).collect();
    // The rows have either one size or one algorithm; the first column names the other.
    let by_size = cells.windows(2).all(|pair| pair[0].0 == pair[1].0) && cells.len() > 1;
    let mut header = vec![if by_size { "bytes" } else { "algorithm" }.to_owned()];
    header.extend(blocks.iter().map(|block| format!("published {}", block.id)));
    header.extend([format!("{main} here"), "spread".to_owned()]);
    let ceilings = cells::has_ceilings(record, table);
    header.extend(ceilings.then(|| cells::CEILING.to_owned()));
    header.extend(others.iter().map(|source| source.to_string()));
    header.extend([format!("{main} / best"), "fastest, by".to_owned()]);
    let row = |&(algorithm, size): &(&String, Size)| {
        let shown = |source: &Source| {
            cells::value(record, table, source, algorithm, size).unwrap_or_default()
        };
        let mut row = vec![if by_size { size.to_string() } else { algorithm.clone() }];
        row.extend(
            blocks
                .iter()
                .map(|block| block.printed(algorithm, size).unwrap_or_default().to_owned()),
        );
        let entry = record.entry(main, algorithm, size);
        row.push(shown(main));
        row.push(
            entry
                .and_then(Entry::estimate)
                .map(|estimate| spread(&estimate.ns))
                .unwrap_or_default(),
        );
        row.extend(ceilings.then(|| cells::of_ceiling(record, entry)));
        row.extend(others.iter().map(shown));
        row.extend(ranking(record, table, main, algorithm, size));
        row
    };
    let rows: Vec<_> = cells.iter().map(row).collect();
    let unit = table.describe_unit();
    let mut notes: Vec<_> =
        blocks.iter().map(|block| format!("{}: {}", block.id, block.machine)).collect();
    notes.push(
        "fastest, by: its lead over the next, = where the interval holds no difference".to_owned(),
    );
    notes.extend(cells::about_ceilings(record, table));
    let note = notes.join("; ");
    Grid { note, title: format!("{}: {of}, {unit}", table.title), header, rows }
}

/// Sizes side by side, a row for each algorithm and source, the fastest first: of each algorithm,
/// or of all where one source has all.
pub fn by_size(record: &Record, table: &Table, sizes: &[Size]) -> Grid {
    // `--bytes` may leave a table without any.
    let Some(&last) = sizes.last() else {
        return Grid {
            title: table.title.clone(),
            note: String::new(),
            header: Vec::new(),
            rows: Vec::new(),
        };
    };
    let bases = bases(table);
    let mut cells: Vec<(&str, &Source)> = Vec::new();
    for algorithm in &table.algorithms {
        let present = |source: &&Source| {
            sizes.iter().any(|&size| record.entry(source, algorithm, size).is_some())
        };
        cells.extend(bases.iter().filter(present).map(|source| (algorithm.as_str(), source)));
    }
    let one_source = cells.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let ns = |&(name, source): &(&str, &Source)| {
        let estimate = record.entry(source, name, last).and_then(Entry::estimate);
        estimate.map_or(f64::INFINITY, |estimate| estimate.ns.value)
    };
    let mut order: Vec<_> = table.algorithms.iter().map(String::as_str).collect();
    if record.head.study.is_asked() {
        // Nobody's order is to be kept: the algorithm that somebody computes fastest comes first.
        let fastest = |name: &str| {
            cells.iter().filter(|cell| cell.0 == name).map(ns).fold(f64::INFINITY, f64::min)
        };
        order.sort_by(|a, b| fastest(a).total_cmp(&fastest(b)));
    }
    let place = |name: &str| order.iter().position(|known| !one_source && *known == name);
    cells.sort_by(|a, b| place(a.0).cmp(&place(b.0)).then(ns(a).total_cmp(&ns(b))));
    let best = |name: &str| {
        let mut rivals = cells.iter().filter(|(algorithm, _)| one_source || *algorithm == name);
        rivals.next().and_then(|(algorithm, source)| record.entry(source, algorithm, last))
    };
    let rows: Vec<_> = cells
        .iter()
        .map(|&(name, source)| row_of_sizes(record, table, sizes, (name, source), best(name)))
        .collect();
    let mut header = vec!["algorithm".to_owned(), "provider".to_owned(), "kernel".to_owned()];
    header.extend(sizes.iter().map(|size| format!("{size} bytes")));
    let lasting = lasting(record, table);
    header.extend(lasting.iter().map(|&name| name.to_owned()));
    let mut notes = Vec::new();
    if sizes.len() > 1 {
        notes.push(format!("{} are of {}", lasting.join(", "), last.describe()));
    }
    notes.extend(cells::about_ceilings(record, table));
    Grid {
        note: notes.join("; "),
        title: format!("{}, {}", table.title, table.describe_unit()),
        header,
        rows,
    }
}

/// Whether cycles per byte stand in a column of their own: not a second time, and not where another
/// program counted none.
fn has_cycles(record: &Record, table: &Table) -> bool {
    let mut found = record.entries.iter().filter_map(Entry::estimate);
    table.unit != Unit::CyclesPerByte && found.any(|estimate| estimate.cycles.value.is_finite())
}

/// The columns that are of the last size alone.
fn lasting(record: &Record, table: &Table) -> Vec<&'static str> {
    let cycles = has_cycles(record, table).then_some("cycles/byte");
    let ceiling = cells::has_ceilings(record, table).then_some(cells::CEILING);
    ["spread"].into_iter().chain(cycles).chain(ceiling).chain(["time / best"]).collect()
}

fn row_of_sizes(
    record: &Record,
    table: &Table,
    sizes: &[Size],
    (algorithm, source): (&str, &Source),
    best: Option<&Entry>,
) -> Vec<String> {
    let entries: Vec<_> = sizes.iter().map(|&size| record.entry(source, algorithm, size)).collect();
    let mut kernels: Vec<_> =
        entries.iter().flatten().map(|entry| entry.implementation.as_str()).collect();
    kernels.dedup(); // one message and many may have different ones
    let mut row = vec![algorithm.to_owned(), source.to_string(), kernels.join(", ")];
    row.extend(
        sizes
            .iter()
            .map(|&size| cells::value(record, table, source, algorithm, size).unwrap_or_default()),
    );
    let last = entries.last().copied().flatten();
    let estimate = last.and_then(Entry::estimate);
    let size = *sizes.last().expect("a table measures something");
    row.push(estimate.map(|estimate| cells::spread(&estimate.ns)).unwrap_or_default());
    if has_cycles(record, table) {
        row.push(
            estimate
                .map(|estimate| cells::figure(estimate.cycles.value / size.mean()))
                .unwrap_or_default(),
        );
    }
    row.extend(cells::has_ceilings(record, table).then(|| cells::of_ceiling(record, last)));
    let ratio = best.zip(last).and_then(|(best, this)| record.ratio(this, best));
    row.push(ratio.map(|ratio| cells::ratio(&ratio)).unwrap_or_default());
    row
}

/// What a spread is.
const SPREAD: &str = "spread: half of the interval that the true figure is expected in";

/// What a call costs and what a byte costs, from the fit over the sizes.
pub fn costs(record: &Record, table: &Table) -> Grid {
    let mut header = vec!["algorithm".to_owned()];
    let main = main_source(table);
    let sizes = table.sizes.iter().copied().map(Size::One);
    let cells =
        table.algorithms.iter().flat_map(|name| sizes.clone().map(move |size| (name, size)));
    let cells: Vec<_> = cells.collect();
    let sources: Vec<_> = bases(table)
        .into_iter()
        .filter(|source| source.implementation.is_none() || *source == main)
        .filter(|source| is_measured(record, &cells, source))
        .collect();
    for source in &sources {
        header.extend([format!("{source} ns/call"), format!("{source} ns/byte")]);
    }
    let row = |algorithm: &String| {
        let cost = |source: &Source| {
            let entries =
                table.sizes.iter().filter_map(|&size| record.entry(source, algorithm, size));
            let entries: Vec<_> = entries.collect();
            // A line through two sizes always fits, and its error would be 0.
            let model = (entries.len() >= 3).then(|| record.cost(&entries)).flatten();
            model.map_or([String::new(), String::new()], |model| {
                let mark = cells::marks(model.state, false);
                [model.call, model.byte].map(|cost| cells::cost(&cost) + mark)
            })
        };
        [algorithm.clone()].into_iter().chain(sources.iter().flat_map(cost)).collect()
    };
    let rows: Vec<_> = table.algorithms.iter().map(row).collect();
    Grid {
        note: cells::notes(&rows).join("; "),
        title: format!(
            "{}: cost of a call and of a byte, fitted over {:?} bytes",
            table.title, table.sizes
        ),
        header,
        rows,
    }
}

/// The entries of these sources that have an estimate, fastest first: those of the state of the
/// core that most of them have.
pub fn fastest<'a>(
    record: &'a Record,
    sources: &[Source],
    algorithm: &str,
    size: impl Into<Size>,
) -> Vec<&'a Entry> {
    let size = size.into();
    let entries = sources.iter().filter_map(|source| record.entry(source, algorithm, size));
    let mut timed: Vec<_> = entries
        .filter_map(|entry| Some((entry.estimate()?.state, entry.estimate()?.ns.value, entry)))
        .collect();
    let count = |state| timed.iter().filter(|(of, ..)| *of == state).count();
    let most = match count(CoreState::Shared) > count(CoreState::Quiet) {
        true => CoreState::Shared,
        false => CoreState::Quiet,
    };
    timed.retain(|(state, ..)| *state == most);
    timed.sort_by(|a, b| a.1.total_cmp(&b.1));
    timed.into_iter().map(|(.., entry)| entry).collect()
}

/// The main source's ratio to the best, and who leads by how much.
fn ranking(
    record: &Record,
    table: &Table,
    main: &Source,
    algorithm: &str,
    size: Size,
) -> [String; 2] {
    // Two threads beat one: a rank among different numbers of threads would rank threads.
    let rivals: Vec<_> =
        table.sources().into_iter().filter(|source| source.threads == main.threads).collect();
    let ranked = fastest(record, &rivals, algorithm, size);
    let Some(best) = ranked.first() else { return [String::new(), String::new()] };
    let own = ranked.iter().find(|entry| entry.source == *main);
    let ratio = own
        .and_then(|own| record.ratio(own, best))
        .map(|ratio| cells::figure(ratio.value) + cells::marks(ratio.state, false))
        .unwrap_or_default();
    let verdict = match ranked.get(1) {
        None => best.source.to_string(),
        Some(second) => match record.ratio(second, best) {
            Some(lead) if lead.low > 1.0 => {
                format!("{} {}", best.source, cells::times(&lead))
            }
            _ => format!("{} = {}", best.source, second.source),
        },
    };
    [ratio, verdict]
}
