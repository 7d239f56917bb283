//! Which chunk size is good enough, where each chunk is a call and a file of its own.
//!
//! ```text
//! time of a chunk = open + call + byte x length       open, call: ns; byte: ns a byte
//! 5 % from        = (open + call) / (0.05 x byte)     by the fitted line
//! within 5 %      the measured lengths, by their own times
//! ```
//!
//! Both are shown. The line goes to lengths that nobody measured, and errs by `worst` at its worst.
//! Measured lengths know of caches, and of nothing between them.

use gauge::Cost;

use super::{Grid, cells};
use crate::record::{Entry, Record};
use crate::study::{Source, Table};
use crate::text::length;

/// What chunks cost one source in one algorithm.
struct Chunks<'a> {
    algorithm: &'a str,
    source: Source,
    /// Nanoseconds of opening a small file, reading it and closing it.
    open: f64,
    cost: Cost,
    /// Chunk length in bytes, and nanoseconds for each of them, the opening of their file included.
    measured: Vec<(usize, f64)>,
}

/// The table of chunk sizes, of a table that asks for it.
pub fn grids(record: &Record, table: &Table) -> Vec<Grid> {
    let rows: Vec<_> = all(record, table).iter().map(Chunks::row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let header = [
        "algorithm",
        "provider",
        "ns/call",
        "ns/byte",
        "worst",
        "open",
        "5 % from",
        "1 % from",
        "best measured",
        "within 5 %",
        "within 1 %",
    ];
    let note = "A chunk is a call, and a small file that is opened, read and closed. From the \
        fitted line: the smallest chunk in which a byte takes at most 5 % or 1 % longer than in an \
        endless one; worst: the line's largest error. From the measured sizes: the one in which a \
        byte takes the least time, and those within 5 % and 1 % of it.";
    vec![Grid {
        title: format!("Chunk size: {}", table.title),
        note: note.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    }]
}

/// The same in a sentence for each algorithm of the table's main source.
pub fn answers(record: &Record, table: &Table) -> Vec<String> {
    let main = super::grid::main_source(table);
    let chunks = all(record, table).into_iter().filter(|chunks| chunks.source == main);
    let answer = |chunks: Chunks<'_>| {
        format!(
            "{} {}: a byte is cheapest in chunks of {}, a file opened for each ({} ns); {} are \
                within 5 %, {} within 1 %.",
            chunks.source,
            chunks.algorithm,
            length(chunks.best().0 as f64),
            cells::figure(chunks.open),
            chunks.within(0.05),
            chunks.within(0.01)
        )
    };
    chunks.map(answer).collect()
}

fn all<'a>(record: &Record, table: &'a Table) -> Vec<Chunks<'a>> {
    let pairs = table
        .algorithms
        .iter()
        .flat_map(|algorithm| table.sources().into_iter().map(move |source| (algorithm, source)));
    pairs
        .filter(|_| table.chunk)
        .filter_map(|(algorithm, source)| Chunks::of(record, table, algorithm, source))
        .collect()
}

impl<'a> Chunks<'a> {
    /// `None` where fewer than three sizes have a figure, or the opening has none.
    fn of(record: &Record, table: &Table, algorithm: &'a str, source: Source) -> Option<Self> {
        let open =
            record.opens.iter().find(|open| open.source == source)?.series.estimate()?.ns.value;
        let entries: Vec<_> =
            table.sizes.iter().filter_map(|&size| record.entry(&source, algorithm, size)).collect();
        let timed = |entry: &&Entry| {
            Some((entry.size.one()?, (entry.estimate()?.ns.value + open) / entry.size.mean()))
        };
        let measured: Vec<_> = entries.iter().filter_map(timed).collect();
        // Through two lengths a line always fits: its error would say nothing.
        let cost = (measured.len() >= 3).then(|| record.cost(&entries)).flatten()?;
        Some(Self { algorithm, source, open, cost, measured })
    }

    fn best(&self) -> (usize, f64) {
        let cheapest = self.measured.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        *cheapest.expect("there are three sizes at least")
    }

    /// The smallest chunk, in bytes, that makes a byte dearer than endless chunks by at most that
    /// part.
    fn smallest(&self, part: f64) -> f64 {
        (self.cost.call.value.max(0.0) + self.open) / (part * self.cost.byte.value)
    }

    /// The measured chunks that make a byte dearer than the best by at most that part.
    fn within(&self, part: f64) -> String {
        let most = self.best().1 * (1.0 + part);
        let good = self.measured.iter().filter(|(_, ns)| *ns <= most);
        good.map(|&(size, _)| length(size as f64)).collect::<Vec<_>>().join(", ")
    }

    fn row(&self) -> Vec<String> {
        let Cost { call, byte, worst, .. } = &self.cost;
        vec![
            self.algorithm.to_owned(),
            self.source.to_string(),
            cells::time(call),
            cells::figure(byte.value),
            format!("{:.0} %", 100.0 * worst),
            format!("{} ns", cells::figure(self.open)),
            length(self.smallest(0.05)),
            length(self.smallest(0.01)),
            length(self.best().0 as f64),
            self.within(0.05),
            self.within(0.01),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gauge::Interval;

    #[test]
    fn the_smallest_chunk_pays_for_call_and_file() {
        let state = gauge::CoreState::Quiet;
        let (call, byte) = (Interval::exact(1000.0), Interval::exact(0.5));
        let cost = Cost { call, byte, worst: 0.0, state };
        let measured = vec![(4096, 1.0), (65536, 0.52), (1 << 20, 0.5), (4 << 20, 0.504)];
        let chunks = Chunks {
            algorithm: "x",
            source: Source::from("php".to_owned()),
            open: 4000.0,
            cost,
            measured,
        };
        assert_eq!(length(chunks.smallest(0.05)), "195.3 KiB");
        assert_eq!(length(chunks.smallest(0.01)), "976.6 KiB");
        assert_eq!(
            (chunks.best().0, chunks.within(0.05).as_str()),
            (1 << 20, "64 KiB, 1 MiB, 4 MiB")
        );
        assert_eq!(chunks.within(0.01), "1 MiB, 4 MiB");
    }
}
