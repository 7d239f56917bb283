//! How a digest ends its messages: a mark, zeros and usually the length in bits.
//!
//! `Padding` is the one value that both a hasher and lanes read. `strengthen` and `pad` absorb the
//! end of one message by a state. `end`, for x86-64 and AArch64, makes it in registers, for kernels
//! that keep a block there. A block made by small stores would be waited for by a kernel's loads.

use crate::parts::words;
use crate::{State, Tail};

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

/// How a digest ends its messages: a mark, zeros, and usually the length in bits.
#[derive(Clone, Copy)]
pub(crate) struct Padding {
    /// The first byte after the message. A padding without a mark has 0.
    pub mark: u8,
    /// The size of the length field at the end of the last block, in bytes, at most 64. A padding
    /// without a length has 0.
    pub length_bytes: usize,
    /// The order of the bytes of the length.
    pub endian: Endian,
}

impl Padding {
    /// A bit 1, zeros, and a length of `length_bytes` bytes: Merkle-Damgard strengthening, as MD4
    /// introduced it (RFC 1320, 3.1).
    pub(crate) const fn with_length(length_bytes: usize, endian: Endian) -> Self {
        Self { mark: 0x80, length_bytes, endian }
    }

    /// A mark and zeros.
    pub(crate) const fn of_mark(mark: u8) -> Self {
        Self { mark, length_bytes: 0, endian: Endian::Little }
    }

    /// The same with another mark.
    pub(crate) const fn marked(self, mark: u8) -> Self {
        Self { mark, ..self }
    }

    /// How many blocks of `block_len` bytes the last `tail_len` bytes of a message make with their
    /// padding: one or two.
    #[inline(always)]
    pub(crate) const fn blocks(self, tail_len: usize, block_len: usize) -> usize {
        if tail_len + 1 + self.length_bytes <= block_len { 1 } else { 2 }
    }
}

/// Absorbs the rest of a message with its padding and its length in bits. A little-endian length
/// has 8 bytes. `BLOCK` is 64 or 128.
#[inline]
pub(crate) fn strengthen<const BLOCK: usize>(
    state: &mut State,
    tail: Tail<'_>,
    Padding { mark, length_bytes: field, endian }: Padding,
) {
    let (low, high) = (tail.message_len << 3, tail.message_len >> 61);
    let end = match endian {
        Endian::Little => [0, low],
        Endian::Big => [if field > 8 { high.swap_bytes() } else { 0 }, low.swap_bytes()],
    };
    if tail.bytes.len() < 16 && 16 + field <= BLOCK {
        // Most messages of a billion short ones.
        let mut block = [0; BLOCK];
        put_marked(tail.bytes, mark, &mut block);
        words::store(end, &mut block[BLOCK - 16..]);
        return tail.kernel.absorb(state, &block);
    }
    let mut trailer = [0; 64];
    words::store(end, &mut trailer[48..]);
    pad::<BLOCK>(state, tail, mark, &trailer[64 - field..]);
}

/// Writes the last bytes of a message and `mark` behind them to zeros. Fewer than 16 bytes are one
/// store, no smaller than a kernel's loads, which would wait for smaller ones.
#[inline(always)]
pub(crate) fn put_marked(bytes: &[u8], mark: u8, zeros: &mut [u8]) {
    if bytes.len() < 16 {
        words::store(words::marked(bytes, mark), &mut zeros[..16]);
    } else {
        words::copy(bytes, zeros);
        zeros[bytes.len()] = mark;
    }
}

/// The rest of the message, a `mark` byte, zeros, and `trailer` at the end of a block; absorbs the
/// one or two blocks that this makes. `BLOCK` is 64 or 128.
#[inline]
pub(crate) fn pad<const BLOCK: usize>(state: &mut State, tail: Tail<'_>, mark: u8, trailer: &[u8]) {
    let mut blocks = [[0u8; BLOCK]; 2];
    let flat = blocks.as_flattened_mut();
    put_marked(tail.bytes, mark, flat);
    let len = if tail.bytes.len() + 1 + trailer.len() <= BLOCK { BLOCK } else { 2 * BLOCK };
    flat[len - trailer.len()..len].copy_from_slice(trailer);
    tail.kernel.absorb(state, &flat[..len]);
}
