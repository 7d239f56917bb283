//! Two records set against each other, if they may be.

use gauge::{Machine, Ratio};

use crate::record::{Entry, Record};

/// A cell that both records have.
pub struct Compared<'a> {
    /// In the first record.
    pub before: &'a Entry,
    /// In the second.
    pub after: &'a Entry,
    /// Time in the second / time in the first.
    pub ratio: Ratio,
}

/// Why two records must not be set against each other as if they were one machine.
#[derive(Debug, thiserror::Error)]
#[error("these records cannot be compared: their {what} differs, {left} and {right}")]
pub struct Incomparable {
    /// What differs.
    what: &'static str,
    left: String,
    right: String,
}

/// Every cell that both records have, in the first one's order.
pub fn compare<'a>(before: &'a Record, after: &'a Record) -> Result<Vec<Compared<'a>>, Incomparable> {
    let (a, b) = (&before.head, &after.head);
    same("machine", identity(&a.machine), identity(&b.machine))?;
    same("CPU mask", a.cpu.clone(), b.cpu.clone())?;
    same("preset", a.preset.clone(), b.preset.clone())?;
    let both = before.entries.iter().filter_map(|entry| {
        let other = after.entry(&entry.source, &entry.algorithm, entry.size)?;
        let ratio = gauge::unpaired(&other.series, &entry.series, a.plan.confidence)?;
        Some(Compared { before: entry, after: other, ratio })
    });
    Ok(both.collect())
}

/// What makes two machines one kind: the processor and what it can do.
fn identity(machine: &Machine) -> String {
    let Machine { cpu, family, model, stepping, flags, .. } = machine;
    format!("{cpu} (family {family}, model {model}, stepping {stepping}, {} features)", flags.len())
}

fn same(what: &'static str, left: String, right: String) -> Result<(), Incomparable> {
    if left == right { Ok(()) } else { Err(Incomparable { what, left, right }) }
}
