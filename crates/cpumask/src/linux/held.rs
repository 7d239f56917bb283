//! Memory that a program may both write and execute, as JIT compilers want it. What they write
//! there first, HotSpot's own CPUID for one, can be looked through only between the writing and the
//! executing: so the memory is not executable until it is executed.
//!
//! ```text
//! mmap or mprotect, writable and executable    PROT_EXEC is taken away
//! the program writes code                      nothing stops
//! the program jumps there                      SIGSEGV: an access that is forbidden
//! release: the protection is given back        the caller looks through the code
//! ```
//!
//! Memory is given back once. Code that is written later into the same memory is not seen: `lib.rs`
//! names this gap.

use std::io;
use std::ops::Range;

use super::decode::LONGEST;
use super::inject;
use super::ptrace;

/// Memory that was taken the right to execute, and the protection that the program asked for.
///
/// It is never forgotten: a child made by fork has it too, and may be later to execute it.
///
/// A pair is the addresses and the `prot` of the program's call. The newest pair is the last.
#[derive(Default)]
pub struct Held(Vec<(Range<u64>, u64)>);

impl Held {
    /// Takes memory the right to execute, which the thread has just given it. False: the kernel
    /// refuses.
    pub fn hold(&mut self, tid: i32, range: &Range<u64>, protection: u64) -> io::Result<bool> {
        let held = protect(tid, range, protection & !(libc::PROT_EXEC as u64))?;
        if held {
            self.0.retain(|(before, _)| before != range);
            self.0.push((range.clone(), protection));
        }
        Ok(held)
    }

    /// Gives the memory back in which a thread was stopped by a fault, if it was because it is
    /// held.
    pub fn release(&self, tid: i32) -> io::Result<Option<Range<u64>>> {
        let fault = ptrace::fault(tid)?;
        let at = ptrace::registers(tid)?.rip;
        // An instruction may begin in other memory.
        let is_fetched = fault.address.wrapping_sub(at) < LONGEST as u64;
        let held = self.0.iter().rev().find(|(range, _)| range.contains(&fault.address));
        match held {
            Some((range, protection)) if fault.code == SEGV_ACCERR && is_fetched => {
                Ok(protect(tid, range, *protection)?.then(|| range.clone()))
            }
            _ => Ok(None),
        }
    }
}

fn protect(tid: i32, range: &Range<u64>, protection: u64) -> io::Result<bool> {
    inject::system_call(
        tid,
        libc::SYS_mprotect,
        [range.start, range.end - range.start, protection, 0],
    )
    .map(|result| result == 0)
}

/// `si_code` of an access that the memory's protection forbids.
const SEGV_ACCERR: i32 = 2;
