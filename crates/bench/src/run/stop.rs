//! How a run is told to stop.
//!
//! A flag, and no signal: the handler of Ctrl-C in `cli` sets it, and every loop of a run looks at
//! it. The step in work is given up, so that a record holds whole steps only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells a run to stop: what is in work is given up, what is done is kept. All clones are one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for it.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
