//! A seccomp filter that stops the few system calls which the tracer must know of, and costs no
//! other a stop.
//!
//! The filter is classic BPF on `struct seccomp_data`: the number of the call is at offset 0, the
//! architecture at 4, the arguments from 16 on. The rules of both mechanisms, for example under
//! patching:
//!
//! ```text
//! another architecture                      allow
//! mmap, mprotect, pkey_mprotect, PROT_EXEC  stop
//! rt_sigaction(SIGSEGV)                     stop
//! arch_prctl(ARCH_SET_CPUID)                stop: the program is told ENODEV
//! any other call                            allow
//! ```
//!
//! A filter stays for the whole life of the process and its children. The program cannot remove it.

use std::io;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

use super::trace::ARCH_SET_CPUID;
use crate::Mechanism;

/// The system calls that stop for the tracer.
pub struct Filter(Vec<sock_filter>);

impl Filter {
    /// Under either mechanism those that set what SIGSEGV does, and those that ask for CPUID to
    /// fault or not to; under patching mmap, mprotect and pkey_mprotect with PROT_EXEC as well.
    pub fn of(mechanism: Mechanism) -> Self {
        let new_code = match mechanism {
            Mechanism::Faulting => &[][..],
            Mechanism::Patching => NEW_CODE.as_flattened(),
        };
        Self(
            [&IS_64_BIT, new_code, STATE.as_flattened(), &[give(libc::SECCOMP_RET_ALLOW)]].concat(),
        )
    }

    /// From here on they stop, in this thread and in all that comes of it. Without a tracer they
    /// fail.
    pub fn install(&mut self) -> io::Result<()> {
        let program = libc::sock_fprog { len: self.0.len() as u16, filter: self.0.as_mut_ptr() };
        install(&program).or_else(|error| match error.raw_os_error() {
            // Root may install a filter without the promise.
            Some(libc::EACCES) => no_new_privileges().and_then(|()| install(&program)),
            _ => Err(error),
        })
    }
}

/// Allows all to another architecture: a 32-bit program is not followed. Loads the number of the
/// call.
const IS_64_BIT: [sock_filter; 4] =
    [load(4), when(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0), give(libc::SECCOMP_RET_ALLOW), load(0)];

const NEW_CODE: [[sock_filter; 5]; 3] = [
    rule(libc::SYS_mmap, PROTECTION, BPF_JSET, libc::PROT_EXEC as u32),
    rule(libc::SYS_mprotect, PROTECTION, BPF_JSET, libc::PROT_EXEC as u32),
    rule(libc::SYS_pkey_mprotect, PROTECTION, BPF_JSET, libc::PROT_EXEC as u32),
];

const STATE: [[sock_filter; 5]; 2] = [
    rule(libc::SYS_rt_sigaction, FIRST, BPF_JEQ, libc::SIGSEGV as u32),
    rule(libc::SYS_arch_prctl, FIRST, BPF_JEQ, ARCH_SET_CPUID as u32),
];

/// Stops the call of this number if the word at `offset` passes `test` with `k`; else allows it.
const fn rule(number: i64, offset: u32, test: u32, k: u32) -> [sock_filter; 5] {
    [
        when(BPF_JEQ, number as u32, 0, 4),
        load(offset),
        when(test, k, 0, 1),
        give(libc::SECCOMP_RET_TRACE),
        give(libc::SECCOMP_RET_ALLOW),
    ]
}

fn install(program: &libc::sock_fprog) -> io::Result<()> {
    // Without SPEC_ALLOW older kernels switch mitigations on that slow down what is measured.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    // SAFETY: the program and its instructions outlive the call.
    check(unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, program)
    })
}

/// What a user without privileges must promise before a filter. A traced program gains none by a
/// set-user-id bit anyway.
fn no_new_privileges() -> io::Result<()> {
    // SAFETY: numbers only.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into())
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Loads a word of `struct seccomp_data`.
const fn load(offset: u32) -> sock_filter {
    sock_filter { code: (BPF_LD | BPF_W | BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

/// Skips `then` instructions if the test of the word with `k` holds, and `otherwise` if not.
const fn when(test: u32, k: u32, then: u8, otherwise: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | test | BPF_K) as u16, jt: then, jf: otherwise, k }
}

const fn give(verdict: u32) -> sock_filter {
    sock_filter { code: (BPF_RET | BPF_K) as u16, jt: 0, jf: 0, k: verdict }
}

/// The lower half of the first argument.
const FIRST: u32 = 16;
/// The lower half of the third argument: the protection, in all three calls.
const PROTECTION: u32 = 32;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linux::ptrace::{self, Event};
    use crate::linux::trace;

    /// The numbers of the system calls at which a process stops that makes these of the first
    /// argument.
    fn stops(mechanism: Mechanism, calls: &[(i64, i64)]) -> Option<Vec<u64>> {
        let mut filter = Filter::of(mechanism);
        let work = || {
            let installed = filter.install();
            for (number, first) in calls {
                // SAFETY: numbers only, and nothing that they set is used before the end of this
                // process.
                unsafe { libc::syscall(*number, *first, 0, 0, 8) };
            }
            i32::from(installed.is_err())
        };
        // ptrace is refused here: the tests of programs say so
        let child = trace::spawn(work).ok()?;
        child.go().unwrap();
        let mut stops = vec![];
        loop {
            match ptrace::wait(child.pid()).unwrap() {
                Some((tid, Event::Selected)) => {
                    stops.push(ptrace::registers(tid).unwrap().orig_rax);
                    ptrace::resume(tid, 0).unwrap();
                }
                Some((tid, Event::Signal(signal))) => ptrace::resume(tid, signal).unwrap(),
                Some((_, Event::Ended(status))) => break assert!(status.success()),
                Some((tid, _)) => ptrace::resume(tid, 0).unwrap(),
                None => panic!("it has gone without an end"),
            }
        }
        Some(stops)
    }

    #[test]
    fn what_sigsegv_does_and_whether_cpuid_faults_is_known() {
        let segv = (libc::SYS_rt_sigaction, libc::SIGSEGV.into());
        let set_cpuid = (libc::SYS_arch_prctl, ARCH_SET_CPUID);
        let others = [
            (libc::SYS_rt_sigaction, libc::SIGUSR1.into()),
            (libc::SYS_arch_prctl, 0x1011),
            (libc::SYS_getpid, 11),
        ];
        for mechanism in Mechanism::ALL {
            let numbers = stops(mechanism, &[&[segv, set_cpuid], &others[..]].concat());
            let expected = vec![segv.0 as u64, set_cpuid.0 as u64];
            assert!(numbers.is_none_or(|numbers| numbers == expected), "by {mechanism}");
        }
    }
}
