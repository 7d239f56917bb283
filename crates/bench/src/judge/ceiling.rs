//! How near a measured cipher comes to the rate that its CPU can reach.
//!
//! Reports show the share beside a rate; no verdict rests on it. METHODOLOGY.md, "Ceilings of AES",
//! has the rules.

use crate::record::{Entry, Record};
use crate::study::Ceiling;

/// The ceiling's core cycles over those that the cell takes: 0.96 is at 96 % of what this CPU can
/// do. `None` where no ceiling or no count of cycles is known, and for short messages: one call of
/// them overlaps with the next, which no chain within a message tells of.
pub fn of_ceiling(record: &Record, entry: &Entry) -> Option<f64> {
    if entry.size.mean() < SHORTEST {
        return None;
    }
    let ceiling = Ceiling::of(&record.head.machine, &entry.algorithm)?;
    let cycles = entry.estimate()?.cycles.value;
    let share = ceiling.cycles_per_byte * entry.size.mean() / cycles;
    share.is_finite().then_some(share)
}

/// Bytes: 256 blocks, of which a core has some twenty in flight beyond the end of a call.
const SHORTEST: f64 = 4096.0;
