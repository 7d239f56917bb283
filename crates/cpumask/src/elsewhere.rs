//! Where there is neither: everything is refused.

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
