//! CRCs by AArch64's instructions: those for CRC-32 and CRC-32C, and the multiplication without
//! carry, by which 16 bytes are folded at a time as in `x86_64.rs`.

use std::arch::aarch64::*;

use bytemuck::{cast, pod_read_unaligned};

use super::folding::{Folding, Known};
use super::{BitOrder, Castagnoli, Crc, Ieee, Register};
use crate::parts::checksum::{Checksum, checksum_kernel};
use crate::parts::words::few;
use crate::{Features, Kernel};

/// What the multiplication needs; its bits are reversed by NEON.
pub(super) const PMULL: Features = Features::NEON.union(Features::AES).union(Features::PMULL);

/// 16 bytes at a time.
pub(super) const fn pmull<C: Crc>() -> Kernel {
    checksum_kernel!("pmull", PMULL, "neon,aes", C: Crc, known::<C>)
}

/// A CRC that has instructions.
pub(super) trait Instruction: Crc<Register = u32> {
    /// The register after eight bytes, the first lowest.
    ///
    /// # Safety
    /// The caller is compiled for `crc`, as of all these.
    unsafe fn eight(register: u32, bytes: u64) -> u32;

    /// The register after four bytes.
    ///
    /// # Safety
    /// As [`Instruction::eight`].
    unsafe fn four(register: u32, bytes: u32) -> u32;

    /// The register after two bytes.
    ///
    /// # Safety
    /// As [`Instruction::eight`].
    unsafe fn two(register: u32, bytes: u16) -> u32;

    /// The register after a byte.
    ///
    /// # Safety
    /// As [`Instruction::eight`].
    unsafe fn one(register: u32, byte: u8) -> u32;
}

macro_rules! instructions {
    ($($crc:ident: $eight:ident $four:ident $two:ident $one:ident;)*) => {$(
        impl Instruction for $crc {
            instructions!(@ eight u64 $eight);
            instructions!(@ four u32 $four);
            instructions!(@ two u16 $two);
            instructions!(@ one u8 $one);
        }
    )*};
    (@ $method:ident $word:ident $instruction:ident) => {
        #[inline]
        #[target_feature(enable = "crc")]
        unsafe fn $method(register: u32, bytes: $word) -> u32 {
            $instruction(register, bytes)
        }
    };
}

instructions! {
    Ieee: __crc32d __crc32w __crc32h __crc32b;
    Castagnoli: __crc32cd __crc32cw __crc32ch __crc32cb;
}

/// One chain of the instruction.
pub(super) const fn instruction<C: Instruction>() -> Kernel {
    checksum_kernel!("crc", Features::CRC, "crc", C: Instruction, after_words::<C>)
}

/// The same for what is short, and multiplications for what is long.
pub(super) const fn instruction_and_pmull<C: Instruction>() -> Kernel {
    let needs = PMULL.union(Features::CRC);
    checksum_kernel!("crc-pmull", needs, "neon,aes,crc", C: Instruction, after_either::<C>)
}

/// From how many bytes on the multiplication is worth what it takes to begin and to end.
const LONG: usize = 128;

#[inline]
#[target_feature(enable = "neon,aes,crc")]
fn after_either<C: Instruction>(register: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < LONG {
        return after_words::<C>(register, bytes);
    }
    let (blocks, rest) = bytes.as_chunks::<16>();
    let sum = folded(Known::<C>::new(), vector(register), blocks);
    // SAFETY: this is compiled for what they need.
    let register =
        unsafe { C::eight(C::eight(0, vgetq_lane_u64::<0>(sum)), vgetq_lane_u64::<1>(sum)) };
    after_words::<C>(register, rest)
}

#[inline]
#[target_feature(enable = "crc")]
fn after_words<C: Instruction>(register: u32, bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    // SAFETY: this is compiled for what they need.
    unsafe {
        let mut register = register;
        for word in words {
            register = C::eight(register, u64::from_le_bytes(*word));
        }
        // Four bytes, two and one: what there is of each.
        let (four, rest) = rest.as_chunks::<4>();
        if let [four] = four {
            register = C::four(register, u32::from_le_bytes(*four));
        }
        let (two, rest) = rest.as_chunks::<2>();
        if let [two] = two {
            register = C::two(register, u16::from_le_bytes(*two));
        }
        if let [one] = rest {
            register = C::one(register, *one);
        }
        register
    }
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn known<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    if bytes.len() < 16 {
        return super::after_few::<C>(register, few(bytes), bytes.len());
    }
    after_blocks(Known::<C>::new(), register, bytes)
}

/// The register after 16 bytes or more.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn after_blocks<C: Folding>(crc: C, register: C::Register, bytes: &[u8]) -> C::Register {
    let last = bytes.last_chunk::<16>().expect("16 bytes or more");
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut sum = folded(crc, vector(register), blocks);
    if !rest.is_empty() {
        sum = behind(crc, sum, rest.len(), last);
    }
    // Both halves moved on by 64 bits, the first by as much more as it lies before the second.
    let moved = lower(sum, vdupq_n_u64(crc.powers()[POWER_OF_16]));
    let sum = veorq_u64(moved, vextq_u64::<1>(sum, vdupq_n_u64(0)));
    C::Register::from_low(barrett(crc, sum))
}

