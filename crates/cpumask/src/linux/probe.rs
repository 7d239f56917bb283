//! Whether a mechanism works here, by doing it.
//!
//! A child asks for faulting where that is tried, installs the filter, and executes one CPUID, or
//! CLTS for patching. The mechanism works if the tracer answered exactly one and the child ended
//! with 0. An exit code above 0 is the errno of the step that failed.

use std::arch::asm;
use std::io;
use std::ops::ControlFlow;
use std::thread;

use super::seccomp::Filter;
use super::{decode, patch, trace};
use crate::{Mask, Mechanism};

/// Has a process of its own stop at a CPUID that way. The error is the reason.
pub fn probe(mechanism: Mechanism) -> Result<(), String> {
    let start = || {
        let mut filter = Filter::of(mechanism);
        let child = trace::spawn(|| {
            let faults = if mechanism == Mechanism::Faulting { let_fault() } else { Ok(()) };
            let ready = faults.and_then(|()| filter.install());
            ready.map_or_else(|error| error.raw_os_error().unwrap_or(1), |()| stops(mechanism))
        })?;
        trace::follow(child, None, &Mask::default(), mechanism, |_| ControlFlow::Continue(()))
    };
    let outcome = thread::scope(|scope| {
        scope.spawn(start).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    match outcome {
        Err(error) => Err(format!("ptrace is refused: {error}")),
        Ok(outcome) if outcome.status.success() && outcome.answered == 1 => Ok(()),
        Ok(outcome) => Err(reason(mechanism, outcome.status.code())),
    }
}

fn reason(mechanism: Mechanism, errno: Option<i32>) -> String {
    let error = errno.map_or_else(
        || "killed".to_owned(),
        |errno| io::Error::from_raw_os_error(errno).to_string(),
    );
    match mechanism {
        Mechanism::Faulting => {
            format!(
                "the CPU or its hypervisor does not let CPUID fault, or a seccomp filter is \
                    refused ({error})"
            )
        }
        Mechanism::Patching => {
            format!("the seccomp filter that patching needs is refused ({error})")
        }
    }
}

/// Asks the kernel to let CPUID fault in this thread.
fn let_fault() -> io::Result<()> {
    // SAFETY: numbers only.
    match unsafe { libc::syscall(libc::SYS_arch_prctl, trace::ARCH_SET_CPUID, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Executes what stops, and says by 0 that it was answered. Called in a forked child only.
fn stops(mechanism: Mechanism) -> i32 {
    const { assert!(patch::CLTS[1] == 0x06 && decode::CPUID[1] == 0xa2) };
    let highest: u32;
    // SAFETY: the tracer answers either instruction as CPUID's leaf 0; RBX is put back.
    unsafe {
        match mechanism {
            Mechanism::Faulting => asm!("mov rsi, rbx", "cpuid", "mov rbx, rsi",
                inout("eax") 0_u32 => highest, inout("ecx") 0_u32 => _, out("edx") _, out("rsi") _),
            Mechanism::Patching => asm!("mov rsi, rbx", "clts", "mov rbx, rsi",
                inout("eax") 0_u32 => highest, inout("ecx") 0_u32 => _, out("edx") _, out("rsi") _),
        }
    }
    i32::from(highest == 0)
}
