//! Snefru of 64 messages in planes of bytes. The words turn by whole bytes, so nothing is left but
//! to look up and to add.
//!
//! ```text
//! words[0 .. 16], each [plane of byte 0, of byte 1, of byte 2, of byte 3]; a plane: 64 messages
//! a step, for word `at`, in a round whose words are turned by TURN bytes:
//!     place = words[at][TURN]                            the byte that decides
//!     for byte = 0 .. 3:
//!         entry = byte `byte` of the S-box at `place`    a table of 256 bytes
//!         to = (byte + TURN) mod 4                       the entry turns, not the words
//!         words[at - 1][to] ^= entry;   words[at + 1][to] ^= entry
//! ```
//!
//! Byte TURN of word `at + 1` decides the next step, so byte 0 of the entry comes first. No step of
//! this round waits for the other three bytes.

use std::arch::x86_64::*;

use super::tables::BOXES;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;
use crate::parts::lanes::planes::{Plane, Table, of_words, to_words};
use crate::parts::mds::avx512::sum;

pub(super) struct Planes<const CHAIN: usize, const WORDS: usize>;

/// A word of each of 64 messages, its bytes apart, the least significant first.
type Word = [Plane; 4];

impl<const CHAIN: usize, const WORDS: usize> Design<u32, CHAIN, WORDS> for Planes<CHAIN, WORDS> {
    const MIN_FILL: usize = 1;
    const PADDING: Padding = super::PADDING;

    /// The tail, if there is one, and the length.
    #[inline(always)]
    fn tail_blocks(tail_len: usize) -> usize {
        if tail_len == 0 { 1 } else { 2 }
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], block: &[L; WORDS]) {
        // SAFETY: the kernel is compiled for this and needs it.
        unsafe { compress::<CHAIN, WORDS>(bytemuck::cast_mut(chain), bytemuck::cast_ref(block)) }
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn compress<const CHAIN: usize, const WORDS: usize>(
    chain: &mut [[__m512i; 4]; CHAIN],
    block: &[[__m512i; 4]; WORDS],
) {
    let mut words = [[_mm512_setzero_si512(); 4]; 16];
    for (word, lanes) in words.iter_mut().zip(chain.iter().chain(block)) {
        *word = of_words(*lanes);
    }
    for boxes in &TABLES {
        round::<0>(&mut words, boxes);
        round::<2>(&mut words, boxes);
        round::<3>(&mut words, boxes);
        round::<1>(&mut words, boxes);
    }
    for (chain, word) in chain.iter_mut().zip(words.iter().rev()) {
        for (chain, lanes) in chain.iter_mut().zip(to_words(*word)) {
            *chain = _mm512_xor_si512(*chain, lanes);
        }
    }
}

/// A round where the words are turned by so many bytes: as in `super::run`, the words stay, and the
/// entries turn. Two steps at a time, which have a box in common; the words that both are between,
/// and the bytes that decide, stay in registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn round<const TURN: usize>(words: &mut [Word; 16], boxes: &[[Table; 4]; 2]) {
    let (mut before, mut first) = (words[15], words[0]);
    for at in (0..16).step_by(2) {
        let tables = &boxes[at / 2 % 2];
        let (mut second, mut after) = (words[at + 1], words[(at + 2) % 16]);
        let place = first[TURN];
        // Byte 0 of the entry goes to byte TURN, which decides the next step.
        let entry = tables[0].look_up(place);
        before[TURN] = sum(before[TURN], entry);
        second[TURN] = sum(second[TURN], entry);
        let next_place = second[TURN];
        let entry = tables[0].look_up(next_place);
        first[TURN] = sum(first[TURN], entry);
        after[TURN] = sum(after[TURN], entry);
        for (byte, table) in tables.iter().enumerate().skip(1) {
            let to = (byte + TURN) % 4;
            let (entry, next) = (table.look_up(place), table.look_up(next_place));
            before[to] = sum(before[to], entry);
            second[to] = sum(second[to], entry);
            first[to] = sum(first[to], next);
            after[to] = sum(after[to], next);
        }
        (words[(at + 15) % 16], words[at]) = (before, first);
        (before, first) = (second, after);
    }
    (words[15], words[0]) = (before, first);
}

/// Byte n of the entries of each box.
static TABLES: [[[Table; 4]; 2]; 8] = {
    let mut tables = [const { [const { [const { Table::new(&[0; 256]) }; 4] }; 2] }; 8];
    let mut at = 0;
    while at < 16 * 4 {
        let (mut entries, mut entry) = ([0; 256], 0);
        while entry < 256 {
            entries[entry] = (BOXES[at / 4][entry] >> (8 * (at % 4))) as u8;
            entry += 1;
        }
        tables[at / 8][at / 4 % 2][at % 4] = Table::new(&entries);
        at += 1;
    }
    tables
};
