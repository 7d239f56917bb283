//! Two records set against each other, if they may be.

use gauge::{Machine, Ratio};

use crate::Algorithm;
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
///
/// What another program printed ([`crate::import`]) is of a machine that it does not name: each of its cells stands beside every
/// source that the other record has for it, and the ratio is of machines and programs together.
pub fn compare<'a>(before: &'a Record, after: &'a Record) -> Result<Vec<Compared<'a>>, Incomparable> {
    if before.is_imported() || after.is_imported() {
        return Ok(beside(before, after));
    }
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

fn beside<'a>(before: &'a Record, after: &'a Record) -> Vec<Compared<'a>> {
    let pair = |before: &'a Entry, after: &'a Entry| {
        let (ns, by) = (after.estimate()?.ns, before.estimate()?.ns);
        let ratio = Ratio { value: ns.value / by.value, low: ns.low / by.high, high: ns.high / by.low };
        Some(Compared { before, after, ratio })
    };
    let same = |a: &Entry, b: &Entry| a.size == b.size && Algorithm::same(&a.algorithm, &b.algorithm);
    let of =
        |entry: &'a Entry| after.entries.iter().filter(move |other| same(entry, other)).filter_map(move |other| pair(entry, other));
    before.entries.iter().flat_map(of).collect()
}

/// What makes two machines one kind: the processor and what it can do.
fn identity(machine: &Machine) -> String {
    let Machine { cpu, family, model, stepping, flags, .. } = machine;
    format!("{cpu} (family {family}, model {model}, stepping {stepping}, {} features)", flags.len())
}

fn same(what: &'static str, left: String, right: String) -> Result<(), Incomparable> {
    if left == right { Ok(()) } else { Err(Incomparable { what, left, right }) }
}
