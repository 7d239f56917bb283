//! Edon-R of many messages, and of one: a lane alone is a word.
//!
//! A compression is eight products of a quasigroup, two in each row:
//!
//! ```text
//! block = begin | end           chain = first | second           ': words in reverse
//! p = end'   * begin            q = p * end
//! p = second * p                q = p * q
//! p = p * first                 q = q * p
//! p = begin' * p                q = p * q
//! chain = p | q
//! ```
//!
//! A product has three layers. Two Latin squares say which five words of x and of y each rotated
//! sum takes. Exclusive ors join three sums, and a sum joins both sides.

use crate::Kernel;
use crate::many::Design;
use crate::padding::{Endian, Padding};
use crate::parts::lanes::{Lanes, Word};

/// What the size of a word decides.
pub(super) trait Size: Word {
    /// How far the sums of the first and of the second Latin square are rotated.
    const TURNS: [[u32; 8]; 2];
    /// What the first sum of each has added.
    const ADDED: [Self; 2];
    /// The chain before the first block.
    const INITIAL: [Self; 16];
    const ONE: &'static [Kernel];
    const MANY: &'static [Kernel];
}

pub(super) struct EdonrLanes;

impl<W: Size> Design<W, 16, 16> for EdonrLanes {
    const MIN_FILL: usize = 4;
    const PADDING: Padding = super::PADDING;

    #[inline(always)]
    fn compress<L: Lanes<Word = W>>(chain: &mut [L; 16], words: &[L; 16]) {
        compress(chain, words);
    }

    /// The second half.
    #[inline(always)]
    fn output<L: Lanes<Word = W>>(mut chain: [L; 16], _: usize) -> [L; 16] {
        chain.copy_within(8.., 0);
        crate::many::to_memory_order(chain, Endian::Little)
    }
}

/// Four rows of quasigroup operations.
#[inline(always)]
pub(super) fn compress<L>(chain: &mut [L; 16], words: &[L; 16])
where
    L: Lanes<Word: Size>,
{
    let [first, second]: [[L; 8]; 2] = bytemuck::cast(*chain);
    let [begin, end]: [[L; 8]; 2] = bytemuck::cast(*words);
    let p = product(backwards(end), begin);
    let q = product(p, end);
    let p = product(second, p);
    let q = product(p, q);
    let p = product(p, first);
    let q = product(q, p);
    let p = product(backwards(begin), p);
    let q = product(p, q);
    *chain = bytemuck::cast([p, q]);
}

#[inline(always)]
fn backwards<L: Lanes>(mut words: [L; 8]) -> [L; 8] {
    words.reverse();
    words
}

/// The operation of the quasigroup of order 2^256 or 2^512.
#[inline(always)]
fn product<L>(x: [L; 8], y: [L; 8]) -> [L; 8]
where
    L: Lanes<Word: Size>,
{
    let turns = L::Word::TURNS[0];
    // Sums of two, which several rows of the first square have in common.
    let (even, odd) = (x[0].plus(x[4]), x[1].plus(x[7]));
    let (outer, next) = (even.plus(odd), x[2].plus(x[3]));
    let last = x[5].plus(x[6]);
    let inner = next.plus(last);
    let s = [
        L::splat(L::Word::ADDED[0]).plus(outer).plus(x[2]),
        outer.plus(x[3]).left(turns[1]),
        outer.plus(x[6]).left(turns[2]),
        inner.plus(x[7]).left(turns[3]),
        inner.plus(x[1]).left(turns[4]),
        even.plus(next).plus(x[5]).left(turns[5]),
        x[0].plus(odd).plus(last).left(turns[6]),
        inner.plus(x[4]).left(turns[7]),
    ];
    let turns = L::Word::TURNS[1];
    // The same of the second square.
    let (first, second) = (y[0].plus(y[1]), y[2].plus(y[5]));
    let (third, fourth) = (y[3].plus(y[4]), y[6].plus(y[7]));
    let (begin, middle) = (first.plus(second), first.plus(third));
    let (end, rest) = (third.plus(fourth), second.plus(fourth));
    let t = [
        L::splat(L::Word::ADDED[1]).plus(begin).plus(y[7]),
        middle.plus(y[6]).left(turns[1]),
        begin.plus(y[3]).left(turns[2]),
        end.plus(y[2]).left(turns[3]),
        middle.plus(y[5]).left(turns[4]),
        rest.plus(y[4]).left(turns[5]),
        rest.plus(y[1]).left(turns[6]),
        end.plus(y[0]).left(turns[7]),
    ];
    // Each word below takes three of s and three of t. Pairs are made once.
    let (s04, s17, s23, s56) = (s[0] ^ s[4], s[1] ^ s[7], s[2] ^ s[3], s[5] ^ s[6]);
    let (t01, t25, t34, t67) = (t[0] ^ t[1], t[2] ^ t[5], t[3] ^ t[4], t[6] ^ t[7]);
    [
        (s04 ^ s[1]).plus(t01 ^ t[5]),
        (s04 ^ s[7]).plus(t67 ^ t[2]),
        (s17 ^ s[6]).plus(t01 ^ t[3]),
        (s23 ^ s[4]).plus(t34 ^ t[0]),
        (s17 ^ s[0]).plus(t25 ^ t[1]),
        (s56 ^ s[3]).plus(t34 ^ t[6]),
        (s56 ^ s[2]).plus(t25 ^ t[7]),
        (s23 ^ s[5]).plus(t67 ^ t[4]),
    ]
}
