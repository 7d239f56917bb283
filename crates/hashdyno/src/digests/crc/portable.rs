//! CRCs by tables, as many as a block has bytes: straight Rust.

use super::{Crc, Register};
use crate::parts::barrier;
use crate::parts::checksum::checksum_kernel;
use crate::parts::words::few;
use crate::{Features, Kernel};

pub(super) const fn portable<C: Crc>() -> Kernel {
    checksum_kernel!(
        "portable", Features::empty(), C: Crc, after_bytes::<C>,
        ..=8 => unsafe of_word::<C>
    )
}

/// The register of a message of up to 8 bytes, each looked up by how many follow it. What becomes
/// of the register at the start, that of the empty message, is known for each length.
#[inline(always)]
pub(super) fn of_word<C: Crc>(_: C::Register, bytes: &[u8]) -> C::Register {
    let tables = C::TABLES[..bytes.len()].iter().rev();
    bytes
        .iter()
        .zip(tables)
        .fold(C::STARTS[bytes.len()], |sum, (byte, table)| sum ^ table[usize::from(*byte)])
}

/// The register after `bytes`.
#[inline]
fn after_bytes<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    // CRCs of 64 bits have as much to do for a block that branches hide behind it. A call at the
    // end: fewer bytes save no registers for it.
    if bytes.len() < 64 || size_of::<C::Register>() == 8 {
        after_blocks::<C>(register, bytes)
    } else {
        after_groups::<C>(register, bytes)
    }
}

/// The same, by four blocks in a turn: the branches of a loop by blocks take a twelfth of the time.
#[inline(never)]
fn after_groups<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    let (groups, rest) = bytes.as_chunks::<64>();
    let after = |register, block: &[u8; 16]| after_block::<C>(register, block);
    let register = groups
        .iter()
        .fold(register, |register, group| group.as_chunks().0.iter().fold(register, after));
    after_blocks::<C>(register, rest)
}

/// The same, by a block in a turn.
#[inline(always)]
fn after_blocks<C: Crc>(register: C::Register, bytes: &[u8]) -> C::Register {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let after = |register, block: &[u8; 16]| after_block::<C>(register, block);
    let register = blocks.iter().fold(register, after);
    after_few::<C>(register, few(rest), rest.len())
}

/// The register after 16 bytes. Bytes that do not wait for the register are loaded one by one: a
/// load costs less than a shift. They are summed up before the others.
#[inline(always)]
fn after_block<C: Crc>(register: C::Register, block: &[u8; 16]) -> C::Register {
    let waiting = size_of::<C::Register>();
    // No wider than the register: compilers would take other bytes from this load, by shifts.
    let first = match waiting {
        4 => u32::from_le_bytes(*block.first_chunk().expect("a quarter of a block")).into(),
        _ => u64::from_le_bytes(*block.first_chunk().expect("half of a block")),
    };
    let word = first ^ Into::<u128>::into(register) as u64;
    let byte = |at: usize| if at < waiting { (word >> (8 * at)) as u8 } else { block[at] };
    let found = |at: usize| C::TABLES[15 - at][usize::from(byte(at))];
    let mut others = C::Register::from_low(0);
    for at in (waiting..16).rev() {
        others = others ^ found(at);
    }
    // The first byte needs no shift and comes first, the last come in pairs. Compilers would take
    // them one after another.
    let kept =
        |sum: C::Register| C::Register::from_low(barrier::word(Into::<u128>::into(sum) as u64));
    if waiting == 4 {
        return kept(kept(kept(others) ^ found(0)) ^ found(3)) ^ kept(found(1) ^ found(2));
    }
    let mut sum = kept(kept(kept(others) ^ found(0)) ^ found(1));
    let mut at = 2;
    while at < waiting {
        sum = sum ^ kept(found(at) ^ found(at + 1));
        at += 2;
    }
    sum
}

/// The register after the first `count` of `bytes`, fewer than 16.
#[inline(always)]
pub(super) fn after_few<C: Crc>(register: C::Register, bytes: u128, count: usize) -> C::Register {
    match count {
        0 => register,
        1..=4 => advance::<C, 4>(register, bytes, count),
        5..=8 => advance::<C, 8>(register, bytes, count),
        _ => advance::<C, 16>(register, bytes, count),
    }
}

/// The register after the first `count` of `bytes`, 1 to N. Each is looked up on its own, by how
/// many bytes follow it; zeros that precede them change nothing. The bytes that wait for the
/// register come last.
#[inline(always)]
fn advance<C: Crc, const N: usize>(
    register: C::Register,
    bytes: u128,
    count: usize,
) -> C::Register {
    let sum = (bytes ^ register.into()) << (8 * (N - count));
    let found = |index: usize| C::TABLES[N - 1 - index][usize::from((sum >> (8 * index)) as u8)];
    (0..N - 1).rev().fold(found(N - 1), |sum, index| sum ^ found(index)) ^ register.without(count)
}
