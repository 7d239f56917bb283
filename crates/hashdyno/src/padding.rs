use crate::{State, Tail, words};

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod tables;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{Block, Register, end};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{Block, Register, end};

/// The order of the bytes of a length field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

impl Endian {
    /// The order of the bytes of a word in this machine's memory.
    pub(crate) const NATIVE: Self =
        if cfg!(target_endian = "little") { Self::Little } else { Self::Big };
}

/// Merkle-Damgard strengthening, as MD4 introduced it (RFC 1320, 3.1): [`pad`] with the message's
/// length in bits in the last `field` bytes, at most 64; a little-endian one has 8. `BLOCK` is 64
/// or 128.
#[inline]
pub(crate) fn strengthen<const BLOCK: usize>(
    state: &mut State,
    tail: Tail<'_>,
    mark: u8,
    field: usize,
    endian: Endian,
) {
    let (low, high) = (tail.message_len << 3, tail.message_len >> 61);
    let end = match endian {
        Endian::Little => [0, low],
        Endian::Big => [if field > 8 { high.swap_bytes() } else { 0 }, low.swap_bytes()],
    };
    if tail.bytes.len() < 16 && 16 + field <= BLOCK {
        // Most messages of a billion short ones. By stores no smaller than a kernel's loads, which
        // would wait for them otherwise.
        let mut block = [0; BLOCK];
        words::store(words::marked(tail.bytes, mark), &mut block[..16]);
        words::store(end, &mut block[BLOCK - 16..]);
        return tail.kernel.absorb(state, &block);
    }
    let mut trailer = [0; 64];
    words::store(end, &mut trailer[48..]);
    pad::<BLOCK>(state, tail, mark, &trailer[64 - field..]);
}

/// The rest of the message, a `mark` byte, zeros, and `trailer` at the end of a block; absorbs the
/// one or two blocks that this makes. `BLOCK` is 64 or 128.
#[inline]
pub(crate) fn pad<const BLOCK: usize>(state: &mut State, tail: Tail<'_>, mark: u8, trailer: &[u8]) {
    let mut blocks = [[0u8; BLOCK]; 2];
    let flat = blocks.as_flattened_mut();
    words::copy(tail.bytes, flat);
    flat[tail.bytes.len()] = mark;
    let len = if tail.bytes.len() + 1 + trailer.len() <= BLOCK { BLOCK } else { 2 * BLOCK };
    flat[len - trailer.len()..len].copy_from_slice(trailer);
    tail.kernel.absorb(state, &flat[..len]);
}
