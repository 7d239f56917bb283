//! What programs have SIGSEGV do. Each CPUID that stops is a SIGSEGV which the program never gets.
//! But where the program ignores or blocks that signal, the kernel first resets both, lest a
//! program fault for ever. So both are set again.
//!
//! The kernel's `force_sig` resets a handler to the default where SIGSEGV was blocked or ignored,
//! and it unblocks the signal. It does so before the tracer hears of the stop. So the tracer must
//! know the handler beforehand, and hears of each `rt_sigaction(SIGSEGV)` by the seccomp filter:
//!
//! ```text
//! exec                          no handler; a signal that was ignored stays ignored
//! fork, clone                   the child has the handler of its parent
//! rt_sigaction has returned     the handler is asked for again and kept
//! a CPUID was answered          a handler that is gone is set again, and the signal blocked
//! ```

use std::collections::HashMap;
use std::fs;
use std::io;

use super::inject;
use super::memory::Memory;
use super::ptrace;

/// What each process has SIGSEGV do; `None` is the default.
///
/// The kernel does not tell of a signal that it has just unblocked. But it resets a handler only if
/// the signal was blocked.
#[derive(Default)]
pub struct Actions(HashMap<i32, Option<Action>>);

/// The kernel's `struct sigaction`: handler, flags, restorer, signals blocked meanwhile.
type Action = [u64; 4];

impl Actions {
    /// A process executes another program: no handler is left.
    pub fn executed(&mut self, tid: i32) -> io::Result<()> {
        let process = Process::of(tid)?;
        self.0.insert(process.pid, process.ignores.then_some(IGNORE));
        Ok(())
    }

    /// A thread is new, and maybe its process, which has then what its parent had.
    pub fn started(&mut self, tid: i32) -> io::Result<()> {
        let process = Process::of(tid)?;
        let inherited = match process.catches {
            // A process that catches the signal has its parent's handler: it has made no call of
            // its own yet.
            true => self.0.get(&process.parent).copied().flatten(),
            false => process.ignores.then_some(IGNORE),
        };
        self.0.entry(process.pid).or_insert(inherited);
        Ok(())
    }

    /// A thread, after a system call that sets it.
    pub fn set(&mut self, tid: i32) -> io::Result<()> {
        // The filter cannot see whether the call was a question or failed. So the kernel is asked.
        let action = exchange(tid, None)?;
        self.0.insert(Process::of(tid)?.pid, action.filter(|action| action[HANDLER] != DEFAULT));
        Ok(())
    }

    /// SIGSEGV is about to be delivered to a thread: some handlers are for once.
    pub fn delivered(&mut self, tid: i32) -> io::Result<()> {
        if self.are_default() {
            return Ok(());
        }
        let entry = self.0.get_mut(&Process::of(tid)?.pid);
        entry.into_iter().for_each(|entry| {
            *entry = entry.filter(|action| action[FLAGS] & libc::SA_RESETHAND as u32 as u64 == 0)
        });
        Ok(())
    }

    /// Sets again what the kernel has reset, in a thread that stopped for us.
    pub fn restore(&self, tid: i32) -> io::Result<()> {
        if self.are_default() {
            return Ok(());
        }
        let process = Process::of(tid)?;
        let Some(Some(action)) =
            self.0.get(&process.pid).filter(|_| !process.catches && !process.ignores)
        else {
            return Ok(());
        };
        exchange(tid, Some(action))?;
        // A handler is reset only where the signal was blocked, so it is blocked again. An ignored
        // signal may have been unblocked.
        if *action != IGNORE {
            let blocked = ptrace::block(tid, !0)?;
            ptrace::block(tid, blocked | SIGSEGV)?;
        }
        Ok(())
    }

    /// A process has ended.
    pub fn ended(&mut self, pid: i32) {
        self.0.remove(&pid);
    }

    /// Nearly always: then there is nothing to restore.
    fn are_default(&self) -> bool {
        self.0.values().all(Option::is_none)
    }
}

/// Gives what SIGSEGV does in a thread's process, or sets it. `None`: the thread has no stack.
fn exchange(tid: i32, action: Option<&Action>) -> io::Result<Option<Action>> {
    let memory = Memory::of(tid)?;
    let top = ptrace::registers(tid)?.rsp;
    // The kernel reads and writes the action in the program's memory. The stack is memory that
    // nearly every thread has.
    // What lies there is put back. Above the top only where the stack has not yet grown below it.
    let places = [top.wrapping_sub(RED_ZONE + SIZE) & !7, top & !7];
    let readable = places.into_iter().find_map(|place| Some((place, memory.words(place).ok()?)));
    let Some((place, before)) = readable else { return Ok(None) };
    let (new, old) = if action.is_some() { (place, 0) } else { (0, place) };
    if let Some(action) = action {
        memory.set(place, action.map(u64::to_ne_bytes).as_flattened())?;
    }
    let result = inject::system_call(
        tid,
        libc::SYS_rt_sigaction,
        [libc::SIGSEGV as u64, new, old, size_of::<u64>() as u64],
    );
    let after = memory.words(place);
    memory.set(place, before.map(u64::to_ne_bytes).as_flattened())?;
    let after = after?;
    Ok((result? == 0).then_some(after))
}

/// What /proc says of the process of a thread.
struct Process {
    /// The process of the thread (`Tgid`).
    pid: i32,
    parent: i32,
    /// It has a handler for SIGSEGV (`SigCgt`).
    catches: bool,
    /// It ignores SIGSEGV (`SigIgn`).
    ignores: bool,
}

impl Process {
    fn of(tid: i32) -> io::Result<Self> {
        let status = fs::read_to_string(format!("/proc/{tid}/status"))?;
        Self::read(&status).ok_or_else(|| io::Error::other("/proc is not as expected"))
    }

    fn read(status: &str) -> Option<Self> {
        let word = |name| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
        };
        let number = |name| word(name)?.parse().ok();
        let has =
            |name| u64::from_str_radix(word(name)?, 16).ok().map(|signals| signals & SIGSEGV != 0);
        Some(Self {
            pid: number("Tgid")?,
            parent: number("PPid")?,
            catches: has("SigCgt")?,
            ignores: has("SigIgn")?,
        })
    }
}

const SIGSEGV: u64 = 1 << (libc::SIGSEGV - 1);
const HANDLER: usize = 0;
const FLAGS: usize = 1;
const DEFAULT: u64 = libc::SIG_DFL as u64;
const IGNORE: Action = [libc::SIG_IGN as u64, 0, 0, 0];
const SIZE: u64 = size_of::<Action>() as u64;
/// Below the top of its stack a function may keep as much without saying so.
const RED_ZONE: u64 = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_proc_says_of_a_process_is_read() {
        let status = |caught| {
            format!(
                "Name:\tPPid: \
                    9\nTgid:\t12\nPid:\t13\nPPid:\t7\nSigBlk:\t0400\n\
                 SigIgn:\t0001\nSigCgt:\t{caught}\n"
            )
        };
        let process = Process::read(&status("0000000180000400")).unwrap();
        assert_eq!(
            (process.pid, process.parent, process.catches, process.ignores),
            (12, 7, true, false)
        );
        assert!(!Process::read(&status("0000000180000800")).unwrap().catches);
        assert!(Process::read("Tgid:\t12\n").is_none());
        assert_eq!(Process::of(std::process::id() as i32).unwrap().pid, std::process::id() as i32);
    }
}
