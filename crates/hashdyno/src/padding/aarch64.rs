//! The padding of a message for kernels that keep a block in registers: as `super::x86_64`.

use std::arch::aarch64::*;

use bytemuck::{Zeroable, cast};

use super::tables::{DOWN, MARK, ZEROS};
use crate::parts::words;

/// A register of 128 bits.
pub(crate) type Register = uint32x4_t;

/// A block of 64 bytes.
pub(crate) type Block = [Register; 4];

/// What follows the whole blocks of 64 bytes of a message, with a mark of 0x80 and a big-endian
/// length of 8 bytes, behind `taken` bytes more: one or two blocks, and whether they are two.
///
/// # Safety
/// The caller is compiled for NEON.
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
                vorrq_u8(vqtbl1q_u8(cast(*last), down), mark)
            }
            None => cast(words::marked(message, 0x80)),
        };
        let mut blocks = [Block::zeroed(); 2];
        for (number, to) in blocks[0].iter_mut().enumerate() {
            let at = if number < chunks { from.wrapping_add(16 * number) } else { ZEROS.as_ptr() };
            let place = vceqq_u32(vdupq_n_u32(chunks as u32), vdupq_n_u32(number as u32));
            *to = vorrq_u32(cast(vld1q_u8(at)), vandq_u32(cast(marked), place));
        }
        let len = cast([0, ((taken + message.len() as u64) * 8).swap_bytes()]);
        let two = rest + 9 > 64;
        if two {
            blocks[1][3] = len;
        } else {
            blocks[0][3] = vorrq_u32(blocks[0][3], len);
        }
        (blocks, two)
    }
}

/// Sixteen bytes from place `at` on, 16 at most.
#[inline]
#[target_feature(enable = "neon")]
fn window(bytes: &[u8; 32], at: usize) -> uint8x16_t {
    assert!(at <= 16);
    // SAFETY: 16 bytes are left there.
    unsafe { vld1q_u8(bytes.as_ptr().add(at)) }
}
