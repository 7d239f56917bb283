//! The padding of a message for kernels that keep a block in registers.

use std::arch::x86_64::*;

use bytemuck::cast;

use super::tables::{DOWN, MARK, ZEROS};
use crate::parts::words;

/// A register of 128 bits.
pub(crate) type Register = __m128i;

/// A block of 64 bytes.
pub(crate) type Block = [Register; 4];

/// What follows the whole blocks of 64 bytes of a message, with a mark of 0x80 and a big-endian
/// length of 8 bytes, behind `taken` bytes more: one or two blocks, and whether they are two. No
/// branch depends on the length of a message of 16 bytes or more, and nothing goes through memory,
/// for which a kernel would wait.
///
/// # Safety
/// The caller is compiled for SSE4.1.
#[inline(always)]
pub(crate) unsafe fn end(message: &[u8], taken: u64) -> ([Block; 2], bool) {
    let rest = message.len() % 64;
    let (chunks, partial) = (rest / 16, rest % 16);
    let from = message.as_ptr().wrapping_add(message.len() - rest);
    // SAFETY: the caller has the instructions; where `number` is less than `chunks`, 16 bytes of
    // the message lie, else 16 zeros.
    unsafe {
        let marked = match message.last_chunk::<16>() {
            Some(last) => {
                let (down, mark) = (window(&DOWN, 16 - partial), window(&MARK, 16 - partial));
                _mm_or_si128(_mm_shuffle_epi8(cast(*last), down), mark)
            }
            None => cast(words::marked(message, 0x80)),
        };
        let mut blocks = [[_mm_setzero_si128(); 4]; 2];
        for (number, to) in blocks[0].iter_mut().enumerate() {
            let at = if number < chunks { from.wrapping_add(16 * number) } else { ZEROS.as_ptr() };
            let place =
                _mm_cmpeq_epi32(_mm_set1_epi32(chunks as i32), _mm_set1_epi32(number as i32));
            *to = _mm_or_si128(_mm_loadu_si128(at.cast()), _mm_and_si128(marked, place));
        }
        let len = _mm_set_epi64x(((taken as i64 + message.len() as i64) * 8).swap_bytes(), 0);
        let two = rest + 9 > 64;
        if two {
            blocks[1][3] = len;
        } else {
            blocks[0][3] = _mm_or_si128(blocks[0][3], len);
        }
        (blocks, two)
    }
}

/// Sixteen bytes from place `at` on, 16 at most.
#[inline]
#[target_feature(enable = "sse4.1,ssse3")]
fn window(bytes: &[u8; 32], at: usize) -> __m128i {
    assert!(at <= 16);
    // SAFETY: 16 bytes are left there.
    unsafe { _mm_loadu_si128(bytes.as_ptr().add(at).cast()) }
}
