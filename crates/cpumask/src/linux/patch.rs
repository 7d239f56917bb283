//! Overwrites CPUID in the executable memory of a traced process.
//!
//! `patch` gets a range that became executable, or all addresses after an exec. It looks at each
//! mapping in the range and gives counts. The bytes around the range are read as well, because code
//! that was there before may begin or end an instruction of the new code. A CPUID around the range
//! is left to the call that was for its own memory.

use std::io;
use std::ops::Range;

use super::decode::{self, Pair};
use super::memory::{self, Memory};

/// CLTS: as long as CPUID, and it faults in every program on every x86, so no program has one of
/// its own.
pub const CLTS: [u8; 2] = [0x0f, 0x06];

/// What was found in memory.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// CPUIDs that are overwritten now.
    pub patched: u64,
    /// What may be one, left alone.
    pub doubtful: u64,
    /// CPUIDs in shared memory, which cannot be overwritten for one program alone.
    pub shared: u64,
}

/// Overwrites each CPUID of a stopped thread's process that lies in executable memory within
/// `range`.
pub fn patch(tid: i32, range: &Range<u64>) -> io::Result<Found> {
    let memory = Memory::of(tid)?;
    let mut found = Found::default();
    for mapping in memory::executable(tid)?.iter().filter(|mapping| !mapping.kernel) {
        let part = mapping.range.start.max(range.start)..mapping.range.end.min(range.end);
        if !part.is_empty() {
            patch_part(&memory, &part, mapping.shared, &mut found)?;
        }
    }
    Ok(found)
}

/// What lies around the part is read with it: a CPUID may begin or end there.
fn patch_part(
    memory: &Memory,
    part: &Range<u64>,
    shared: bool,
    found: &mut Found,
) -> io::Result<()> {
    const AROUND: u64 = decode::AROUND as u64;
    let read = |from| (from, memory.read(&(from..part.end.saturating_add(AROUND))));
    let (from, code) = match read(part.start.saturating_sub(AROUND)) {
        (_, code) if code.is_empty() => read(part.start), // nothing is there before
        read => read,
    };
    for (at, pair) in decode::pairs(&code) {
        let at = from + at as u64;
        match pair {
            // Around the part.
            _ if at + 1 < part.start || at >= part.end => {}
            Pair::Cpuid if shared => found.shared += 1,
            Pair::Cpuid => {
                memory.set(at, &CLTS)?;
                found.patched += 1;
            }
            Pair::Doubtful => found.doubtful += 1,
            Pair::Data => {}
        }
    }
    Ok(())
}