/// Where [`Folding::powers`] has that of 16 bytes.
const POWER_OF_16: usize = 6;

/// Sums blocks, of which there is one at least, the first with the register added to it.
#[inline]
#[target_feature(enable = "neon,aes")]
fn folded<C: Folding>(crc: C, register: uint64x2_t, blocks: &[[u8; 16]]) -> uint64x2_t {
    let start = reflected::<C>(register);
    let (groups, rest) = blocks.as_chunks::<4>();
    let [first, groups @ ..] = groups else {
        let sum = veorq_u64(start, load::<C>(&blocks[0]));
        return fold(crc, sum, &blocks[1..]);
    };
    let [a, b, c, d] = first;
    let mut sums = [veorq_u64(load::<C>(a), start), load::<C>(b), load::<C>(c), load::<C>(d)];
    for group in groups {
        for (sum, block) in sums.iter_mut().zip(group) {
            *sum = onto::<C, 512>(crc, *sum, load::<C>(block));
        }
    }
    let [a, b, c, d] = sums;
    let sum = onto::<C, 256>(crc, onto::<C, 128>(crc, a, b), onto::<C, 128>(crc, c, d));
    fold(crc, sum, rest)
}

/// Sums blocks one after another.
#[inline]
#[target_feature(enable = "neon,aes")]
fn fold<C: Folding>(crc: C, mut sum: uint64x2_t, blocks: &[[u8; 16]]) -> uint64x2_t {
    for block in blocks {
        sum = onto::<C, 128>(crc, sum, load::<C>(block));
    }
    sum
}

/// Sums what is summed up so far and the `rest` bytes behind it, fewer than 16: the end of `last`,
/// which are the message's last 16 bytes.
#[inline]
#[target_feature(enable = "neon,aes")]
fn behind<C: Folding>(crc: C, sum: uint64x2_t, rest: usize, last: &[u8; 16]) -> uint64x2_t {
    // The last 16 bytes begin with what of the sum is beyond its first `rest` bytes.
    let moved = |by: usize| pod_read_unaligned::<uint8x16_t>(&MOVED[by..][..16]);
    let (first, others) = (moved(rest), moved(16 + rest));
    let others_of_sum = vqtbl1q_u8(cast(sum), others);
    let from_last = vcltzq_s8(vreinterpretq_s8_u8(others));
    let last = vbslq_u8(from_last, cast(load::<C>(last)), others_of_sum);
    onto::<C, 128>(crc, cast(vqtbl1q_u8(cast(sum), first)), cast(last))
}

/// The register that `sum` leaves: the product of its lower half with x^64 modulo P, or P x^32 for
/// 32 bits, and what is in the upper.
#[inline]
#[target_feature(enable = "neon,aes")]
fn barrett<C: Folding>(crc: C, sum: uint64x2_t) -> u64 {
    let [quotient, polynomial] = crc.divisor();
    let quotient = lower(sum, vdupq_n_u64(quotient));
    // The polynomial's coefficient of x^0 found no place in its constant.
    let missing = vandq_u64(vdupq_laneq_u64::<0>(quotient), vdupq_n_u64(crc.ones()));
    let product = lower(quotient, vdupq_n_u64(polynomial));
    let rest = veorq_u64(veorq_u64(sum, product), missing);
    vgetq_lane_u64::<1>(reflected::<C>(rest))
}

/// From byte n on: the order that brings the first n of 16 bytes to the end; from byte 16 + n on:
/// that which drops them, its sign bits set where nothing is left.
const MOVED: &[u8; 48] = &{
    let mut order = [0x80; 48];
    let mut index = 0;
    while index < 16 {
        order[16 + index] = index as u8;
        index += 1;
    }
    order
};

/// `sum` moved on by `BITS`, and added to what is there.
#[inline]
#[target_feature(enable = "neon,aes")]
fn onto<C: Folding, const BITS: u32>(crc: C, sum: uint64x2_t, next: uint64x2_t) -> uint64x2_t {
    let factors = cast(crc.by::<BITS>());
    let upper = vmull_high_p64(vreinterpretq_p64_u64(sum), vreinterpretq_p64_u64(factors));
    veorq_u64(veorq_u64(lower(sum, factors), next), cast(upper))
}

/// The product of the lower halves.
#[inline]
#[target_feature(enable = "neon,aes")]
fn lower(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    cast(vmull_p64(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b)))
}

#[inline]
#[target_feature(enable = "neon")]
fn vector<R: Register>(register: R) -> uint64x2_t {
    cast([Into::<u128>::into(register) as u64, 0])
}

#[inline]
#[target_feature(enable = "neon")]
fn load<O: BitOrder>(block: &[u8; 16]) -> uint64x2_t {
    reflected::<O>(cast(*block))
}

/// The bits of each byte in the order that the multiplication wants, or back.
#[inline]
#[target_feature(enable = "neon")]
fn reflected<O: BitOrder>(bytes: uint64x2_t) -> uint64x2_t {
    if O::MSB_FIRST { cast(vrbitq_u8(cast(bytes))) } else { bytes }
}
