//! Standard output and standard error where nobody takes what they are given.
//!
//! Standard output carries results, standard error words for people. A result that cannot be
//! written is an error of the command. A word that cannot be written is not: the results are still
//! right.

use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints a line to standard error, in colours on a terminal. A full disk or a closed pipe behind
/// it changes no result, so an error of writing is ignored; `eprintln!` would panic.
macro_rules! message {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($text)*);
    }};
}
pub(crate) use message;

/// Whether this program was started without standard output (`>&-`).
pub fn is_stdout_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

static CLOSED: AtomicBool = AtomicBool::new(false);

/// Rust opens /dev/null in place of a closed standard output before `main`, and all results would
/// vanish without an error. So this runs earlier: it puts a device there that takes nothing, and
/// every command fails as on a full disk.
#[ctor::ctor(unsafe)]
fn notice_closed_stdout() {
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()) == Err(rustix::io::Errno::BADF) {
        CLOSED.store(true, Ordering::Relaxed);
        let flags = rustix::fs::OFlags::WRONLY;
        if let Ok(full) = rustix::fs::open("/dev/full", flags, rustix::fs::Mode::empty()) {
            // The system gives the lowest free number, which is the place itself unless standard
            // input is closed, too.
            if full.as_raw_fd() == rustix::stdio::raw_stdout() {
                let _ = full.into_raw_fd();
            } else {
                let _ = rustix::stdio::dup2_stdout(&full);
            }
        }
    }
}
