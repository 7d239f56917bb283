//! What need not wait for a chain is done by vectors, a run of bytes at a time, while the chain
//! takes what was done before.

use crate::parts::barrier;

/// Has `take` take all runs, one after another, each as `prepared` makes it of its every 64 bytes.
/// One run ahead, so that no step of the chain waits for what it takes on its way through memory.
/// The closures may do all that the CPU can that the caller is compiled for.
#[inline(always)]
pub(crate) fn ahead<S, const RUN: usize>(
    state: &mut S,
    runs: &[[u8; RUN]],
    prepared: impl Fn(&[u8; 64]) -> [u8; 64],
    take: impl Fn(&mut S, &[u8; RUN]),
) {
    let mut buffers = [Buffer([0; RUN]), Buffer([0; RUN])];
    let prepare = |buffer: &mut Buffer<RUN>, run: &[u8; RUN]| {
        for (to, from) in buffer.0.as_chunks_mut().0.iter_mut().zip(run.as_chunks().0) {
            *to = prepared(from);
        }
        // What is taken is to be loaded: to take it out of the vectors would stand in the chain's
        // way.
        barrier::stored(buffer);
    };
    let Some(first) = runs.first() else { return };
    prepare(&mut buffers[0], first);
    // The text has one `take`, which is inlined so: the state stays in registers.
    for index in 0..runs.len() {
        if let Some(next) = runs.get(index + 1) {
            prepare(&mut buffers[(index + 1) % 2], next);
        }
        take(state, &buffers[index % 2].0);
    }
}

#[repr(align(64))]
struct Buffer<const RUN: usize>([u8; RUN]);
