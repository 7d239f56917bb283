use crate::{Last, State};

/// The order of the bytes of a length field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Merkle-Damgard strengthening, as MD4 introduced it (RFC 1320, 3.1): [`pad`] with the message's length in bits in the
/// last `field` bytes, at most 64.
#[inline]
pub(crate) fn strengthen<const BLOCK: usize>(state: &mut State, last: Last<'_>, mark: u8, field: usize, order: Order) {
    let bits = u128::from(last.message_len) << 3;
    let mut trailer = [0; 64];
    match order {
        Order::Little => {
            trailer[..16].copy_from_slice(&bits.to_le_bytes());
            pad::<BLOCK>(state, last, mark, &trailer[..field]);
        }
        Order::Big => {
            trailer[48..].copy_from_slice(&bits.to_be_bytes());
            pad::<BLOCK>(state, last, mark, &trailer[64 - field..]);
        }
    }
}

/// The rest of the message, a `mark` byte, zeros, and `trailer` at the end of a block; absorbs the one or two blocks that
/// this makes. `BLOCK` is a multiple of 8.
#[inline]
pub(crate) fn pad<const BLOCK: usize>(state: &mut State, last: Last<'_>, mark: u8, trailer: &[u8]) {
    let mut blocks = [[0u8; BLOCK]; 2];
    let flat = blocks.as_flattened_mut();
    // Whole words, the mark in the last of them: a store of single bytes could not be forwarded to the kernel's loads, and
    // short messages would wait for it.
    let (chunks, partial) = last.bytes.as_chunks::<8>();
    let words = flat.as_chunks_mut::<8>().0;
    words[..chunks.len()].copy_from_slice(chunks);
    let word = partial.iter().rev().fold(u64::from(mark), |word, byte| word << 8 | u64::from(*byte));
    words[chunks.len()] = word.to_le_bytes();
    let len = if last.bytes.len() + 1 + trailer.len() <= BLOCK { BLOCK } else { 2 * BLOCK };
    flat[len - trailer.len()..len].copy_from_slice(trailer);
    last.kernel.absorb(state, &flat[..len]);
}
