//! Bytes as they are read, for whoever shows how far a run is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count of bytes; its clones are one and the same.
/// It is for display alone, so relaxed order is enough.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Counts bytes.
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
