use crate::{Last, State, words};

/// The order of the bytes of a length field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Merkle-Damgard strengthening, as MD4 introduced it (RFC 1320, 3.1): [`pad`] with the message's length in bits in the
/// last `field` bytes, at most 64; a little-endian one has 8. `BLOCK` is 64 or 128.
#[inline]
pub(crate) fn strengthen<const BLOCK: usize>(state: &mut State, last: Last<'_>, mark: u8, field: usize, order: Order) {
    let (low, high) = (last.message_len << 3, last.message_len >> 61);
    let end = match order {
        Order::Little => [0, low],
        Order::Big => [if field > 8 { high.swap_bytes() } else { 0 }, low.swap_bytes()],
    };
    if last.bytes.len() < 16 && 16 + field <= BLOCK {
        // Most messages of a billion short ones. By stores no smaller than a kernel's loads, which would wait for them otherwise.
        let begin = words::few(last.bytes) | u128::from(mark) << (8 * last.bytes.len());
        let mut block = [0; BLOCK];
        words::store([begin as u64, (begin >> 64) as u64], &mut block[..16]);
        words::store(end, &mut block[BLOCK - 16..]);
        return last.kernel.absorb(state, &block);
    }
    let mut trailer = [0; 64];
    words::store(end, &mut trailer[48..]);
    pad::<BLOCK>(state, last, mark, &trailer[64 - field..]);
}

/// The rest of the message, a `mark` byte, zeros, and `trailer` at the end of a block; absorbs the one or two blocks that
/// this makes. `BLOCK` is 64 or 128.
#[inline]
pub(crate) fn pad<const BLOCK: usize>(state: &mut State, last: Last<'_>, mark: u8, trailer: &[u8]) {
    let mut blocks = [[0u8; BLOCK]; 2];
    let flat = blocks.as_flattened_mut();
    words::copy(last.bytes, flat);
    flat[last.bytes.len()] = mark;
    let len = if last.bytes.len() + 1 + trailer.len() <= BLOCK { BLOCK } else { 2 * BLOCK };
    flat[len - trailer.len()..len].copy_from_slice(trailer);
    last.kernel.absorb(state, &flat[..len]);
}

/// What follows the whole blocks of a message, padded as [`strengthen`] does with a mark of 0x80 and a big-endian length of 8 bytes:
/// writes the one or two blocks that it makes and says how many. No branch depends on the length but that.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn padded_end(message: &[u8], blocks: &mut [[u8; 64]; 2]) -> usize {
    use std::arch::x86_64::*;
    let rest = message.len() % 64;
    let partial = match message.last_chunk::<4>() {
        Some(last) => (u64::from(u32::from_le_bytes(*last)) >> (32 - 8 * (rest % 4))) as u32,
        None => words::few(message) as u32,
    };
    let (place, marked) = (_mm256_set1_epi32(rest as i32 / 4), _mm256_set1_epi32((partial | 0x80 << (8 * (rest % 4))) as i32));
    let from = message.as_ptr().wrapping_add(message.len() - rest).cast::<i32>();
    let words = |number: usize| {
        let places = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(8 * number as i32));
        // SAFETY: the load touches no word but those that are whole there.
        let whole = unsafe { _mm256_maskload_epi32(from.wrapping_add(8 * number), _mm256_cmpgt_epi32(place, places)) };
        _mm256_or_si256(whole, _mm256_and_si256(_mm256_cmpeq_epi32(place, places), marked))
    };
    let len = _mm256_set_epi64x((message.len() as i64 * 8).swap_bytes(), 0, 0, 0);
    let (first, second) = (words(0), words(1));
    if rest + 9 <= 64 {
        blocks[0] = bytemuck::cast([first, _mm256_or_si256(second, len)]);
        1
    } else {
        *blocks = bytemuck::cast([first, second, _mm256_setzero_si256(), len]);
        2
    }
}
