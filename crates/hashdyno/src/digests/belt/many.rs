//! Belt-hash of many messages, and of one: a lane alone is a word.

use super::SBOX;
use crate::Digest;
use crate::many::Design;
use crate::padding::Padding;
use crate::parts::lanes::Lanes;

/// Words of the chain: the chaining value, the sum at [`SUM`], and the one at [`LAST`].
pub(super) const CHAIN: usize = 13;

/// Where the sum of what the first encryptions gave begins, four words.
const SUM: usize = 8;

/// The word all of whose bits are set before the last block, which the sum then joins.
pub(super) const LAST: usize = 12;

pub(super) struct BeltLanes;

impl Design<u32, CHAIN, 8> for BeltLanes {
    const MIN_FILL: usize = 14;
    const PADDING: Padding = Padding::of_mark(0);
    const ADJUSTS: bool = true;

    /// The tail, if there is one, and the length.
    #[inline(always)]
    fn tail_blocks(tail_len: usize) -> usize {
        if tail_len == 0 { 1 } else { 2 }
    }

    #[inline(always)]
    fn trailer(_: &Digest, _: usize, message_len: u64) -> [u64; 4] {
        [message_len << 3, message_len >> 61, 0, 0]
    }

    #[inline(always)]
    fn adjust(mut set: impl FnMut(usize, u32), block: usize, tail_len: usize, _: u64) {
        set(LAST, if block + 1 == Self::tail_blocks(tail_len) { u32::MAX } else { 0 });
    }

    #[inline(always)]
    fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], words: &[L; 8]) {
        compress(chain, words);
    }
}

/// Belt-compress (section 6.3).
#[inline(always)]
pub(super) fn compress<L: Lanes<Word = u32>>(chain: &mut [L; CHAIN], words: &[L; 8]) {
    let [a, b, c, d, e, f, g, h, sums @ .., last] = *chain;
    let (first, second) = ([a, b, c, d], [e, f, g, h]);
    let [begin, end]: [[L; 4]; 2] = bytemuck::cast(*words);
    let (mut joining, mut inverted) = (sums, sums);
    for word in &mut joining {
        *word = *word & last;
    }
    let end = sum(end, joining);
    // The first encryption: both halves of h, under the block as its key.
    let halves = sum(first, second);
    let [encrypted] = encrypt([halves], [[begin, end]]);
    let given = sum(encrypted, halves);
    for (word, given) in inverted.iter_mut().zip(given) {
        *word = !given;
    }
    // Both halves of the block, each under t or its complement and a half of h.
    let keys = [[given, second], [inverted, first]];
    // The two do not wait for each other.
    let [one, other] = encrypt([begin, end], keys);
    chain[..4].copy_from_slice(&sum(one, begin));
    chain[4..8].copy_from_slice(&sum(other, end));
    chain[SUM..LAST].copy_from_slice(&sum(sums, given));
}

#[inline(always)]
fn sum<L: Lanes>(mut words: [L; 4], others: [L; 4]) -> [L; 4] {
    for (word, other) in words.iter_mut().zip(others) {
        *word = *word ^ other;
    }
    words
}

/// Encrypts blocks by belt-block (section 6.1), each under its key, in step.
#[inline(always)]
fn encrypt<L: Lanes<Word = u32>, const BLOCKS: usize>(
    mut blocks: [[L; 4]; BLOCKS],
    keys: [[[L; 4]; 2]; BLOCKS],
) -> [[L; 4]; BLOCKS] {
    // A round takes seven of the eight words in turn: the next begins one word before.
    let mut words = [[L::splat(0); 16]; BLOCKS];
    for (words, key) in words.iter_mut().zip(keys) {
        words[..8].copy_from_slice(key.as_flattened());
        words[8..].copy_from_slice(key.as_flattened());
    }
    for round in 0..8 {
        macro_rules! each {
            (|$a:ident, $b:ident, $c:ident, $d:ident, $key:ident| $change:expr) => {
                for ([$a, $b, $c, $d], words) in blocks.iter_mut().zip(&words) {
                    let $key: &[L; 7] = words[8 - round..].first_chunk().expect("more follow");
                    $change;
                }
            };
        }
        // G of the standard is `turned`: a sum with a key word, the S-box, a rotation.
        each!(|a, b, _c, _d, key| *b = *b ^ turned::<L, 5>(a.plus(key[0])));
        each!(|_a, _b, c, d, key| *c = *c ^ turned::<L, 21>(d.plus(key[1])));
        each!(|a, b, _c, _d, key| *a = minus(*a, turned::<L, 13>(b.plus(key[2]))));
        each!(|_a, b, c, _d, key| {
            let mixed = turned::<L, 21>(b.plus(*c).plus(key[3])) ^ L::splat(round as u32 + 1);
            (*b, *c) = (b.plus(mixed), minus(*c, mixed));
        });
        each!(|_a, _b, c, d, key| *d = d.plus(turned::<L, 13>(c.plus(key[4]))));
        each!(|a, b, _c, _d, key| *b = *b ^ turned::<L, 21>(a.plus(key[5])));
        each!(|_a, _b, c, d, key| *c = *c ^ turned::<L, 5>(d.plus(key[6])));
        each!(|a, b, c, d, _key| (*a, *b, *c, *d) = (*b, *d, *a, *c));
    }
    for [a, b, c, d] in &mut blocks {
        (*a, *b, *c, *d) = (*b, *d, *a, *c);
    }
    blocks
}

/// The difference.
#[inline(always)]
fn minus<L: Lanes>(word: L, other: L) -> L {
    !(!word).plus(other)
}

/// The bytes replaced by the S-box, and the word rotated left: by 5, 13 or 21.
#[inline(always)]
fn turned<L: Lanes<Word = u32>, const DISTANCE: usize>(word: L) -> L {
    word.look_up(&TABLES[DISTANCE / 8])
        ^ word.down(8).look_up(&TABLES[(DISTANCE / 8 + 1) % 4])
        ^ word.down(16).look_up(&TABLES[(DISTANCE / 8 + 2) % 4])
        ^ word.down(24).look_up(&TABLES[(DISTANCE / 8 + 3) % 4])
}

/// The S-box, rotated left by 5, 13, 21 and 29.
static TABLES: [[u32; 256]; 4] = {
    let (mut tables, mut at) = ([[0; 256]; 4], 0);
    while at < 4 * 256 {
        let turn = 8 * (at / 256) as u32 + 5;
        tables[at / 256][at % 256] = (SBOX[at % 256] as u32).rotate_left(turn);
        at += 1;
    }
    tables
};
