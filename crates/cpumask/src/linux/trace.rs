//! Follows a program and all that it starts, and answers its CPUIDs.
//!
//! One thread traces all processes of a program. For each stop it acts and lets the thread go on:
//!
//! ```text
//! SIGSEGV at CPUID or CLTS      answered: the real answer without the hidden bits, RIP behind it
//! SIGSEGV in held memory        given back and looked through
//! any other SIGSEGV, signal     delivered
//! exec                          patching: all of its code; faulting: asked for at its end
//! mmap, mprotect                held if writable, else looked through
//! rt_sigaction(SIGSEGV)         the handler is kept
//! arch_prctl(ARCH_SET_CPUID)    refused by ENODEV
//! ```
//!
//! The loop ends when no traced process is left, or when `tell` wants an end and the program is
//! dead. An error of ptrace ends the loop. A thread that died meanwhile is no error.

use std::arch::x86_64::__cpuid_count;
use std::io::{self, Read, Write};
use std::mem;
use std::ops::{ControlFlow, Range};
use std::process::ExitStatus;

use iced_x86::Mnemonic;

use super::ptrace::{self, Event};
use super::signals::Forwarding;
use super::{actions::Actions, decode, held::Held, inject, memory, patch};
use crate::{Gap, Mask, Mechanism, Outcome};

/// `arch_prctl(ARCH_SET_CPUID, 0)` lets CPUID fault, until the next exec.
pub const ARCH_SET_CPUID: i64 = 0x1012;

/// A process that has done nothing yet, and is traced by this thread.
pub struct Child {
    pid: i32,
    go: io::PipeWriter,
}

impl Child {
    /// Its process id.
    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Lets it go.
    pub fn go(&self) -> io::Result<()> {
        (&self.go).write_all(&[1])
    }
}

/// Makes a process that calls `work` once [`follow`] lets it, and ends with what that gives.
/// Between, all that may happen in a forked child of a process with threads may.
pub fn spawn(work: impl FnOnce() -> i32) -> io::Result<Child> {
    let (mut wait, go) = io::pipe()?;
    // SAFETY: the child calls `work`, which keeps to what a forked child may do, and never returns
    // from here.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(go);
            let released = wait.read(&mut [0]).is_ok_and(|count| count == 1);
            let code = if released { work() } else { 127 };
            // SAFETY: ends the child at once; nothing of the parent's is flushed twice.
            unsafe { libc::_exit(code) }
        }
        pid => match ptrace::seize(pid) {
            Ok(()) => Ok(Child { pid, go }),
            Err(error) => {
                drop(go);
                ptrace::wait(pid)?;
                Err(error)
            }
        },
    }
}

/// Lets the child go, and follows it and all that it starts until all have ended. Signals are
/// forwarded while the child lives.
pub fn follow(
    child: Child,
    forwarding: Option<Forwarding>,
    mask: &Mask,
    mechanism: Mechanism,
    tell: impl FnMut(&Gap) -> ControlFlow<()>,
) -> io::Result<Outcome> {
    child.go()?;
    let outcome = Outcome {
        status: ExitStatus::default(),
        answered: 0,
        patched: 0,
        doubtful: 0,
        gaps: vec![],
    };
    let (program, held, actions) = (Some(child.pid), Held::default(), Actions::default());
    let mut tracer = Tracer {
        program,
        mask,
        mechanism,
        forwarding,
        held,
        actions,
        tell,
        stopped: false,
        outcome,
    };
    while let Some((tid, event)) = ptrace::wait(-1)? {
        match tracer.handle(tid, event) {
            Err(error) if is_gone(&error) => {}
            result => result?,
        }
        if tracer.stopped && tracer.program.is_none() {
            break; // what is left dies with this thread
        }
    }
    Ok(tracer.outcome)
}

/// A thread may be killed while it is stopped, its memory gone with it: its end is the next that is
/// heard of it.
fn is_gone(error: &io::Error) -> bool {
    let gone = [io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof, io::ErrorKind::WriteZero];
    error.raw_os_error() == Some(libc::ESRCH) || gone.contains(&error.kind())
}

