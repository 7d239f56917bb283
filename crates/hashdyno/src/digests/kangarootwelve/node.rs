//! The sponges of the tree, one after another, and what follows the bytes of each (RFC 9861,
//! section 3).

use super::Lanes;
use crate::digests::keccak::{self, TURBO};

/// What follows the message where it is less than a chunk: an empty customization string, and the
/// suffix.
pub(super) const ALONE: [u8; 2] = [0, 0x07];
/// What follows a chunk that is whole.
pub(super) const LEAF: [u8; 1] = [0x0b];
/// What follows the last chunk, with an empty customization string.
pub(super) const LAST_LEAF: [u8; 2] = [0, LEAF[0]];
/// What comes between chunk 0 and the digests of the others.
pub(super) const BETWEEN: [u8; 8] = [3, 0, 0, 0, 0, 0, 0, 0];
/// What follows the digests and their number.
pub(super) const ROOT: [u8; 3] = [0xff, 0xff, 0x06];
/// What joins the last byte of each.
pub(super) const END: u8 = 0x80;

/// How a single sponge is computed.
pub(super) trait Form {
    /// Absorbs bytes, a multiple of eight as `at` is, behind `at` bytes of a block. Gives how many
    /// bytes of a block there are then.
    fn soak<const RATE: usize>(lanes: &mut Lanes, at: usize, bytes: &[u8]) -> usize;

    /// Ends a sponge with `rest` and a suffix, at most 16 bytes long.
    #[inline(always)]
    fn end<const RATE: usize>(lanes: &mut Lanes, at: usize, rest: &[u8], suffix: &[u8]) {
        let (words, bytes) = rest.split_at(rest.len() - rest.len() % 8);
        let at = Self::soak::<RATE>(lanes, at, words);
        let mut tail = [0; 2 * MAX_RATE];
        tail[..bytes.len()].copy_from_slice(bytes);
        let len = bytes.len() + suffix.len();
        tail[bytes.len()..len].copy_from_slice(suffix);
        let tail = &mut tail[..(at + len).next_multiple_of(RATE) - at];
        tail[tail.len() - 1] |= END;
        Self::soak::<RATE>(lanes, at, tail);
    }
}

/// That of KT128, in bytes.
const MAX_RATE: usize = 168;

/// By straight Rust.
pub(super) enum Portable {}

impl Form for Portable {
    fn soak<const RATE: usize>(lanes: &mut Lanes, at: usize, bytes: &[u8]) -> usize {
        soak::<RATE>(lanes, at, bytes, keccak::absorb_words::<TURBO>)
    }
}

/// By straight Rust for a CPU that has BMI2: for kernels that need it.
#[cfg(target_arch = "x86_64")]
pub(super) enum Bmi2 {}

#[cfg(target_arch = "x86_64")]
impl Form for Bmi2 {
    #[inline(always)]
    fn soak<const RATE: usize>(lanes: &mut Lanes, at: usize, bytes: &[u8]) -> usize {
        // SAFETY: the kernels that use this form need BMI2.
        unsafe { soak_bmi2::<RATE>(lanes, at, bytes) }
    }
}

/// A function of its own: each kernel calls it in a dozen places.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn soak_bmi2<const RATE: usize>(lanes: &mut Lanes, at: usize, bytes: &[u8]) -> usize {
    soak::<RATE>(lanes, at, bytes, |lanes, blocks, rate| {
        keccak::absorb_words_bmi2::<TURBO>(lanes, blocks, rate);
    })
}

/// `absorb` takes whole blocks, and how many words each has.
#[inline(always)]
fn soak<const RATE: usize>(
    lanes: &mut Lanes,
    at: usize,
    mut bytes: &[u8],
    absorb: impl Fn(&mut Lanes, &[u8], usize),
) -> usize {
    if at > 0 {
        let (head, rest) = bytes.split_at(bytes.len().min(RATE - at));
        add(&mut lanes[at / 8..], head);
        if at + head.len() < RATE {
            return at + head.len();
        }
        // A block of zeros adds nothing.
        absorb(lanes, const { &[0; RATE] }, RATE / 8);
        bytes = rest;
    }
    let (blocks, rest) = bytes.split_at(bytes.len() - bytes.len() % RATE);
    if !blocks.is_empty() {
        absorb(lanes, blocks, RATE / 8);
    }
    add(lanes, rest);
    rest.len()
}

#[inline(always)]
fn add(lanes: &mut [u64], bytes: &[u8]) {
    for (lane, word) in lanes.iter_mut().zip(bytes.as_chunks().0) {
        *lane ^= u64::from_le_bytes(*word);
    }
}
