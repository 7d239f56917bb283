//! Overwrites CPUID in the executable memory of a traced process.

use std::io;
use std::ops::Range;

use super::decode::{self, Pair};
use super::memory::{self, Memory};

/// CLTS: as long as CPUID, and it faults in every program on every x86, so no program has one of its own.
pub const CLTS: [u8; 2] = [0x0f, 0x06];

/// What was found in memory.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// CPUIDs that are overwritten now.
    pub patched: u64,
    /// What may be one, left alone.
    pub doubtful: u64,
    /// There is executable memory that is shared.
    pub shared: bool,
}

/// Overwrites each CPUID of a stopped thread's process that lies in executable memory within `range`.
pub fn patch(tid: i32, range: &Range<u64>) -> io::Result<Found> {
    let memory = Memory::of(tid)?;
    let mut found = Found::default();
    for mapping in memory::executable(tid)? {
        let part = mapping.range.start.max(range.start)..mapping.range.end.min(range.end);
        match (part.is_empty(), mapping.shared) {
            (true, _) => {}
            (false, true) => found.shared = true,
            (false, false) => patch_part(&memory, &part, &mut found)?,
        }
    }
    Ok(found)
}

fn patch_part(memory: &Memory, part: &Range<u64>, found: &mut Found) -> io::Result<()> {
    // What cannot be read, such as pages beyond the end of a file, cannot be executed either.
    let Ok(code) = memory.read(part) else { return Ok(()) };
    for (at, pair) in decode::pairs(&code) {
        match pair {
            Pair::Cpuid => {
                memory.set_pair(part.start + at as u64, CLTS)?;
                found.patched += 1;
            }
            Pair::Doubtful => found.doubtful += 1,
            Pair::Data => {}
        }
    }
    Ok(())
}
