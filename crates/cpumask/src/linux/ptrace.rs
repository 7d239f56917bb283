//! ptrace(2) and waitpid(2), each call as a function. A thread that was killed meanwhile answers
//! ESRCH to all of them.
//!
//! Threads are seized, not attached: PTRACE_SEIZE stops nothing, and only a seized thread can be
//! left in a group stop by PTRACE_LISTEN. Each stop has one `Event`:
//!
//! ```text
//! wait ->  Exec, Cloned, Started, Selected, Returned, Paused, Signal   the thread stands still
//!      ->  Ended                                                       the thread is gone
//! then     resume, to_return or stay                                   the thread goes on
//! ```

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::ptr::{null_mut, without_provenance_mut};

/// What a traced thread stopped for.
#[derive(Debug)]
pub enum Event {
    /// It has ended.
    Ended(ExitStatus),
    /// It executes another program, of which no instruction has run yet.
    Exec,
    /// It has made a thread or a process.
    Cloned,
    /// It was just made, or goes on after a stopping signal.
    Started,
    /// A system call that the filter selects is about to be made.
    Selected,
    /// A system call is done.
    Returned,
    /// A stopping signal has stopped it, until SIGCONT.
    Paused,
    /// This signal is about to be delivered.
    Signal(i32),
}

/// Waits for the next event of any thread that this thread traces (`-1`) or of one. `None`: there
/// is none left.
pub fn wait(thread: i32) -> io::Result<Option<(i32, Event)>> {
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    let tid = unsafe { libc::waitpid(thread, &mut status, libc::__WALL | libc::__WNOTHREAD) };
    match tid {
        -1 if last_is(libc::EINTR) => wait(thread),
        -1 if last_is(libc::ECHILD) => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Some((tid, event(status)))),
    }
}

fn event(status: i32) -> Event {
    if !libc::WIFSTOPPED(status) {
        return Event::Ended(ExitStatus::from_raw(status));
    }
    match (status >> 16, libc::WSTOPSIG(status)) {
        (libc::PTRACE_EVENT_EXEC, _) => Event::Exec,
        (libc::PTRACE_EVENT_SECCOMP, _) => Event::Selected,
        // A group stop has the number of its stopping signal, any other stop of this kind SIGTRAP.
        (libc::PTRACE_EVENT_STOP, libc::SIGTRAP) => Event::Started,
        (libc::PTRACE_EVENT_STOP, _) => Event::Paused,
        // PTRACE_O_TRACESYSGOOD sets bit 7, so that the end of a call is no SIGTRAP of the program.
        (0, signal) if signal == libc::SIGTRAP | 0x80 => Event::Returned,
        (0, signal) => Event::Signal(signal),
        _ => Event::Cloned,
    }
}

fn last_is(errno: i32) -> bool {
    io::Error::last_os_error().raw_os_error() == Some(errno)
}

/// Starts to trace a process, and all that it will start; all die with the calling thread.
pub fn seize(pid: i32) -> io::Result<()> {
    let options = libc::PTRACE_O_EXITKILL
        | libc::PTRACE_O_TRACESYSGOOD
        | libc::PTRACE_O_TRACEEXEC
        | libc::PTRACE_O_TRACECLONE
        | libc::PTRACE_O_TRACEFORK
        | libc::PTRACE_O_TRACEVFORK
        | libc::PTRACE_O_TRACESECCOMP;
    request(libc::PTRACE_SEIZE, pid, options as usize)
}

/// Lets it run on, with this signal delivered; 0 for none.
pub fn resume(tid: i32, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_CONT, tid, signal as usize)
}

/// Lets it run to the end of the system call that it is in, or to the beginning of its next.
pub fn to_return(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_SYSCALL, tid, 0)
}

/// Leaves it stopped until SIGCONT.
pub fn stay(tid: i32) -> io::Result<()> {
    request(libc::PTRACE_LISTEN, tid, 0)
}

/// Its registers.
pub fn registers(tid: i32) -> io::Result<libc::user_regs_struct> {
    read(libc::PTRACE_GETREGS, tid)
}

/// Sets its registers.
pub fn set_registers(tid: i32, registers: &libc::user_regs_struct) -> io::Result<()> {
    request(libc::PTRACE_SETREGS, tid, std::ptr::from_ref(registers).addr())
}

/// Why SIGSEGV is about to be delivered.
pub struct Fault {
    /// `si_code`.
    pub code: i32,
    /// `si_addr`: the memory that was accessed, where it was an access.
    pub address: u64,
}

/// The fault that a thread stopped at.
pub fn fault(tid: i32) -> io::Result<Fault> {
    let info: libc::siginfo_t = read(libc::PTRACE_GETSIGINFO, tid)?;
    // SAFETY: the field is plain bytes, and means an address for the signal that the caller has
    // seen.
    Ok(Fault { code: info.si_code, address: unsafe { info.si_addr() }.addr() as u64 })
}

/// Sets the signals that it blocks, and gives those that it blocked.
pub fn block(tid: i32, signals: u64) -> io::Result<u64> {
    let mut before = 0_u64;
    let mut after = signals;
    let size = without_provenance_mut::<libc::c_void>(size_of::<u64>());
    // SAFETY: a kernel signal set is these 8 bytes, and both outlive the calls.
    let done = unsafe {
        libc::ptrace(libc::PTRACE_GETSIGMASK, tid, size, &mut before) == 0
            && libc::ptrace(libc::PTRACE_SETSIGMASK, tid, size, &mut after) == 0
    };
    if done { Ok(before) } else { Err(io::Error::last_os_error()) }
}

fn read<T>(request: libc::c_uint, tid: i32) -> io::Result<T> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: `T` is what the kernel writes for this request; the callers above see to it.
    match unsafe { libc::ptrace(request, tid, null_mut::<libc::c_void>(), value.as_mut_ptr()) } {
        // SAFETY: the kernel has written it.
        0 => Ok(unsafe { value.assume_init() }),
        _ => Err(io::Error::last_os_error()),
    }
}

fn request(request: libc::c_uint, tid: i32, data: usize) -> io::Result<()> {
    // SAFETY: these requests take `data` as a number, SETREGS as the address of registers that
    // outlive the call.
    match unsafe { libc::ptrace(request, tid, null_mut::<libc::c_void>(), data) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
