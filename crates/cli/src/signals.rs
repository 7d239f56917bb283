//! The signals that end a program: Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed.
//!
//! ```text
//! end_at_once   the first signal: runners killed, files removed, exit code 128 + N
//! stop_first    the first signal: the run stops as soon as it can, the record stays
//!               two seconds later: runners that have not answered are killed
//!               the second signal: as end_at_once
//! ```
//!
//! Signals are taken by a thread, not in a handler, so that it may lock and write. A signal that
//! was ignored at the start stays ignored: nohup relies on it.

use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use bench::{Stop, temporary};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::signal_name;

/// Has a signal end the program, its runners, too, and remove their files: those of a study are up
/// to 1.6 GB.
pub fn end_at_once() -> anyhow::Result<()> {
    listen(|signal| end(signal))
}

/// Has the first signal stop a run, and the next one end the program.
pub fn stop_first() -> anyhow::Result<Stopping> {
    let stopping = Stopping::default();
    let shared = stopping.clone();
    listen(move |signal| {
        if shared.0.swap(signal, Ordering::Relaxed) != 0 {
            end(signal);
        }
        shared.1.ask();
        // Whoever waits for a runner longer than that waits no more.
        thread::spawn(|| {
            thread::sleep(GRACE);
            temporary::end_runners();
        });
    })?;
    Ok(stopping)
}

/// A run that a signal stops. The number is the first signal's, 0 before there is one.
#[derive(Clone, Default)]
pub struct Stopping(Arc<AtomicI32>, Stop);

impl Stopping {
    /// What tells the run to stop.
    pub fn stop(&self) -> &Stop {
        &self.1
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<Signal> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&signal| signal != 0).map(Signal)
    }
}

/// A signal that ends programs.
#[derive(Clone, Copy, Debug)]
pub struct Signal(i32);

impl Signal {
    /// The exit code of a program that it has ended, as shells see it: 128 and its number.
    pub fn code(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }
}

impl std::fmt::Display for Signal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(signal_name(self.0).unwrap_or("a signal"))
    }
}

/// Calls `act` for each signal, in a thread of its own.
fn listen(mut act: impl FnMut(i32) + Send + 'static) -> anyhow::Result<()> {
    let ignored = ignored();
    let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & bit(*signal) == 0);
    let mut signals =
        Signals::new(heeded).context("cannot listen for the signals that end a program")?;
    thread::spawn(move || signals.forever().for_each(&mut act));
    Ok(())
}

fn end(signal: i32) -> ! {
    temporary::remove();
    exit(Signal(signal).code().into())
}

/// The signals that this program was started to ignore, as nohup has it ignore SIGHUP.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// What a group in work has after the signal: as a rule it ends within a millisecond.
const GRACE: Duration = Duration::from_secs(2);
