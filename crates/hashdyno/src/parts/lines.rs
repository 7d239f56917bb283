//! Tables that begin at a line of the cache.

use std::ops::Deref;

/// A table of which a kernel loads vectors: none of them lies across two lines, wherever the linker
/// puts the table. Else each load of 512 bits may take twice as long.
#[repr(align(64))]
pub(crate) struct Lines<T>(pub(crate) T);

impl<T> Deref for Lines<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}
