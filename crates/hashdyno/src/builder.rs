//! What a digest and its kernels are made of, for the tests that plant bugs into them. It may change at any time.

pub use crate::kernel::{Absorb, Whole};
pub use crate::many::Batch;
pub use crate::state::{Last, State};
use crate::{Bound, Digest};

/// A digest with other parts.
///
/// # Safety
/// Start, end and kernels fit each other: each kernel takes the state that `start` leaves, and writes no more than it is given.
pub unsafe fn digest(
    like: &Digest,
    start: fn(&mut State),
    finish: fn(&mut State, Last<'_>, &mut [u8]),
    kernels: &'static [crate::Kernel],
) -> Digest {
    Digest { start, finish, kernels, ..*like }
}

/// How a digest starts.
pub fn start(digest: &Digest) -> fn(&mut State) {
    digest.start
}

/// Ends a message.
///
/// # Safety
/// The state is one of this digest, and so is the kernel in `last`.
pub unsafe fn finish(digest: &Digest, state: &mut State, last: Last<'_>, out: &mut [u8]) {
    (digest.finish)(state, last, out);
}

/// Absorbs whole blocks.
///
/// # Safety
/// The state is one of the kernel's digest, and `blocks` is a multiple of its block length, and not empty.
pub unsafe fn absorb(kernel: &Bound, state: &mut State, blocks: &[u8]) {
    kernel.absorb(state, blocks);
}
