//! A stack that has the same place in every process.

use std::{io, panic, thread};

/// Calls `serving` on another thread and gives back its answer. The stack of that thread begins on
/// a page. The kernel draws a place within the page for the stack of a process's first thread.
///
/// # Errors
/// The thread could not be started.
///
/// # Panics
/// As `serving` does.
pub fn on_a_page<T: Send>(serving: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, serving)?;
        Ok(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

/// The length of a stack in bytes, that of a first thread on most systems.
const STACK: usize = 8 << 20;
