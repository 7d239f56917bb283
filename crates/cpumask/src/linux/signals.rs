//! Passes signals on to the program.
//!
//! `kill PID` from outside meets this process, because the caller knows no other. So it passes the
//! signal on. Ctrl-C meets both, because both are in the terminal's foreground group. `si_code`
//! tells the two apart: the kernel's own signals have a number above 0.

use std::mem::{self, MaybeUninit};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};

/// While it lives, a signal that another process sends to this one is sent on to the program. One
/// that the terminal sends reaches the program anyway, and does not end this process first.
///
/// One program at a time has this: of programs that run at once, the first.
pub struct Forwarding {
    /// The signals that are handled, with the actions that come back in the end; none of them where
    /// all are ignored. `None` where another program has them.
    before: Option<Vec<(i32, libc::sigaction)>>,
}

/// The process that gets the signals; 0 for none. A handler can reach nothing but a static.
static PROGRAM: AtomicI32 = AtomicI32::new(0);

const SIGNALS: [i32; 6] =
    [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2];

impl Forwarding {
    /// To this process.
    pub fn to(pid: i32) -> Self {
        let first = PROGRAM.compare_exchange(0, pid, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        let handled = || SIGNALS.into_iter().filter_map(|signal| Some((signal, handle(signal)?)));
        Self { before: first.then(|| handled().collect()) }
    }
}

impl Drop for Forwarding {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        for (signal, action) in before {
            // SAFETY: an action that was in force before.
            unsafe { libc::sigaction(*signal, action, null_mut()) };
        }
        PROGRAM.store(0, Ordering::SeqCst);
    }
}

/// Sets our handler, and gives the action before; what is ignored (nohup) stays so.
fn handle(signal: i32) -> Option<libc::sigaction> {
    let mut before = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: a question about a signal that exists; the kernel writes the answer.
    let before = unsafe {
        libc::sigaction(signal, std::ptr::null(), before.as_mut_ptr());
        before.assume_init()
    };
    if before.sa_sigaction == libc::SIG_IGN {
        return None;
    }
    // SAFETY: all zero is an action with no flag and no blocked signal.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = pass_on as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // SAFETY: `pass_on` has the signature that SA_SIGINFO wants and calls only what a handler may.
    unsafe { libc::sigaction(signal, &action, null_mut()) };
    Some(before)
}

extern "C" fn pass_on(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel passes a valid `info` to a handler with SA_SIGINFO; kill is safe in a
    // handler, and errno is put back.
    unsafe {
        let by_a_process = (*info).si_code <= 0;
        let pid = PROGRAM.load(Ordering::SeqCst);
        if by_a_process && pid > 0 {
            let errno = libc::__errno_location();
            let before = *errno;
            libc::kill(pid, signal);
            *errno = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody has this number.
    const PID: i32 = i32::MAX;

    #[test]
    fn a_program_that_ends_leaves_its_place() {
        // SAFETY: no handler is set.
        let before = SIGNALS.map(|signal| unsafe { libc::signal(signal, libc::SIG_IGN) });
        let forwarding = Forwarding::to(PID);
        let ignored = forwarding.before.as_ref().is_some_and(Vec::is_empty);
        drop(Forwarding::to(PID - 1));
        let during = PROGRAM.load(Ordering::SeqCst);
        drop(forwarding);
        let after = PROGRAM.load(Ordering::SeqCst);
        for (signal, action) in SIGNALS.into_iter().zip(before) {
            // SAFETY: an action that was in force before.
            unsafe { libc::signal(signal, action) };
        }
        assert!(ignored, "all signals are ignored");
        assert_eq!((during, after), (PID, 0));
    }
}
