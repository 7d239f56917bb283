//! The order of blocks in kernels that prepare two at a time: a vector of their schedule has words
//! of a block and the same words of the next.

/// Blocks by two: `first` takes a block and the next, and makes the sums of both; `second` takes
/// these sums. The last of an odd number is given twice, and the second time not used.
#[inline(always)]
pub(crate) fn by_two<T, const BLOCK: usize>(
    blocks: &[u8],
    work: &mut T,
    first: impl Fn(&mut T, [&[u8; BLOCK]; 2]),
    second: impl Fn(&mut T),
) {
    for pair in blocks.as_chunks::<BLOCK>().0.chunks(2) {
        first(work, [&pair[0], &pair[pair.len() - 1]]);
        if pair.len() == 2 {
            second(work);
        }
    }
}
