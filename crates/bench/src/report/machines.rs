//! Two records of different machines beside each other: each figure with its machine's name, and
//! how many times as long the second takes. Without a verdict: machines differ in more than speed.
//!
//! A ratio is of estimates. Its interval is as wide as both intervals leave: samples of two
//! machines share no round and no state.

use gauge::Machine;
use serde_json::json;

use super::{Grid, cells, figure};
use crate::judge::{self, Compared};
use crate::record::Record;

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
        Some(Self { names: names(one, other), cells: judge::across(one, other) })
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
                if cell.has_interval() { cells::ratio(ratio) } else { cells::times(ratio) },
            ]
        };
        let unsure = match self.cells.iter().all(Compared::has_interval) {
            true => "",
            false => "; without an interval: of two states of the core, or of too few runs",
        };
        Grid {
            title: format!("Two machines, {} cells in both", self.cells.len()),
            note: format!(
                "A: {one}; B: {other}; B / A: time on B / time on A; no verdict, since \
                 the machines differ in more than the processor{unsure}"
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
        // Two virtual machines may name one processor and differ in its features.
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
