//! Where there is neither: everything is refused.
//!
//! The public functions have the same signatures as in `linux`, so callers compile everywhere.
//! `run` and `watch` give `ErrorKind::Unsupported`, and `probe` gives the reason in words.
//! Features, masks and presets work on every system: only the tracer is missing.

use std::io;
use std::ops::ControlFlow;
use std::process::Command;

use crate::{Gap, Mask, Mechanism, Outcome};

const REASON: &str = "it needs Linux on x86-64";

/// Refuses: it needs Linux on x86-64.
pub fn run(_: &Mask, _: Mechanism, _: Command) -> io::Result<Outcome> {
    Err(io::Error::new(io::ErrorKind::Unsupported, REASON))
}

/// Refuses: it needs Linux on x86-64.
pub fn watch(
    _: &Mask,
    _: Mechanism,
    _: Command,
    _: impl FnMut(&Gap) -> ControlFlow<()> + Send,
) -> io::Result<Outcome> {
    Err(io::Error::new(io::ErrorKind::Unsupported, REASON))
}

pub fn probe(_: Mechanism) -> Result<(), String> {
    Err(REASON.to_owned())
}