struct Tracer<'a, T> {
    /// The program itself, until it has ended.
    program: Option<i32>,
    mask: &'a Mask,
    mechanism: Mechanism,
    forwarding: Option<Forwarding>,
    held: Held,
    actions: Actions,
    tell: T,
    /// `tell` wants an end.
    stopped: bool,
    outcome: Outcome,
}

impl<T: FnMut(&Gap) -> ControlFlow<()>> Tracer<'_, T> {
    fn handle(&mut self, tid: i32, event: Event) -> io::Result<()> {
        match event {
            Event::Ended(status) => {
                if self.program == Some(tid) {
                    self.outcome.status = status;
                    self.forwarding = None;
                    self.program = None;
                }
                self.actions.ended(tid);
                Ok(())
            }
            Event::Signal(libc::SIGSEGV) if self.answer(tid)? || self.release(tid)? => {
                self.actions.restore(tid)?;
                ptrace::resume(tid, 0)
            }
            Event::Signal(libc::SIGSEGV) => {
                self.actions.delivered(tid)?;
                ptrace::resume(tid, libc::SIGSEGV)
            }
            Event::Signal(signal) => ptrace::resume(tid, signal),
            Event::Cloned => ptrace::resume(tid, 0),
            Event::Started => {
                self.actions.started(tid)?;
                ptrace::resume(tid, 0)
            }
            Event::Paused => ptrace::stay(tid),
            Event::Selected => selected(tid),
            Event::Exec => self.exec(tid),
            Event::Returned => {
                self.returned(tid)?;
                ptrace::resume(tid, 0)
            }
        }
    }

    /// Answers the CPUID that a thread stopped at. False: it stopped for something else.
    fn answer(&mut self, tid: i32) -> io::Result<bool> {
        let wanted = match self.mechanism {
            Mechanism::Faulting => Mnemonic::Cpuid,
            Mechanism::Patching => Mnemonic::Clts,
        };
        // CPUID and CLTS raise a general protection fault, which has no address. A page fault has
        // another code.
        if ptrace::fault(tid)?.code != SI_KERNEL {
            return Ok(false);
        }
        let mut registers = ptrace::registers(tid)?;
        let code = memory::Memory::of(tid)?
            .read(&(registers.rip..registers.rip.saturating_add(decode::LONGEST as u64)));
        let Some(length) = decode::length(&code, wanted) else { return Ok(false) };
        let (leaf, subleaf) = (registers.rax as u32, registers.rcx as u32);
        // The tracer asks its own CPU. Leaves 1, 0xb and 0x1f hold the number of the core, so it
        // goes there.
        go_where(tid);
        let real = __cpuid_count(leaf, subleaf);
        let [eax, ebx, ecx, edx] = self.mask.cleared(leaf, subleaf).map(|bits| !bits);
        registers.rax = (real.eax & eax).into();
        registers.rbx = (real.ebx & ebx).into();
        registers.rcx = (real.ecx & ecx).into();
        registers.rdx = (real.edx & edx).into();
        registers.rip += length;
        ptrace::set_registers(tid, &registers)?;
        self.outcome.answered += 1;
        Ok(true)
    }

    fn exec(&mut self, tid: i32) -> io::Result<()> {
        self.actions.executed(tid)?;
        // The filter and the decoder know 64-bit programs only.
        if ptrace::registers(tid)?.cs != CODE_64 {
            self.gap(Gap::ThirtyTwoBit { program: memory::name(tid) });
            return ptrace::resume(tid, 0);
        }
        match self.mechanism {
            Mechanism::Patching => {
                self.patch(tid, &(0..u64::MAX))?;
                ptrace::resume(tid, 0)
            }
            // Registers can be set only after exec has returned, which sets RAX.
            Mechanism::Faulting => ptrace::to_return(tid),
        }
    }

    /// A system call is done: one that sets what SIGSEGV does, exec under faulting, memory that
    /// became executable under patching.
    fn returned(&mut self, tid: i32) -> io::Result<()> {
        let registers = ptrace::registers(tid)?;
        match self.mechanism {
            _ if registers.orig_rax == libc::SYS_rt_sigaction as u64 => self.actions.set(tid),
            Mechanism::Faulting => match inject::system_call(
                tid,
                libc::SYS_arch_prctl,
                [ARCH_SET_CPUID as u64, 0, 0, 0],
            )? {
                0 => Ok(()),
                error => Err(io::Error::from_raw_os_error(-error as i32)),
            },
            Mechanism::Patching => self.new_code(tid, &registers),
        }
    }

    /// mmap, mprotect or pkey_mprotect has returned.
    fn new_code(&mut self, tid: i32, registers: &libc::user_regs_struct) -> io::Result<()> {
        if (registers.rax as i64) < 0 {
            return Ok(());
        }
        let (length, protection) = (registers.rsi.next_multiple_of(PAGE), registers.rdx);
        let start =
            if registers.orig_rax == libc::SYS_mmap as u64 { registers.rax } else { registers.rdi };
        let range = start..start.saturating_add(length);
        let written_later = protection & libc::PROT_WRITE as u64 != 0;
        // Where the kernel refuses to take the right away, the memory is looked through as it is
        // now.
        if written_later && self.held.hold(tid, &range, protection)? {
            Ok(())
        } else {
            self.patch(tid, &range)
        }
    }

    /// Gives a thread back the memory that it is about to execute, and looks through it. False: it
    /// stopped for something else.
    fn release(&mut self, tid: i32) -> io::Result<bool> {
        let released = self.held.release(tid)?;
        released.iter().try_for_each(|range| self.patch(tid, range))?;
        Ok(released.is_some())
    }

    fn patch(&mut self, tid: i32, range: &Range<u64>) -> io::Result<()> {
        let found = patch::patch(tid, range)?;
        self.outcome.patched += found.patched;
        self.outcome.doubtful += found.doubtful;
        if found.shared > 0 {
            self.gap(Gap::SharedCode { program: memory::name(tid) });
        }
        if found.doubtful > 0 {
            self.gap(Gap::Doubtful { program: memory::name(tid) });
        }
        Ok(())
    }

    fn gap(&mut self, gap: Gap) {
        if self.outcome.gaps.contains(&gap) {
            return;
        }
        self.stopped |= (self.tell)(&gap).is_break();
        if let Some(program) = self.program.filter(|_| self.stopped) {
            // SAFETY: numbers only; it is our own child, and not reaped, since its end has not been
            // heard.
            unsafe { libc::kill(program, libc::SIGKILL) };
        }
        self.outcome.gaps.push(gap);
    }
}

/// A system call of the filter is about to be made. Faulting is ours to switch: the program hears
/// that the CPU has none.
fn selected(tid: i32) -> io::Result<()> {
    let mut registers = ptrace::registers(tid)?;
    if registers.orig_rax != libc::SYS_arch_prctl as u64 {
        return ptrace::to_return(tid);
    }
    registers.orig_rax = u64::MAX; // none is made
    registers.rax = -i64::from(libc::ENODEV) as u64;
    ptrace::set_registers(tid, &registers)?;
    ptrace::resume(tid, 0)
}

/// Has this thread run where `tid` may: CPUID also says on which core it is asked.
fn go_where(tid: i32) {
    // SAFETY: all zero is an empty set of cores, and it outlives the calls; a refusal leaves this
    // thread where it is.
    unsafe {
        let mut cores: libc::cpu_set_t = mem::zeroed();
        if libc::sched_getaffinity(tid, size_of_val(&cores), &mut cores) == 0 {
            libc::sched_setaffinity(0, size_of_val(&cores), &cores);
        }
    }
}

/// `si_code` of a fault that is no page fault.
const SI_KERNEL: i32 = 0x80;
const PAGE: u64 = 4096;
/// The code segment of 64-bit programs.
const CODE_64: u64 = 0x33;
