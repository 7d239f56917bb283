//! Has a traced thread make a system call of ours.
//!
//! The thread executes a SYSCALL instruction that its process has anyway: the vDSO has one.
//! Registers and blocked signals are saved, set, and put back afterwards:
//!
//! ```text
//! block all signals -> registers: rip = SYSCALL, rax = number -> begin of the call -> its end
//!                   -> registers as before -> signals as before
//! ```
//!
//! The stop of the seccomp filter may come between. It is let go, and the count of stops goes on.

use std::io;

use super::memory;
use super::ptrace::{self, Event};

/// Makes a system call in a thread that is stopped outside of any, and gives what it returned: a
/// negative errno where it failed. The thread's registers and blocked signals are afterwards what
/// they were.
pub fn system_call(tid: i32, number: i64, arguments: [u64; 4]) -> io::Result<i64> {
    let before = ptrace::registers(tid)?;
    let mut registers = before;
    // Code is not written: another thread may be executing it.
    registers.rip = memory::find_code(tid, SYSCALL)?;
    registers.rax = number as u64;
    registers.orig_rax = u64::MAX; // no system call is to be restarted
    [registers.rdi, registers.rsi, registers.rdx, registers.r10] = arguments;
    // A signal that came now would be delivered in the middle.
    let blocked = ptrace::block(tid, !0)?;
    let result = ptrace::set_registers(tid, &registers)
        .and_then(|()| make(tid))
        .and_then(|()| ptrace::registers(tid));
    ptrace::set_registers(tid, &before)?;
    ptrace::block(tid, blocked)?;
    result.map(|registers| registers.rax as i64)
}

/// From stop to stop of the system call, not by a step: its SIGTRAP would reset a program's own.
fn make(tid: i32) -> io::Result<()> {
    let mut stops = 0;
    while stops < BEGIN_AND_END {
        ptrace::to_return(tid)?;
        match ptrace::wait(tid)? {
            Some((_, Event::Returned)) => stops += 1,
            // SIGKILL cannot be blocked. ESRCH is the same as ptrace gives for a thread that is
            // gone.
            None | Some((_, Event::Ended(_))) => {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            Some(_) => {} // a stop that cannot be blocked, such as the filter's
        }
    }
    Ok(())
}

const BEGIN_AND_END: u32 = 2;

const SYSCALL: [u8; 2] = [0x0f, 0x05];

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    use super::*;
    use crate::Mechanism;
    use crate::linux::seccomp::Filter;
    use crate::linux::trace;

    /// As CPUID faulting is asked for: at the end of exec, and the program then runs as if nothing
    /// had been.
    #[test]
    fn a_program_makes_our_system_call_before_its_first_instruction() {
        let mut filter = Filter::of(Mechanism::Faulting);
        let Ok(child) = trace::spawn(|| {
            let error = filter
                .install()
                .err()
                .unwrap_or_else(|| Command::new("sh").args(["-c", "exit 23"]).exec());
            error.raw_os_error().unwrap_or(1)
        }) else {
            return; // ptrace is refused here: the tests of programs say so
        };
        child.go().unwrap();
        let mut answers = None;
        loop {
            match ptrace::wait(child.pid()).unwrap() {
                Some((tid, Event::Exec)) => ptrace::to_return(tid).unwrap(),
                Some((tid, Event::Returned)) => {
                    let call = |number, first| system_call(tid, number, [first, 0, 0, 8]).unwrap();
                    // The last is one at which the filter stops.
                    let calls = [
                        (libc::SYS_getpid, 0),
                        (libc::SYS_close, u64::MAX),
                        (libc::SYS_rt_sigaction, SIGSEGV),
                    ];
                    answers = Some(calls.map(|(number, first)| call(number, first)));
                    ptrace::resume(tid, 0).unwrap();
                }
                Some((_, Event::Ended(status))) => break assert_eq!(status.code(), Some(23)),
                Some((tid, Event::Signal(signal))) => ptrace::resume(tid, signal).unwrap(),
                Some((tid, _)) => ptrace::resume(tid, 0).unwrap(),
                None => panic!("it has gone without an end"),
            }
        }
        assert_eq!(answers, Some([child.pid().into(), -i64::from(libc::EBADF), 0]));
    }

    const SIGSEGV: u64 = libc::SIGSEGV as u64;
}
