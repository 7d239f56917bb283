//! HAVAL of many messages.

use super::{ORDER, PI, fold, phi, trailer};
use crate::Digest;
use crate::lanes::Lanes;
use crate::many::{Design, write};
use crate::padding::Order;

/// HAVAL of so many passes, of any output length.
pub(super) struct Many<const PASSES: usize>;

impl<const PASSES: usize> Design<u32, 8, 32> for Many<PASSES> {
    const WORTH: usize = 2;
    const ORDER: Order = Order::Little;
    const MARK: u8 = 0x01;
    const FIELD: usize = 10;

    #[inline(always)]
    fn pad(digest: &Digest, blocks: &mut [u8], rest: usize, message_len: u64) {
        blocks[rest] = Self::MARK;
        let field = blocks.last_chunk_mut().expect("the length fits in");
        *field = trailer(digest.output_len, PASSES, message_len);
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; 8], words: &[L; 32]) {
        let mut t = *chain;
        pass::<L, PASSES, 1>(&mut t, words);
        pass::<L, PASSES, 2>(&mut t, words);
        pass::<L, PASSES, 3>(&mut t, words);
        if PASSES > 3 {
            pass::<L, PASSES, 4>(&mut t, words);
        }
        if PASSES > 4 {
            pass::<L, PASSES, 5>(&mut t, words);
        }
        for (chain, word) in chain.iter_mut().zip(t) {
            *chain = chain.plus(word);
        }
    }

    #[inline(always)]
    fn output(chain: [u32; 8], out: &mut [u8]) {
        match out.len() {
            16 => write(&fold::<4>(&chain).map(u32::to_le), out),
            20 => write(&fold::<5>(&chain).map(u32::to_le), out),
            24 => write(&fold::<6>(&chain).map(u32::to_le), out),
            28 => write(&fold::<7>(&chain).map(u32::to_le), out),
            _ => write(&fold::<8>(&chain).map(u32::to_le), out),
        }
    }
}

/// Eight steps at a time, after which the names of the words have come round: 32 of them would only be longer to compile.
#[inline(always)]
fn pass<L: Lanes<Word = u32>, const PASSES: usize, const PASS: usize>(t: &mut [L; 8], words: &[L; 32]) {
    for first in (0..32).step_by(8) {
        macro_rules! steps {
            ($($place:literal)*) => { $(
                let constant = if PASS == 1 { 0 } else { PI[8 + 32 * (PASS - 2) + first + $place] };
                step::<L, PASSES, PASS>(t, words[ORDER[PASS - 1][first + $place] % 32], constant, $place);
            )* };
        }
        steps!(0 1 2 3 4 5 6 7);
    }
}

/// As `super::step`: the names of the words turn.
#[inline(always)]
fn step<L: Lanes<Word = u32>, const PASSES: usize, const PASS: usize>(t: &mut [L; 8], word: L, constant: u32, place: usize) {
    let [x6, x5, x4, x3, x2, x1, x0] = phi(PASSES, PASS);
    let turn = 8 - place;
    let [x6, x5, x4, x3] = [t[(x6 + turn) % 8], t[(x5 + turn) % 8], t[(x4 + turn) % 8], t[(x3 + turn) % 8]];
    let [x2, x1, x0] = [t[(x2 + turn) % 8], t[(x1 + turn) % 8], t[(x0 + turn) % 8]];
    let mixed = match PASS {
        1 => x1.select(x4, x0) ^ (x2 & x5) ^ (x3 & x6),
        2 => (x3 & (x5 ^ (x1 & x2))) ^ (x2 & (x0 ^ x1 ^ x6 ^ (x4 & x5))) ^ (x4 & (x1 ^ x5)) ^ x0,
        3 => x3.select(x6, x0) ^ (x1 & x4) ^ (x2 & (x5 ^ (x1 & x3))),
        4 => (x4 & (x0 ^ x1 ^ (x5 & !x2) ^ (x3 | x6))) ^ (x2 & (x6 ^ (x1 & x3))) ^ (x3 & (x5 ^ x6)) ^ x0,
        _ => (x0 & !(x5 ^ (x1 & x2 & x3))) ^ (x1 & x4) ^ (x2 & x5) ^ (x3 & x6),
    };
    let oldest = (7 + turn) % 8;
    let mut sum = t[oldest].right(11).plus(word);
    if PASS > 1 {
        sum = sum.plus(L::splat(constant));
    }
    t[oldest] = mixed.right(7).plus(sum);
}
