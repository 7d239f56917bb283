//! Two records of different machines beside each other: each figure with its machine's name, and
//! how many times as long the second takes. Without a verdict: machines differ in more than speed.

use gauge::{Machine, Ratio, State, of_estimates};
use serde_json::json;

use super::{Grid, cells, figure};
use crate::judge::{Compared, Side};
use crate::record::files::{Hashed, Process};
use crate::record::{Entry, Record};
use crate::study::{Clock, Size};

/// Two records of different machines.
pub struct Machines {
    /// What the two are called.
    pub names: [String; 2],
    /// Every cell that both have, in the first one's order.
    pub cells: Vec<Compared>,
}

impl Machines {
    /// `None` where both records are of one kind of machine, or one was imported and names none.
    pub fn new(one: &Record, other: &Record) -> Option<Self> {
        if one.is_imported() || other.is_imported() || is_same(one, other) {
            return None;
        }
        let messages = one.entries.iter().filter_map(|entry| messages(entry, other));
        let trees = one.files.hashed.iter().filter_map(|cell| tree(one, cell, other));
        let tools = one.files.processes.iter().filter_map(|cell| tool(cell, one, other));
        let cells = messages.chain(trees).chain(tools).collect();
        Some(Self { names: names(one, other), cells })
    }

    /// The table.
    pub fn grid(&self) -> Grid {
        let [one, other] = &self.names;
        let header = ["algorithm", "provider", "bytes", "ns on A", "ns on B", "B / A"];
        let row = |cell: &Compared| {
            let Compared { before, after, ratio } = cell;
            vec![
                before.algorithm.clone(),
                before.source.to_string(),
                before.size.to_string(),
                figure(before.ns),
                figure(after.ns),
                cells::ratio(ratio),
            ]
        };
        Grid {
            title: format!("Two machines, {} cells in both", self.cells.len()),
            note: format!(
                "A: {one}; B: {other}; B / A: time on B / time on A; no verdict, since \
                 the machines differ in more than the processor"
            ),
            header: header.map(str::to_owned).into(),
            rows: self.cells.iter().map(row).collect(),
        }
    }

    /// A line of JSON for each cell, with the keys of `compare`.
    pub fn lines(&self, schema: u32) -> String {
        let line = |cell: &Compared| {
            let Compared { before, after, ratio } = cell;
            let value = json!({
                "schema": schema,
                "provider": before.source,
                "provider_after": after.source,
                "algorithm": before.algorithm,
                "size": before.size,
                "machine_before": self.names[0],
                "machine_after": self.names[1],
                "ns_before": before.ns,
                "ns_after": after.ns,
                "ratio": ratio,
                "verdict": "another machine",
            });
            format!("{value}\n")
        };
        self.cells.iter().map(line).collect()
    }
}

fn is_same(one: &Record, other: &Record) -> bool {
    let kind = |machine: &Machine| {
        let Machine { cpu, family, model, stepping, flags, .. } = machine;
        (cpu.clone(), *family, *model, *stepping, flags.len())
    };
    kind(&one.head.machine) == kind(&other.head.machine)
}

/// By the processor; with day, mask and preset where these tell more.
fn names(one: &Record, other: &Record) -> [String; 2] {
    let (a, b) = (&one.head, &other.head);
    [a, b].map(|head| {
        let machine = &head.machine;
        let mut words = vec![machine.cpu.trim().to_owned()];
        if a.machine.cpu == b.machine.cpu {
            let Machine { family, model, stepping, flags, .. } = machine;
            let features = flags.len();
            words.push(format!("model {family}/{model}/{stepping}, {features} features"));
        }
        if machine.hypervisor.is_some() {
            words.push("virtual".to_owned());
        }
        if a.cpu != b.cpu {
            words.push(format!("CPU mask '{}'", head.cpu));
        }
        if a.preset != b.preset {
            words.push(head.preset.to_string());
        }
        words.push(head.date.split('T').next().unwrap_or_default().to_owned());
        words.join(", ")
    })
}

fn messages(entry: &Entry, other: &Record) -> Option<Compared> {
    let twin = other.entry(&entry.source, &entry.algorithm, entry.size)?;
    let ratio = of_estimates(twin.estimate()?, entry.estimate()?)?;
    let side = |entry: &Entry| {
        let estimate = entry.estimate()?;
        let (source, algorithm) = (entry.source.clone(), entry.algorithm.clone());
        Some(Side { source, algorithm, size: entry.size, ns: estimate.ns.value, few: estimate.few })
    };
    Some(Compared { before: side(entry)?, after: side(twin)?, ratio })
}

/// Of trees the time of a byte is compared: the machines' trees may differ in length.
fn tree(one: &Record, cell: &Hashed, other: &Record) -> Option<Compared> {
    let same = |twin: &&Hashed| {
        (&twin.table, &twin.source, &twin.algorithm) == (&cell.table, &cell.source, &cell.algorithm)
    };
    let twin = other.files.hashed.iter().find(same)?;
    let bytes = one.files.trees.iter().find(|tree| tree.table == cell.table)?.bytes;
    let side = |cell: &Hashed| {
        let estimate = cell.series.estimate()?;
        let (source, algorithm) = (cell.source.clone(), cell.algorithm.clone());
        let (size, ns) = (Size::One(bytes as usize), estimate.ns.value * bytes as f64);
        Some(Side { source, algorithm, size, ns, few: estimate.few })
    };
    let ratio = of_estimates(twin.series.estimate()?, cell.series.estimate()?)?;
    Some(Compared { before: side(cell)?, after: side(twin)?, ratio })
}

fn tool(cell: &Process, one: &Record, other: &Record) -> Option<Compared> {
    let key = |cell: &Process| (cell.command.clone(), cell.bytes, cell.cache);
    let twin = other.files.processes.iter().find(|twin| key(twin) == key(cell))?;
    let time = |cell: &Process, record: &Record| {
        Some(cell.timing(Clock::Real, record.head.plan.confidence)?.ns)
    };
    let (before, after) = (time(cell, one)?, time(twin, other)?);
    let side = |cell: &Process, ns: f64| Side {
        source: cell.source.clone(),
        algorithm: format!("{}, {}", cell.algorithm, cell.cache.name()),
        size: Size::One(cell.bytes as usize),
        ns,
        few: false,
    };
    let ratio = Ratio {
        value: after.value / before.value,
        low: after.low / before.high,
        high: after.high / before.low,
        state: State::Quiet,
    };
    Some(Compared { before: side(cell, before.value), after: side(twin, after.value), ratio })
}
