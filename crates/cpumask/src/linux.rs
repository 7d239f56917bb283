//! Linux on x86-64.
//!
//! A program under a mask goes this way. The tracer is a thread of this process.
//!
//! ```text
//! tracer                                child
//! fork, PTRACE_SEIZE                    waits for a byte on a pipe
//! byte                              ->  installs the seccomp filter, then execs
//! exec stops: patches its memory,
//! or asks for CPUID to fault            runs
//! SIGSEGV at a CPUID: answers it        goes on behind the CPUID
//! mmap, mprotect with PROT_EXEC stop:
//! looks through the new code            goes on
//! ...                                   all processes have ended
//! ```
//!
//! An error of `exec` comes back through a second pipe, which `exec` closes if it succeeds.

mod actions;
mod decode;
mod held;
mod inject;
mod memory;
mod patch;
mod probe;
mod ptrace;
mod seccomp;
mod signals;
mod trace;

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::thread;

use crate::{Gap, Mask, Mechanism, Outcome};
pub use probe::probe;
use seccomp::Filter;

/// Runs a program under a mask and follows all that it starts, until all of it has ended.
///
/// Standard streams are inherited unless `command` says otherwise. A signal that another process
/// sends to this one while the program runs (SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2) is
/// passed on; one that the terminal sends to both is not passed on twice. If this process dies, so
/// does the program. An error is one of starting: no such program, ptrace refused.
///
/// # Errors
/// Of starting: there is no such program, or ptrace is refused.
pub fn run(mask: &Mask, mechanism: Mechanism, command: Command) -> io::Result<Outcome> {
    watch(mask, mechanism, command, |_| ControlFlow::Continue(()))
}

/// As [`run`]; `tell` hears each [`Gap`] once, as it is found, and may end the program.
///
/// # Errors
/// As [`run`].
pub fn watch(
    mask: &Mask,
    mechanism: Mechanism,
    mut command: Command,
    tell: impl FnMut(&Gap) -> ControlFlow<()> + Send,
) -> io::Result<Outcome> {
    let start = || {
        let (mut broken, report) = io::pipe()?;
        let mut filter = Filter::of(mechanism);
        let child = trace::spawn(|| {
            let error = filter.install().err().unwrap_or_else(|| command.exec());
            let _ =
                (&report).write_all(&error.raw_os_error().unwrap_or(libc::EINVAL).to_ne_bytes());
            127
        })?;
        drop(report);
        // The tracer keeps no end for writing: so the pipe is at its end when the child has
        // executed.
        let forwarding = signals::Forwarding::to(child.pid());
        let outcome = trace::follow(child, Some(forwarding), mask, mechanism, tell)?;
        let mut code = [0; 4];
        // Four bytes are the errno of a filter or a program that could not be had. None are a
        // success.
        match io::Read::read_exact(&mut broken, &mut code) {
            Ok(()) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(code))),
            Err(_) => Ok(outcome),
        }
    };
    // A tracer is a thread, and waits for all that it traces: on a thread of its own it takes no
    // other child's end away.
    thread::scope(|scope| {
        scope.spawn(start).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
